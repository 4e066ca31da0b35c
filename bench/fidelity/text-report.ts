/** The results of the fidelity benchmark as a table to read in a terminal. */
import { type DocumentResult, type FidelityResults, missingGlyphCount } from './results.ts';

export function textReport({ libreOffice, overall, documents, failures }: FidelityResults): string {
  const width = Math.max(8, ...documents.map(({ name }) => name.length));
  const row = (name: string, ...cells: string[]) =>
    [name.padEnd(width), ...cells.map((cell) => cell.padStart(8))].join('  ');
  return [
    `LibreOffice ${libreOffice}, against Word's PDF:`,
    '',
    row('document', 'pages', 'flow', 'place', 'likeness', 'no glyph'),
    ...documents.map((document) =>
      row(
        document.name,
        pages(document),
        percent(document.flow),
        percent(document.place),
        percent(document.similarity),
        String(missingGlyphCount(document)),
      ),
    ),
    row(
      'overall',
      percent(overall.pages),
      percent(overall.flow),
      percent(overall.place),
      percent(overall.similarity),
      String(overall.missingGlyphs),
    ),
    ...documents.flatMap(fonts),
    ...failures.map(({ name, error }) => `\nfailed: ${name}: ${error}`),
  ].join('\n');
}

function fonts({ name, fonts: { wanted, word, ours }, missingGlyphs }: DocumentResult): string[] {
  const names = (list: readonly { name: string }[]) => list.map((font) => font.name).join(', ') || 'none';
  return [
    '',
    `${name}:`,
    `  the DOCX wants  ${names(wanted)}`,
    `  Word's PDF has  ${names(word)}`,
    `  ours has        ${names(ours)}`,
    ...missingGlyphs.map(
      ({ font, count, characters }) => `  no glyph        ${count} in ${font}, such as ${characters}`,
    ),
  ];
}

function pages({ pages: { word, ours, same } }: DocumentResult): string {
  return same ? String(ours) : `${ours} of ${word}`;
}

export function percent(share: number): string {
  return `${(share * 100).toFixed(1)} %`;
}
