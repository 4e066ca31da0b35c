/** The report of a comparison as a page: the documents that differ, page beside page. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { OperatorError } from '../../errors.ts';
import type { Engine } from '../local/local-engine.ts';
import { describeFinding, type Names } from './describe.ts';
import { type DifferentPage, type Finding, type SideName, summarise } from './finding.ts';
import { escapeHtml, figuresHtml, htmlPage, listHtml, pageHtml, tableHtml } from './html.ts';

/** Folders of the report: one of each side in it, and one of each document. */
export const PDFS = 'pdfs';
export const PAGES = 'pages';
/** A browser is slow with more. */
const MAX_SHOWN = 500;

type Different = Extract<Finding, { result: 'same' | 'different' }>;

interface ReportOptions {
  readonly names: Names;
  readonly engines: Readonly<Record<SideName, Engine>>;
  readonly findings: readonly Finding[];
}

/** @returns path of the report. @throws OperatorError if it cannot be written. */
export async function writeReport(folder: string, options: ReportOptions): Promise<string> {
  const path = join(folder, 'index.html');
  try {
    await writeFile(path, await htmlReport(options));
  } catch (cause) {
    throw new OperatorError(`${path} cannot be written: ${(cause as Error).message}`, { cause });
  }
  return path;
}

/** The page as HTML. It needs only the folders of the report beside it. */
export function htmlReport({ names, engines, findings }: ReportOptions): Promise<string> {
  const different = findings
    .flatMap((finding) => (finding.result === 'different' ? [finding] : []))
    .sort((one, other) => weightOf(other) - weightOf(one));
  const shown = different.slice(0, MAX_SHOWN);
  const listed = (results: readonly Finding['result'][]) =>
    findings
      .filter(({ result }) => results.includes(result))
      .slice(0, MAX_SHOWN)
      .map((finding) => [finding.document, describeFinding(finding, names)] as const);
  const left = different.length - shown.length;
  return htmlPage(
    `${names.from} and ${names.to}`,
    `<header>
<h1>${escapeHtml(names.from)} and ${escapeHtml(names.to)}</h1>
<div class="quiet">${describeEngine(names.from, engines.from)} · ${describeEngine(names.to, engines.to)}<br>
in the differences, <span class="only-one">only ${escapeHtml(names.from)}</span> and
<span class="only-other">only ${escapeHtml(names.to)}</span></div>
</header>
${figuresHtml(summaryFigures(findings))}
${listHtml('Failed', 'bad', listed(['failed']))}
${listHtml('Not compared', '', listed(['not-compared', 'waiting']))}
${shown.length === 0 ? '' : table(shown)}
${left === 0 ? '' : `<p>${left} more differ; the command printed them.</p>`}
${shown.map((finding) => section(finding, names)).join('\n')}`,
  );
}

/** The most changed documents first. */
function weightOf({ pages, text, pictures }: Different): number {
  const words = text ? text.onlyFrom + text.onlyTo + text.moved : 0;
  return Math.abs(pages.from - pages.to) * 1e9 + words * 1e3 + (pictures?.pages ?? 0);
}

function summaryFigures(findings: readonly Finding[]): [string, string][] {
  const { rate, ...counts } = summarise(findings);
  return [
    ['documents', String(counts.documents)],
    ['differ', rate === null ? '–' : `${rate.toFixed(1)} %`],
    ['page count differs', String(counts.pages)],
    ['text differs', String(counts.text)],
    ['pictures differ', String(counts.pictures)],
    ['failed in one', String(counts.failedInOne)],
    ['failed in both', String(counts.failedInBoth)],
  ];
}

function describeEngine(name: string, { libreOffice, fontSet, platen }: Engine): string {
  const fonts = fontSet === null ? '' : `, fonts ${fontSet.slice(0, 8)}`;
  return escapeHtml(`${name}: LibreOffice ${libreOffice ?? 'unknown'}, Platen ${platen}${fonts}`);
}

function table(findings: readonly Different[]): string {
  const rows = findings.map(({ document, sha256, pages, text, pictures }) => [
    `<a href="#${sha256}">${escapeHtml(document)}</a>`,
    pages.from === pages.to ? String(pages.from) : `<span class="bad">${pages.from} → ${pages.to}</span>`,
    text ? String(text.onlyFrom + text.onlyTo) : '0',
    text ? String(text.moved) : '0',
    pictures ? String(pictures.pages) : '0',
  ]);
  const heads = ['document', 'pages', 'other words', 'moved words', 'pages that look different'];
  return tableHtml(heads, rows);
}

function section(finding: Different, names: Names): string {
  const { document, sha256, text, pictures } = finding;
  const pdf = (side: SideName) =>
    `<a href="${PDFS}/${encodeURIComponent(names[side])}/${sha256}.pdf">PDF of ${escapeHtml(names[side])}</a>`;
  const words: [string, readonly string[]][] = text
    ? [
        [`Only in ${names.from}`, text.examples.onlyFrom],
        [`Only in ${names.to}`, text.examples.onlyTo],
      ]
    : [];
  const examples = words
    .filter(([, some]) => some.length > 0)
    .map(([term, some]) => `<dt>${escapeHtml(term)}</dt><dd>${escapeHtml(some.join(' · '))}</dd>`);
  const first = pictures?.first ?? [];
  const left = (pictures?.pages ?? 0) - first.length;
  return `<section id="${sha256}">
<h2>${escapeHtml(document)}</h2>
<div>${escapeHtml(describeFinding(finding, names))} · ${pdf('from')} · ${pdf('to')}</div>
<dl class="fonts">${examples.join('')}</dl>
${first.map((page) => pagePictures(page, sha256, names)).join('\n')}
${left === 0 ? '' : `<p class="quiet">${left} more pages look different.</p>`}
</section>`;
}

function pagePictures({ page, pixels, width, height }: DifferentPage, sha256: string, names: Names): string {
  const figure = (kind: string, caption: string) => ({
    caption,
    src: `${PAGES}/${sha256}/${page}-${kind}.png`,
  });
  const heading = `Page ${page} <span class="quiet">${pixels} pixels differ</span>`;
  const pictures = [figure('from', names.from), figure('to', names.to), figure('difference', 'Difference')];
  return pageHtml({ heading, page, width, height, pictures });
}
