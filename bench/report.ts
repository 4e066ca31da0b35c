/** The results as Markdown, for a terminal and for docs/performance.md. */
import type { AccountingResult } from './accounting.ts';
import type { CpuResult } from './cpu.ts';
import { COMPETITORS_AT, type Levels } from './levels.ts';
import type { DocumentResult } from './measure.ts';
import type { MemoryResult } from './memory.ts';
import type { OutputCost } from './outputs.ts';
import type { Panel } from './plot.ts';
import type { Use } from './processes.ts';
import type { RecoveryResult } from './recovery.ts';
import type { SandboxCost } from './sandbox-cost.ts';
import { round, type Summary } from './statistics.ts';
import type { VerdictCost } from './verdict-cost.ts';

export interface Results {
  readonly machine: { readonly cores: number; readonly model: string; readonly node: string };
  readonly libreOffice: string;
  readonly rounds: number;
  readonly levels: Levels;
  readonly documents: readonly DocumentResult[];
  readonly cpu: CpuResult;
  readonly accounting: AccountingResult;
  readonly verdicts: readonly VerdictCost[];
  readonly outputs: readonly OutputCost[];
  readonly sandbox: SandboxCost;
  readonly memory: MemoryResult;
  readonly start: Summary;
  readonly recovery: RecoveryResult;
}

/** A table cell of a document. */
type Cell = (document: DocumentResult) => string;

/** Tables, the plot, and lines on memory, start and recovery. Times are medians with the 95th percentile in brackets. */
export function report(results: Results): string {
  const { machine, libreOffice, rounds } = results;
  return [
    `LibreOffice ${libreOffice}, Node ${machine.node}, ${machine.cores} cores (${machine.model}), ${rounds} rounds.`,
    'Times are medians, 95th percentile in brackets.',
    speed(results),
    throughput(results),
    crowd(results),
    cpu(results),
    around(results),
  ].join('\n\n');
}

/** The diagrams of the first document: its throughput and its times. */
export function panels({ documents, levels }: Results): Panel[] {
  const [document] = documents;
  if (!document) return [];
  const line = (label: string, y: (level: DocumentResult['levels'][number]) => number) => ({
    label,
    points: document.levels.map((level) => [level.level, y(level)] as const),
  });
  return [
    {
      title: `${document.name}: documents a second`,
      lines: [line('Platen', ({ perSecond }) => perSecond)],
      limit: {
        label: `${levels.full} × a loop without a fork`,
        y: levels.full * document.perSecond.loop,
      },
    },
    {
      title: `${document.name}: milliseconds`,
      lines: [line('median', ({ times }) => times.median), line('95th percentile', ({ times }) => times.p95)],
    },
  ];
}

function speed({ documents }: Results): string {
  return byDocument('', documents, [
    ['Platen over HTTP, ms', ({ service }) => time(service)],
    ['of that in the service outside the kit, ms', ({ outsideKit }) => time(outsideKit)],
    ['the same at the 99th percentile, ms', ({ outsideKit }) => outsideKit.p99.toFixed(1)],
    [
      'upload, preflight and delivery of that, ms',
      ({ outsidePhases: { upload, preflight, delivery } }) =>
        [upload, preflight, delivery].map((ms) => ms.toFixed(1)).join(', '),
    ],
    ['libreoffice-convert, ms', ({ libreofficeConvert }) => time(libreofficeConvert)],
    ['warm soffice driven as by unoserver, ms', ({ unoserver }) => time(unoserver)],
    ['warm soffice driven with the fewest UNO calls, ms', ({ soffice }) => time(soffice)],
    ['LibreOfficeKit loop, no fork (the limit), ms', ({ loop }) => time(loop)],
    ['times faster than libreoffice-convert', (d) => ratio(d.libreofficeConvert.median, d.service.median)],
    ['times the limit', (d) => ratio(d.service.median, d.loop.median)],
  ]);
}

function throughput({ documents, levels }: Results): string {
  const rows = levels.small.map((level): [string, Cell] => [
    level === 1 ? 'sequential' : `${level} at a time`,
    (document) => shown(rateAt(document, level)),
  ]);
  const { full } = levels;
  const best = ({ perSecond }: DocumentResult) => Math.max(perSecond.oneUnoserver, perSecond.unoservers);
  return byDocument('documents a second', documents, [
    ...rows,
    [`libreoffice-convert, ${COMPETITORS_AT} at a time`, (d) => shown(d.perSecond.libreofficeConvert)],
    [`one soffice as by unoserver, ${COMPETITORS_AT} at a time`, (d) => shown(d.perSecond.oneUnoserver)],
    [`${full} soffices as by unoserver, ${COMPETITORS_AT} at a time`, (d) => shown(d.perSecond.unoservers)],
    [
      `${full} soffices with the fewest calls, ${COMPETITORS_AT} at a time`,
      (d) => shown(d.perSecond.soffices),
    ],
    ['one loop, no fork', (d) => shown(d.perSecond.loop)],
    [`${full} loops together`, (d) => shown(d.perSecond.loopsTogether)],
    [
      `Platen, ${full} at a time, of ${full} × one loop`,
      (d) => percent(rateAt(d, full), full * d.perSecond.loop),
    ],
    [`the same, of ${full} loops together`, (d) => percent(rateAt(d, full), d.perSecond.loopsTogether)],
    [
      `Platen, ${COMPETITORS_AT} at a time, times libreoffice-convert`,
      (d) => ratio(rateAt(d, COMPETITORS_AT), d.perSecond.libreofficeConvert),
    ],
    ['the same, times the better as by unoserver', (d) => ratio(rateAt(d, COMPETITORS_AT), best(d))],
    ['the same, times the fewest calls', (d) => ratio(rateAt(d, COMPETITORS_AT), d.perSecond.soffices)],
  ]);
}

function crowd({ documents, levels: { full, crowded } }: Results): string {
  const at = (document: DocumentResult, level: number) =>
    document.levels.find((each) => each.level === level)?.times;
  return byDocument(`${crowded} at a time`, documents, [
    [`documents a second, of those ${full} at a time`, (d) => percent(rateAt(d, crowded), rateAt(d, full))],
    ['time of one, ms', (d) => shown(at(d, crowded), time)],
    ['99th percentile, ms', (d) => shown(at(d, crowded)?.p99)],
    ['median that the queue alone explains, ms', ({ queueAlone }) => shown(queueAlone.median)],
    ['99th percentile that the queue alone explains, ms', ({ queueAlone }) => shown(queueAlone.p99)],
  ]);
}

function cpu({
  cpu: { server, readers, redis, kit, children, client, allMs, busy, count },
  levels,
}: Results): string {
  const row = (name: string, { userMs, systemMs, pageFaults }: Use) => [
    name,
    ...[userMs, systemMs, round(userMs + systemMs), pageFaults].map(String),
  ];
  return [
    `CPU time of a one-page document by process, ${levels.full} at a time, mean of ${count}:`,
    table(
      ['', 'user, ms', 'system, ms', 'together, ms', 'page faults'],
      [
        row('children of the kit', children),
        row('kit: forks', kit),
        row('server', server),
        row('readers', readers),
        row('Redis', redis),
        row("the benchmark's client", client),
      ],
    ),
    `All of them ${allMs} ms; they kept the cores busy for ${busy} % of the time.`,
  ].join('\n\n');
}

function around({ accounting, verdicts, outputs, sandbox, memory, start, recovery }: Results): string {
  const { admission, settlement, together } = accounting;
  const precise = ({ median, p95 }: Summary) => `${median} (${p95})`;
  const withMost = ({ median, most }: Summary) => `${Math.round(median)} (${Math.round(most)} at most)`;
  const { childPrivateMiB: child } = memory;
  const adds = child ? `${child.median} MiB of its own (${child.most} at most)` : 'what only root can see';
  return [
    `Accounting of a conversion, ms: admission ${precise(admission)}, settlement ${precise(settlement)}, together ` +
      `${precise(together)}.`,
    'The verdict of PDF/A-2b and PDF/UA-1, ms of CPU time: ' +
      `${verdicts.map(({ pages, ms }) => `${precise(ms)} for ${pages} page${pages === 1 ? '' : 's'}`).join(', ')}.`,
    `At the client, ms: ${outputs.map(({ name, ms, than, thanMs }) => `${name} ${ms} (${than} ${thanMs})`).join(', ')}.`,
    `The sandbox of a one-page document: ${precise(sandbox.sandboxed)} with it, ${precise(sandbox.open)} without, ms; the median ` +
      `difference is ${sandbox.cost}.`,
    `Resident memory: server ${memory.serverMiB} MiB, kit ${memory.kitMiB} MiB. Shared pages counted once: kit and its ` +
      `idle children ${memory.kitSharedOnceMiB} MiB, server, readers and kit together ${memory.togetherSharedOnceMiB} MiB. A ` +
      `child with a one-page document adds ${adds}.`,
    `From \`npm run serve\` to ready: ${withMost(start)} ms. From the death of the kit to the PDF of a document that is ` +
      `sent then: ${withMost(recovery.idle)} ms when it was idle, ${withMost(recovery.busy)} ms when all cores were busy ` +
      `(documents that failed: ${recovery.failures}).`,
    '![Throughput and time of a document against documents at a time](images/throughput.svg)',
  ].join('\n\n');
}

function byDocument(
  title: string,
  documents: readonly DocumentResult[],
  rows: readonly (readonly [name: string, cell: Cell])[],
): string {
  return table(
    [title, ...documents.map(({ name }) => name)],
    rows.map(([name, cell]) => [name, ...documents.map(cell)]),
  );
}

function rateAt(document: DocumentResult, level: number): number | undefined {
  return document.levels.find((each) => each.level === level)?.perSecond;
}

function time({ median, p95 }: Summary): string {
  return `${median.toFixed(1)} (${p95.toFixed(1)})`;
}

/** A heavy document is not measured at every level. */
function shown<T>(value: T | undefined, format: (value: T) => string = (each) => `${each}`): string {
  return value === undefined ? '–' : format(value);
}

function ratio(value: number | undefined, of: number): string {
  return shown(value, (each) => `${round(each / of)} ×`);
}

function percent(value: number | undefined, of: number | undefined): string {
  return shown(value, (each) => (of === undefined ? '–' : `${Math.round((100 * each) / of)} %`));
}

/** Markdown. */
function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}
