/** The results as Markdown, for a terminal and for the README. */
import type { AccountingResult } from './accounting.ts';
import type { CageResult } from './cage.ts';
import type { DocumentResult } from './measure.ts';

export interface Results {
  readonly machine: { readonly cores: number; readonly model: string; readonly node: string };
  readonly libreOffice: string;
  readonly rounds: number;
  readonly documents: readonly DocumentResult[];
  readonly accounting: AccountingResult;
  readonly cage: CageResult;
  /** MiB. */
  readonly memory: { readonly serverMiB: number; readonly kitMiB: number; readonly kitSharedOnceMiB: number };
}

/** Two tables and a line on memory. Times are medians with the 95th percentile in brackets. */
export function report({
  machine,
  libreOffice,
  rounds,
  documents,
  accounting,
  cage,
  memory,
}: Results): string {
  const time = ({ median, p95 }: { median: number; p95: number }) =>
    `${median.toFixed(1)} (${p95.toFixed(1)})`;
  const speed = table(
    ['', ...documents.map(({ name }) => name)],
    [
      ['Platen over HTTP, ms', ...documents.map(({ service }) => time(service))],
      ['of that in the service outside the kit, ms', ...documents.map(({ outsideKit }) => time(outsideKit))],
      ['libreoffice-convert, ms', ...documents.map(({ libreofficeConvert }) => time(libreofficeConvert))],
      ['LibreOfficeKit loop, no fork (the limit), ms', ...documents.map(({ loop }) => time(loop))],
      [
        'times faster than libreoffice-convert',
        ...documents.map(({ ratios }) => `${ratios.timesFasterThanLibreofficeConvert}`),
      ],
      ['times the limit', ...documents.map(({ ratios }) => `${ratios.timesTheLoop}`)],
    ],
  );
  const concurrencies = Object.keys(documents[0]?.documentsPerSecond ?? {});
  const throughput = table(
    ['documents a second', ...documents.map(({ name }) => name)],
    [
      ...concurrencies.map((n) => [
        n === '1' ? 'sequential' : `${n} at a time`,
        ...documents.map(({ documentsPerSecond }) => `${documentsPerSecond[n]}`),
      ]),
      [
        '2 at a time against sequential',
        ...documents.map(({ ratios }) => `${ratios.throughputAt2OverSequential} ×`),
      ],
    ],
  );
  const { admission, settlement, together } = accounting;
  const precise = ({ median, p95 }: { median: number; p95: number }) => `${median} (${p95})`;
  const { serverMiB, kitMiB, kitSharedOnceMiB } = memory;
  return [
    `LibreOffice ${libreOffice}, Node ${machine.node}, ${machine.cores} cores (${machine.model}), ${rounds} rounds.`,
    'Medians, 95th percentile in brackets.',
    '',
    speed,
    '',
    throughput,
    '',
    `Accounting of a conversion, ms: admission ${precise(admission)}, settlement ${precise(settlement)}, together ` +
      `${precise(together)}.`,
    '',
    `The cage of a one-page document: ${precise(cage.caged)} with it, ${precise(cage.open)} without, ms; the median ` +
      `difference is ${cage.cost}.`,
    '',
    `Resident memory: server ${serverMiB} MiB, kit ${kitMiB} MiB; kit and its idle children together, shared ` +
      `pages counted once, ${kitSharedOnceMiB} MiB.`,
  ].join('\n');
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}
