/** All that is read of a document, and of a PDF, between an upload and its answer. The only place that says how. */
import { closeSync, openSync, writeFileSync } from 'node:fs';
import { timeOf } from '../../../src/convert/document/core-properties.ts';
import { readMetadata } from '../../../src/convert/document/metadata.ts';
import { hasAlignedSections } from '../../../src/convert/document/sections.ts';
import { installedFonts } from '../../../src/convert/fonts/installed-fonts.ts';
import { Allowance } from '../../../src/convert/package/limits.ts';
import { anchorName } from '../../../src/convert/pagination/page-anchors.ts';
import { fillPages } from '../../../src/convert/pagination/page-fields.ts';
import { judgeLayouts, measureLayout, nearestOf } from '../../../src/convert/pagination/page-judge.ts';
import { PageLayout } from '../../../src/convert/pagination/page-layout.ts';
import { planPages } from '../../../src/convert/pagination/page-plan.ts';
import type { PageStart, PageStarts } from '../../../src/convert/pagination/page-starts.ts';
import { paginate } from '../../../src/convert/pagination/paginate.ts';
import { completedPdfa } from '../../../src/convert/pdf/archive.ts';
import { withCellLines } from '../../../src/convert/pdf/cell-lines.ts';
import { verdictsOf } from '../../../src/convert/pdf/conformance/verdict.ts';
import { type Destination, readDestinations } from '../../../src/convert/pdf/destinations.ts';
import { withKeywords } from '../../../src/convert/pdf/metadata.ts';
import { readPageBottoms } from '../../../src/convert/pdf/page-bottoms.ts';
import { readPages } from '../../../src/convert/pdf/pages.ts';
import { sketchText } from '../../../src/convert/pdf/text.ts';
import { verifyPdf } from '../../../src/convert/pdf/verify.ts';
import { inspect } from '../../../src/convert/preflight/inspection.ts';
import { fontUse } from '../../../src/convert/report/font-use.ts';
import { missingGlyphs } from '../../../src/convert/report/missing-glyphs.ts';
import { eastAsianSettings } from '../../../src/convert/rules/east-asian-settings.ts';
import { PlatenError } from '../../../src/errors.ts';
import type { GrowingDocument } from '../../support/growing-documents/growing-document.ts';

/** Longer than any reading. */
const LONG_MS = 3_600_000;
const LIBREOFFICE = '25.2.3';
const FILLED_PAGES = 200;
const fonts: ReadonlySet<string> = new Set(['arial', 'courier new', 'calibri']);
const standIns = new Map([['calibri', [{ name: 'Carlito', metricsCompatible: true }]]]);
const { characters } = installedFonts('TrueType 20-fff\tArial');

export interface Reading {
  /** Names of the rules that rewrote the document. */
  readonly rewrites: readonly string[];
  /** Why it was refused; undefined if it was not. */
  readonly refusal: string | undefined;
}

/** Reads a document as the preflight does, then its metadata; writes it again if it says where its pages begin. */
export async function readDocument(
  folder: string,
  document: Buffer,
  shown: GrowingDocument['shown'] = {},
): Promise<Reading> {
  const path = `${folder}/document`;
  const view = `${folder}/view`;
  writeFileSync(path, document);
  try {
    const { kept, wordPages, fields } = await inspect(path, view, new Allowance(LONG_MS), ['docx'], {
      fonts,
      libreOffice: LIBREOFFICE,
      properties: { title: 'Title' },
      shown,
    });
    eastAsianSettings(kept);
    timeOf(kept);
    const metadata = readMetadata(kept, fonts);
    missingGlyphs(metadata.characters, characters);
    const ofPdf = [metadata.fonts, ['Arial', 'Carlito-Bold'], standIns, metadata.lastResorts] as const;
    fontUse(...ofPdf);
    fontUse(...ofPdf, { installed: fonts, embedsFonts: false });
    if (fields.hasPageFields || hasAlignedSections(kept.text(kept.mainPart))) await fill(view);
    if (typeof wordPages !== 'string') await writeAgain(view, wordPages.starts);
    return { rewrites: kept.rewrites, refusal: undefined };
  } catch (error) {
    return { rewrites: [], refusal: refusalOf(error) };
  }
}

/** With what depends on its pages: some paragraphs are on two pages. */
async function fill(path: string): Promise<void> {
  const destinations = new Map<string, Destination>();
  for (let i = 0; i < 3 * FILLED_PAGES; i += 1) {
    const page = Math.floor(i / 3);
    destinations.set(`platen-par-${i}`, { page, y: 100 });
    for (let j = 1; j < 4; j += 1) destinations.set(`platen-par-${i}-${j}`, { page: page + j, y: 100 });
    destinations.set(`platen-par-${i}-end`, { page: page + (i % 9 === 0 ? 3 : i % 2), y: 100 });
  }
  const linesOf = () => [
    { y: 90, isArtifact: false },
    { y: 40, isArtifact: true },
  ];
  const filling = { path, target: `${path}-3`, destinations, pages: FILLED_PAGES, linesOf };
  await fillPages(filling, ['docx'], new Allowance(LONG_MS));
}

/** With a break at each page start, as far as one can be written, and without the height of empty paragraphs. */
async function writeAgain(path: string, starts: PageStarts): Promise<void> {
  const indices = (isMeant: (start: PageStart) => boolean) =>
    starts.starts.flatMap((start, index) => (isMeant(start) ? [index] : []));
  const plan = {
    breaks: indices(({ kind, isBreakable }) => kind === 'mark' && isBreakable),
    flat: indices(({ isBlank }) => isBlank),
    growth: starts.sections.map(() => 10),
    pages: 1,
  };
  const bottoms = starts.starts.map(() => 100);
  // Two places on a page; pages that are empty; stretches of several pages.
  for (const [step, isFilled] of [
    [0.5, true],
    [3, false],
    [3, true],
  ] as const) {
    const destinations = new Map<string, Destination>();
    let ended = { page: 0, y: 100 };
    for (const [index, { kind }] of starts.starts.entries()) {
      const page = Math.floor(index * step);
      const end = isFilled ? { page: Math.max(0, page - 1), y: 100 } : ended;
      destinations.set(anchorName(index, 'begin'), { page, y: 700 - 300 * (index % 2) });
      destinations.set(anchorName(index, 'previous-end'), end);
      if (kind !== 'empty') ended = { page, y: 100 };
    }
    for (const planned of [undefined, plan]) {
      const layout = new PageLayout(starts, destinations, bottoms, planned);
      const { kept } = layout.keptMarks();
      const measured = measureLayout(layout, kept);
      for (const pages of [undefined, starts.starts.length]) {
        planPages({ starts, pages }, layout);
        nearestOf(judgeLayouts([measured, measured], pages));
      }
    }
  }
  const options = { accepted: ['docx'], libreOffice: LIBREOFFICE } as const;
  for (const each of [plan, undefined]) {
    await paginate(path, `${path}-2`, each, options, new Allowance(LONG_MS));
  }
}

/** Reads a PDF as it comes from the engine. */
export async function readPdf(folder: string, pdf: Buffer): Promise<Reading> {
  const path = `${folder}/pdf`;
  writeFileSync(path, pdf);
  const fd = openSync(path, 'r');
  try {
    const { objects, fonts = [], reader } = verifyPdf(fd, '2b');
    verdictsOf(reader, { pdfa: '1b', pdfua: true });
    sketchText(objects, fonts);
    const names = fonts.map(({ name }) => name);
    fontUse(names, names, new Map(), new Map());
    try {
      completedPdfa(objects, '1b');
    } catch {
      // It may have another form.
    }
    withKeywords(objects, 'keywords');
    const line = { colour: '000000', width: 1 };
    withCellLines(objects, [{ mark: 'FEFFFF', fill: '000000', falling: line, rising: line, count: 1 }]);
    const pages = readPages(objects, 20_000);
    const bottoms = readPageBottoms(objects, pages, 0);
    const destinations = readDestinations(objects, pages);
    const start = { kind: 'mark', section: 0, sectionAbove: 0 } as const;
    const starts = Array.from(destinations, () => ({
      ...start,
      isBreakable: true,
      isBlank: false,
      clearsDrawing: false,
    }));
    const section = { beginsPage: true, pageHeight: 792, top: 72, bottom: 72, hasMargins: true };
    const sections = [{ ...section, footer: 36, columns: 1, gridStep: 0 }];
    const named = { starts: starts.slice(0, 5_000), sections };
    planPages({ starts: named, pages: pages.length }, new PageLayout(named, destinations, bottoms));
    return { rewrites: [], refusal: undefined };
  } catch (error) {
    return { rewrites: [], refusal: refusalOf(error) };
  } finally {
    closeSync(fd);
  }
}

/** The reason of a refusal. An overflow of the stack, or another mistake, is none. */
function refusalOf(error: unknown): string {
  if (error instanceof PlatenError) return String(error.reason ?? error.message);
  if (error instanceof Error && error.constructor === Error) return error.message;
  throw error;
}
