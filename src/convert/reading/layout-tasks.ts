/** Comparing the engine's layout with Word's pages, and writing a document with Word's page breaks. */
import { deserialize, serialize } from 'node:v8';
import { Allowance } from '../package/limits.ts';
import { fillPages } from '../pagination/page-fields.ts';
import {
  type Judgement,
  judgeLayouts,
  type MeasuredLayout,
  measureLayout,
} from '../pagination/page-judge.ts';
import { PageLayout } from '../pagination/page-layout.ts';
import { type PagePlan, planPages } from '../pagination/page-plan.ts';
import { hasMarks } from '../pagination/page-starts.ts';
import { paginate } from '../pagination/paginate.ts';
import type { NotedPages, WordPages } from '../pagination/word-pages.ts';
import { readDestinations } from '../pdf/destinations.ts';
import { PdfObjects } from '../pdf/objects/pdf-objects.ts';
import { withOutput } from '../pdf/output-file.ts';
import { pageLineReader, readPageBottoms } from '../pdf/page-bottoms.ts';
import { MAX_PAGES, readPages } from '../pdf/pages.ts';
import type { Setup } from './setup.ts';

/** A layout, and the pages that the document has in Word. */
export interface LayoutToSee {
  /** Folder of its PDF. */
  readonly folder: string;
  readonly wordPages: Pick<NotedPages, 'clone'>;
  /** By which it was laid out; undefined for the engine's own layout. */
  readonly plan: PagePlan | undefined;
  /** What the document's layouts before it are judged by, as {@link Seen.measured}. */
  readonly earlier: readonly Buffer[];
}

/** A layout compared with Word's pages. */
export interface Seen {
  /** What it is judged by, as a structured clone in bytes: only such a task reads it. */
  readonly measured: Buffer;
  /** Of the earlier layouts and this one, which may change what is known of Word's pages. */
  readonly judgements: readonly Judgement[];
  /** How to come nearer to Word's pages. */
  readonly next: PagePlan;
}

/** A document to write again, with Word's page breaks. */
export interface Repagination {
  readonly path: string;
  readonly target: string;
  /** Undefined: the document loses its anchors, and gets no breaks. */
  readonly plan: PagePlan | undefined;
  /** The version of LibreOffice that the document is for; undefined if unknown. */
  readonly libreOffice: string | undefined;
}

/** @throws Error if the PDF is missing or has an unexpected form. */
export async function seeLayout({
  folder,
  wordPages: { clone },
  plan,
  earlier,
}: LayoutToSee): Promise<{ readonly result: Seen }> {
  const wordPages = deserialize(clone) as WordPages;
  const { starts } = wordPages;
  return withOutput(folder, (reader) => {
    const pdf = new PdfObjects(reader);
    const pages = readPages(pdf, MAX_PAGES);
    const floor = starts.sections.reduce(
      (least, { bottom }) => Math.min(least, bottom),
      Number.POSITIVE_INFINITY,
    );
    const bottoms = readPageBottoms(pdf, pages, floor - 1);
    const layout = new PageLayout(starts, readDestinations(pdf, pages), bottoms, plan);
    const { kept, of } = layout.keptMarks();
    const keptShare = of === 0 ? Number(!hasMarks(starts)) : kept / of;
    const measured = measureLayout(layout, keptShare);
    const layouts = [...earlier.map((each) => deserialize(each) as MeasuredLayout), measured];
    const judgements = judgeLayouts(layouts, wordPages.pages);
    return { result: { measured: serialize(measured), judgements, next: planPages(wordPages, layout) } };
  });
}

/** A document to fill in, as its pages are known. */
export interface Filling {
  /** Folder of the PDF that says where its pages are. */
  readonly folder: string;
  readonly path: string;
  readonly target: string;
  /** Pages of all documents, if it is one of several whose pages are counted together. */
  readonly total?: number | undefined;
}

/** @throws PlatenError as {@link paginateDocument}; Error if the PDF is missing or has an unexpected form. */
export async function fillDocument(
  { folder, ...paths }: Filling,
  { accepted, readingMs }: Setup,
): Promise<{ readonly result: undefined }> {
  return withOutput(folder, async (reader) => {
    const pdf = new PdfObjects(reader);
    const pages = readPages(pdf, MAX_PAGES);
    const destinations = readDestinations(pdf, pages);
    const read = pageLineReader(pdf);
    const linesOf = (index: number) => {
      const page = pages[index];
      return page ? read(page) : [];
    };
    const filling = { ...paths, destinations, pages: pages.length, linesOf };
    await fillPages(filling, accepted, new Allowance(readingMs));
    return { result: undefined };
  });
}

/** @throws PlatenError `CORRUPTED_FILE` if it exceeds a limit now; `SERVICE_UNAVAILABLE` if there is no room. */
export async function paginateDocument(
  { path, target, plan, libreOffice }: Repagination,
  { accepted, readingMs }: Setup,
): Promise<{ readonly result: undefined }> {
  await paginate(path, target, plan, { accepted, libreOffice }, new Allowance(readingMs));
  return { result: undefined };
}
