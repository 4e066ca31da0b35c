/** Lays a document out: as the engine does, or again with Word's page breaks. */
import { link, mkdir, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { type Conversion, type ConversionJob, type Engine, INPUT_NAME } from '../engine/engine.ts';
import type { Export } from '../engine/export-options.ts';
import { PlatenError } from '../errors.ts';
import type { Isolation } from '../shared/options/conversion-options.ts';
import { isRight, type Judgement, nearestOf } from './pagination/page-judge.ts';
import type { PagePlan } from './pagination/page-plan.ts';
import type { EngineReason, NotedPages, NotedPagination, Pagination } from './pagination/word-pages.ts';
import type { Readers } from './reading/readers.ts';

/** Folder of the document with Word's page breaks, inside its workspace; also the suffix of its job id. */
const PAGINATED_NAME = 'paginated';
/** The same, of the chosen layout's export with the options that hide its pages. */
const EXPORTED_NAME = 'exported';
/** Most layouts of a document; the last one only if each was nearer to Word's than the one before. */
const MAX_LAYOUTS = 4;
const USUAL_LAYOUTS = 3;
const NO_PLAN: PagePlan = { breaks: [], pages: 0, growth: [], flat: [] };

/** The chosen layout of a document. */
export interface LaidOut {
  readonly conversion: Conversion;
  /** Folder of the PDF. */
  readonly folder: string;
  /** Whether the PDF has the destinations that mark Word's pages. */
  readonly isAnchored: boolean;
  readonly pagination: Pagination;
  /** How near its layouts are to Word's pages, the engine's own first; only if there were several. */
  readonly layouts?: readonly Judgement[];
  /** The code of the error by which a further layout failed. */
  readonly failure?: string;
}

/** Makes each layout. */
export type LayoutEngine = Pick<Engine, 'convert' | 'status'>;

export interface LayOutOptions {
  readonly engine: LayoutEngine;
  readonly readers: Readers;
  /** Word's page starts, for which a document with marks has anchors, or the reason why they are unknown. */
  readonly wordPages: NotedPagination;
  /** Whether something is to be filled in once its pages are known, for which it has anchors. */
  readonly dependsOnPages: boolean;
  /** Pages of all documents, if it is one of several whose pages are counted together. */
  readonly totalPages?: number | undefined;
  /** Runs the layouts behind the first within a share of the document's time, so that there is enough left for what has to follow. */
  readonly withinShare: <T>(layouts: (signal: AbortSignal) => Promise<T>) => Promise<T>;
  /** Options of the final export only: with them, pages could not be compared with Word's. */
  readonly last: Pick<Export, 'pages' | 'comments' | 'blankPages'> & Pick<ConversionJob, 'updatesFields'>;
}

/**
 * Lays a document out, and exports it with all options.
 *
 * @throws PlatenError if the engine fails.
 */
export async function layOut(
  job: ConversionJob,
  options: LayOutOptions,
  signal: AbortSignal,
): Promise<LaidOut> {
  const { engine, wordPages, dependsOnPages } = options;
  const { updatesFields, ...last } = options.last;
  const whole = {
    ...job,
    updatesFields: updatesFields || job.updatesFields,
    export: { ...job.export, ...last },
  };
  let laidOut: LaidOut;
  if (typeof wordPages === 'string') {
    const conversion = await engine.convert(dependsOnPages ? withDestinations(job, true) : whole, signal);
    const pagination: Pagination = { by: 'engine', reason: wordPages };
    laidOut = { conversion, folder: job.folder, isAnchored: dependsOnPages, pagination };
    if (!dependsOnPages) return laidOut;
  } else {
    laidOut = await layOutAsWord(job, options, wordPages, signal);
    const isSame = last.pages === undefined && last.comments === undefined && !last.blankPages;
    const isFinal = isSame && !options.last.updatesFields;
    if (isFinal && !dependsOnPages) return laidOut;
  }
  const folder = join(job.folder, EXPORTED_NAME);
  await mkdir(folder, { mode: 0o700 });
  const [path, target] = [join(laidOut.folder, INPUT_NAME), join(folder, INPUT_NAME)];
  if (!(dependsOnPages && (await fill(laidOut.folder, path, target, options, signal))))
    await link(path, target);
  const final = { ...whole, id: `${job.id}-${EXPORTED_NAME}`, folder };
  const conversion = together(laidOut.conversion, await engine.convert(final, signal));
  return { ...laidOut, conversion, folder, isAnchored: false };
}

/**
 * Returns the engine's layout or, where Word's page breaks are known and the engine's differ, one with those if it is nearer to
 * Word's pages (page-judge.ts). If a further layout fails, or there is no time for it, the nearest so far is returned.
 *
 * @throws PlatenError if the engine fails.
 */
async function layOutAsWord(
  job: ConversionJob,
  options: LayOutOptions,
  wordPages: NotedPages,
  signal: AbortSignal,
): Promise<LaidOut> {
  const { engine, readers, dependsOnPages } = options;
  const isAnchored = wordPages.hasMarks || dependsOnPages;
  const conversion = await engine.convert(withDestinations(job, isAnchored), signal);
  const byEngine = (reason: EngineReason): LaidOut => {
    return { conversion, folder: job.folder, isAnchored, pagination: { by: 'engine', reason } };
  };
  let best = byEngine('failed');
  try {
    return await options.withinShare(async (signal) => {
      const reason = wordPages.hasMarks ? 'marks' : 'page-count';
      let [spent, layouts, { folder }] = [conversion, 1, job];
      const layOutNext = async (plan: PagePlan | undefined) => {
        layouts += 1;
        folder = join(job.folder, `${PAGINATED_NAME}-${layouts}`);
        spent = together(spent, await layOutAgain(job, folder, plan, options, signal));
      };
      if (!wordPages.hasMarks) {
        // Few documents without marks run over, so only these get anchors. With more than twice the pages, the count is no count:
        // Word stores 1 where it has not laid out the document.
        const { pages = 0 } = wordPages;
        const excess = (await readers.countPages(folder, { signal })) - pages;
        if (excess <= 0 || excess > pages) return byEngine(excess === 0 ? 'same-pages' : 'does-not-fit');
        await layOutNext(NO_PLAN);
      }
      const measured: Buffer[] = [];
      const see = async (plan: PagePlan | undefined) => {
        const seen = await readers.see({ folder, wordPages, plan, earlier: measured }, { signal });
        measured.push(seen.measured);
        return seen;
      };
      let { judgements, next } = await see(undefined);
      const results = [best];
      const [own] = judgements;
      if (!own || isRight(own)) return byEngine('same-pages');
      results[0] = byEngine(own.excess === 0 ? 'same-pages' : 'does-not-fit');
      if (isEmpty(next)) best = results[0];
      let nearest = own;
      while (layouts < MAX_LAYOUTS && !isEmpty(next)) {
        const plan = next;
        await layOutNext(plan);
        ({ judgements, next } = await see(plan));
        results.push({ conversion: spent, folder, isAnchored: true, pagination: { by: 'word', reason } });
        const chosen = nearestOf(judgements);
        best = results[chosen] ?? best;
        nearest = judgements[chosen] ?? own;
        if (isRight(nearest) || isSame(next, plan)) break;
        const isNear = chosen === 0 && (judgements.at(-1)?.keptShare ?? 0) > own.keptShare;
        if (nearest.excess === 0 && !isNear && !hasMore(next, plan)) break;
        const keepsMore = (judgements.at(-1)?.keptShare ?? 0) > nearest.keptShare && hasMore(next, plan);
        if (layouts >= USUAL_LAYOUTS && chosen + 1 < measured.length && !keepsMore) break;
      }
      const { hasMarks, pages } = wordPages;
      if (hasMarks && pages !== undefined && nearest.excess > 0 && !dependsOnPages) {
        // Anchors can move the text around floating tables.
        await layOutNext(undefined);
        const excess = Math.abs((await readers.countPages(folder, { signal })) - pages);
        if (excess < nearest.excess)
          best = {
            ...byEngine(excess === 0 ? 'same-pages' : 'does-not-fit'),
            conversion: spent,
            folder,
            isAnchored: false,
          };
      }
      return { ...best, conversion: { ...best.conversion, ...costsOf(spent) }, layouts: judgements };
    });
  } catch (error) {
    // After an abort, the caller notices that itself.
    return { ...best, failure: codeOf(error) };
  }
}

/** Fills in what depends on its pages. @returns whether it could be done; otherwise stored results are shown. */
async function fill(
  folder: string,
  path: string,
  target: string,
  { readers, totalPages: total }: LayOutOptions,
  signal: AbortSignal,
): Promise<boolean> {
  try {
    await readers.fillPages({ folder, path, target, total }, { signal });
    return true;
  } catch {
    await rm(target, { force: true });
    return false;
  }
}

/** Whether a plan has more breaks or flat lines than another, or higher bodies. */
function hasMore(plan: PagePlan, than: PagePlan): boolean {
  const isHigher = plan.growth.some((each, i) => each > (than.growth[i] ?? 0));
  return isHigher || plan.breaks.length > than.breaks.length || plan.flat.length > than.flat.length;
}

function isEmpty({ breaks, growth, flat }: PagePlan): boolean {
  return breaks.length === 0 && flat.length === 0 && growth.every((each) => each === 0);
}

function isSame(one: PagePlan, other: PagePlan): boolean {
  return String([one.breaks, one.growth, one.flat]) === String([other.breaks, other.growth, other.flat]);
}

/** A name for an error. Never its message, which may contain document text. */
function codeOf(error: unknown): string {
  if (error instanceof PlatenError) return [error.code, error.reason].filter(Boolean).join(' ');
  if (error instanceof Error) return 'code' in error ? String(error.code) : error.name;
  return typeof error;
}

async function layOutAgain(
  job: ConversionJob,
  folder: string,
  plan: PagePlan | undefined,
  { engine, readers }: LayOutOptions,
  signal: AbortSignal,
): Promise<Conversion> {
  await mkdir(folder, { mode: 0o700 });
  const [path, target] = [job.folder, folder].map((each) => join(each, INPUT_NAME)) as [string, string];
  const { libreOffice } = engine.status();
  await readers.paginate({ path, target, plan, libreOffice }, { signal });
  const again = { ...job, id: `${job.id}-${basename(folder)}`, folder };
  return engine.convert(withDestinations(again, plan !== undefined), signal);
}

function withDestinations(job: ConversionJob, destinations: boolean): ConversionJob {
  return { ...job, export: { ...job.export, destinations } };
}

function costsOf({ attempts, cpuMs, peakBytes, isolation }: Conversion) {
  return { attempts, cpuMs, peakBytes, isolation };
}

/** Of several conversions: `account` if a process of any could convert other documents, too. */
export function leastIsolated(conversions: readonly Pick<Conversion, 'isolation'>[]): Isolation {
  return conversions.some(({ isolation }) => isolation === 'account') ? 'account' : 'document';
}

/** Costs of both layouts together. */
function together(first: Conversion, second: Conversion): Conversion {
  const { attempts, cpuMs, peakBytes } = first;
  return {
    ...second,
    attempts: attempts + second.attempts,
    cpuMs: (cpuMs ?? 0) + (second.cpuMs ?? 0),
    peakBytes: Math.max(peakBytes ?? 0, second.peakBytes ?? 0),
    isolation: leastIsolated([first, second]),
  };
}
