/** The results of the fidelity benchmark for a terminal: tables, and causes of poor documents. */
import { causesOf, isPoor } from './causes.ts';
import {
  type DocumentResult,
  type FidelityResults,
  missingGlyphCount,
  type Overall,
  percent,
} from './results.ts';

export function textReport(results: FidelityResults): string {
  const { libreOffice, overall, halves, documents, leftOut, failures } = results;
  const width = Math.max('believe (00)'.length, ...documents.map(({ name }) => name.length));
  const row = (name: string, ...cells: string[]) =>
    [name.padEnd(width), ...cells.map((cell) => cell.padStart(8))].join('  ');
  const figures = (name: string, of: Overall) =>
    row(
      `${name} (${of.documents})`,
      percent(of.pages),
      percent(of.flow),
      percent(of.place),
      percent(of.similarity),
      percent(of.letters),
      String(of.missingGlyphs),
    );
  return [
    `LibreOffice ${libreOffice}, against Word's PDF:`,
    '',
    row('document', 'pages', 'flow', 'place', 'likeness', 'letters', 'no glyph'),
    ...documents.map((document) =>
      row(
        document.name,
        pages(document),
        percent(document.flow),
        percent(document.place),
        percent(document.similarity),
        percent(document.letters),
        String(missingGlyphCount(document)),
      ),
    ),
    figures('overall', overall),
    ...(['tune', 'believe'] as const)
      .filter((half) => halves[half].documents > 0)
      .map((half) => figures(half, halves[half])),
    ...documents.flatMap(causes),
    ...leftOut.map(({ name, reason }) => `\nleft out: ${name}: ${reason}`),
    ...failures.map(({ name, error }) => `\nfailed: ${name}: ${error}`),
  ].join('\n');
}

function causes(document: DocumentResult): string[] {
  const lines = [
    ...(isPoor(document) ? causesOf(document) : []),
    ...document.missingGlyphs.map(
      ({ font, count, characters }) => ['no glyph', `${count} in ${font}, such as ${characters}`] as const,
    ),
  ];
  if (lines.length === 0) return [];
  return ['', `${document.name}:`, ...lines.map(([about, text]) => `  ${about.padEnd(11)}  ${text}`)];
}

function pages({ pages: { word, ours, same } }: DocumentResult): string {
  return same ? String(ours) : `${ours} of ${word}`;
}
