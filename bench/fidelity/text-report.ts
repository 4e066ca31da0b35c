/** The results of the fidelity benchmark as a table to read in a terminal. */
import type { DocumentResult, FidelityResults } from './results.ts';

export function textReport({ libreOffice, overall, documents, failures }: FidelityResults): string {
  const width = Math.max(8, ...documents.map(({ name }) => name.length));
  const row = (name: string, ...cells: string[]) =>
    [name.padEnd(width), ...cells.map((cell) => cell.padStart(8))].join('  ');
  return [
    `LibreOffice ${libreOffice}, against Word's PDF:`,
    '',
    row('document', 'pages', 'flow', 'place'),
    ...documents.map((document) =>
      row(document.name, pages(document), percent(document.flow), percent(document.place)),
    ),
    row('overall', percent(overall.pages), percent(overall.flow), percent(overall.place)),
    ...failures.map(({ name, error }) => `\nfailed: ${name}: ${error}`),
  ].join('\n');
}

function pages({ pages: { word, ours, same } }: DocumentResult): string {
  return same ? String(ours) : `${ours} of ${word}`;
}

export function percent(share: number): string {
  return `${(share * 100).toFixed(1)} %`;
}
