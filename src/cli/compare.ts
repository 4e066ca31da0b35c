/** platen compare */
import { resolve } from 'node:path';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { printable } from '../system/printable.ts';
import { columns, command, commandLog, interruption } from './command.ts';
import type { Comparison } from './compare/compare.ts';
import type { Finding, SideName, Summary } from './compare/finding.ts';
import type { Engine } from './local/local-engine.ts';
import { Progress } from './progress.ts';

/** Something differs, or could not be converted or compared. */
const DIFFERENT = 1;
/** The other engine has not converted the documents so far. */
const HALF_DONE = 3;

interface CompareOptions {
  readonly from: string;
  readonly to: string;
  readonly here?: SideName;
  readonly out?: string;
  readonly json?: boolean;
}

export function compareCommand(): Command {
  return command(
    'compare',
    'Convert documents with two engines, and show how the PDFs differ. Run it where the one engine is, then, with the same ' +
      'report folder, where the other one is.',
    'print a line of JSON for each document, and one with the summary',
  )
    .argument('<folder>', 'folder of the documents, with the folders in it')
    .requiredOption('--from <engine>', 'the one: its version of LibreOffice, such as 25.2', readName)
    .requiredOption('--to <engine>', 'the other', readName)
    .addOption(
      new Option(
        '--here <side>',
        'which of them this machine is, where the versions do not tell: then they may have any names',
      ).choices(['from', 'to']),
    )
    .option('--out <folder>', 'folder of the report, and of the PDFs; by default compare-FROM-TO')
    .addHelpText(
      'after',
      `\nExit code: 0, nothing differs, apart from documents that both engines fail at; ${DIFFERENT}, something does, or could ` +
        `not be compared; ${HALF_DONE}, the other engine is still to run.`,
    )
    .action(async (folder: string, options: CompareOptions, self: Command) => {
      if (options.from === options.to) self.error('error: --from and --to name the same engine');
      process.exitCode = await run(folder, options);
    });
}

/** @returns the exit code. @throws OperatorError */
async function run(folder: string, { from, to, here, out, json }: CompareOptions): Promise<number> {
  // Loaded here, as the converter would slow down the start of all other commands.
  const [{ compare }, { describeFinding }, { summarise }, { writeReport }, { localConfig }] =
    await Promise.all([
      import('./compare/compare.ts'),
      import('./compare/describe.ts'),
      import('./compare/finding.ts'),
      import('./compare/report.ts'),
      import('./local/local-config.ts'),
    ]);
  const names = { from, to };
  const reportFolder = resolve(out ?? `compare-${from}-${to}`);
  const progress = new Progress();
  const interrupted = interruption();
  const ending = new AbortController();
  interrupted.promise.catch((error: unknown) => ending.abort(error));
  try {
    const comparison = await compare({
      config: await localConfig(process.env),
      documents: resolve(folder),
      out: reportFolder,
      names,
      here,
      log: commandLog(),
      signal: ending.signal,
      onProgress: (done, of) => progress.show(done, of),
      onFinding: (finding) => {
        if (json) progress.print(JSON.stringify(finding));
        else if (isWorthALine(finding))
          progress.print(printable(`${finding.document}: ${describeFinding(finding, names)}`));
      },
    });
    progress.clear();
    const { findings, engines, here: mine } = comparison;
    const summary = summarise(findings);
    if (json) console.log(JSON.stringify({ summary, from: engines.from ?? null, to: engines.to ?? null }));
    if (!engines.from || !engines.to) {
      console.error(halfDone(comparison, names, mine));
      return findings.some(isLeftOut) ? DIFFERENT : HALF_DONE;
    }
    const page = await writeReport(reportFolder, {
      names,
      engines: { from: engines.from, to: engines.to },
      findings,
    });
    if (!json) {
      console.log(summaryLines(summary, names, { from: engines.from, to: engines.to }).join('\n'));
      console.log(`\nSee ${page}`);
    }
    // Where no document became a PDF, nothing was compared.
    return summary.rate === 0 && summary.notCompared === 0 ? 0 : DIFFERENT;
  } finally {
    progress.clear();
    interrupted.stop();
  }
}

/** It could not be read, or this machine failed. */
const isLeftOut = ({ result }: Finding): boolean => result === 'not-compared';

/** Documents that are well need no line. */
function isWorthALine(finding: Finding): boolean {
  return finding.result === 'half-done' ? Boolean(finding.from ?? finding.to) : finding.result !== 'same';
}

function halfDone({ findings }: Comparison, names: Record<SideName, string>, here: SideName): string {
  const failed = findings.filter((each) => each.result === 'half-done' && isWorthALine(each)).length;
  const leftOut = findings.filter(isLeftOut).length;
  const made = findings.length - failed - leftOut;
  const there = names[here === 'from' ? 'to' : 'from'];
  return (
    `${names[here]} made ${made} PDFs of ${findings.length} documents${failed === 0 ? '' : `; ${failed} failed`}` +
    `${leftOut === 0 ? '' : `; ${leftOut} could not be converted here`}. Now run the same command where the engine is ${there}, ` +
    'with the same documents and report folder.'
  );
}

function summaryLines(
  { documents, rate, ...counts }: Summary,
  names: Record<SideName, string>,
  engines: Record<SideName, Engine>,
): string[] {
  const engine = (side: SideName) => `${names[side]} (LibreOffice ${engines[side].libreOffice ?? 'unknown'})`;
  const rows = [
    ['same', counts.same],
    ['page count differs', counts.pages],
    ['text differs', counts.text],
    ['pictures differ', counts.pictures],
    ['failed in one', counts.failedInOne],
    ['failed in both', counts.failedInBoth],
    ['not compared', counts.notCompared],
  ] as const;
  return [
    `\n${engine('from')}, then ${engine('to')}: ${documents} documents`,
    '',
    ...columns(
      ['', 'DOCUMENTS'],
      rows.map(([name, count]) => [name, String(count).padStart('DOCUMENTS'.length)]),
    ),
    '',
    rate === null
      ? 'No document was converted.'
      : `${rate.toFixed(1)} % differ: ${counts.different} of ${counts.same + counts.different}.`,
  ];
}

function readName(text: string): string {
  if (/^[A-Za-z0-9][A-Za-z0-9._+-]{0,62}$/.test(text)) return text;
  throw new InvalidArgumentError('Use up to 63 letters, digits, ".", "_", "+" and "-".');
}
