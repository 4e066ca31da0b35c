/** platen convert */
import { setMaxListeners } from 'node:events';
import { fstatSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { relative } from 'node:path';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { MAX_WORKERS } from '../config.ts';
import { OperatorError, PlatenError } from '../errors.ts';
import type { DocumentType } from '../shared/document-types.ts';
import { type Format, formatOf } from '../shared/options/conversion-options.ts';
import { warningLevels } from '../shared/warning-levels.ts';
import { printable } from '../system/printable.ts';
import type { BatchResult, BatchSummary, CombinedResult, warningsByName } from './batch/batch.ts';
import type { BatchConverter } from './batch/converter.ts';
import { inFlags, optionFlags, readFlags } from './batch/option-flags.ts';
import { command, commandLog, interruption, ReaderGone } from './command.ts';
import { Progress } from './progress.ts';
import { WarningSummary } from './warning-summary.ts';

/** A document failed, or nothing could be done. */
const FAILED = 1;
const PIPE = '-';

interface ConvertOptions {
  readonly out?: string;
  readonly force?: boolean;
  readonly workers?: number;
  readonly watch?: string;
  readonly combine?: string;
  readonly pageNumbers?: string;
  readonly server?: string;
  readonly key?: string;
  readonly keyFile?: string;
  readonly json?: boolean;
}

export function convertCommand(): Command {
  const self = command(
    'convert',
    'Convert documents to PDF on this machine, with LibreOffice and without a service; or by a service, with --server.',
    'print a line of JSON for each document, and one with the summary, also on a terminal',
  )
    .argument(
      '[files...]',
      'documents, folders of them, patterns such as "letters/**/*.docx", or "-" for a document from a pipe',
    )
    .option(
      '--out <folder>',
      'folder of the PDFs, which keeps the folders of the documents. A PDF of an earlier run is replaced. By default, each PDF is ' +
        'beside its document. With "-": the file of the PDF; by default it goes to stdout',
    )
    .option('--force', 'replace PDFs that are beside their documents already, or the one of --combine')
    .option('--workers <number>', 'documents at a time; by default WORKERS, or 4 with --server', readWorkers)
    .option(
      '--watch <folder>',
      'instead of files: convert what is newer than its PDF, and then what comes or changes, until Ctrl-C',
    )
    .option(
      '--combine <file>',
      'make one PDF of all documents, in the order in which they are named, in this file; its name ends in .pdf',
    )
    .option('--server <url>', 'let the service at this address convert')
    .addOption(
      new Option('--key <key>', 'key of the service; others on this machine see it').env('PLATEN_API_KEY'),
    )
    .option('--key-file <file>', 'file with the key of the service')
    .optionsGroup('Options of each PDF, as in the API:')
    .addHelpText(
      'after',
      `\nExit code: 0, all documents have PDFs; ${FAILED}, those listed on stderr have none, or nothing could be done; 2, a wrong ` +
        'command line.\nLimits are those of the service: MAX_FILE_MB, CONVERT_TIMEOUT_MS and others in the environment.',
    )
    .action(async (files: string[], options: ConvertOptions, own: Command) => {
      const mistake = mistakeIn(files, options) ?? mistakeInService(options);
      if (mistake !== undefined) own.error(`error: ${mistake}`);
      process.exitCode = await run(files, options, own);
    });
  for (const option of optionFlags()) self.addOption(option);
  return self;
}

/** What is wrong with a command line, apart from the options of the API. */
function mistakeIn(
  files: readonly string[],
  { out, force, watch, combine, pageNumbers }: ConvertOptions,
): string | undefined {
  if (watch !== undefined && files.length > 0) return '--watch takes no other files';
  if (combine !== undefined) return mistakeInCombination(combine, files, out ?? watch);
  if (pageNumbers !== undefined) return '--page-numbers is for --combine';
  if (watch === undefined && files.length === 0) return 'name documents, folders, "-" or --watch';
  if (out === '') return '--out is empty';
  if (files.includes(PIPE)) {
    if (files.length > 1) return '"-" takes no other files';
    if (process.stdin.isTTY) return 'a document is no text from a keyboard: use "< FILE" or a pipe';
    if (out === undefined && process.stdout.isTTY)
      return 'a PDF or a picture is no text for a terminal: use --out or a pipe';
  } else if (watch !== undefined && out === undefined) return '--out is missing, the folder of the PDFs';
  if (force && (out !== undefined || files.includes(PIPE)))
    return '--force is for PDFs beside their documents';
  return undefined;
}

function mistakeInCombination(
  pdf: string,
  files: readonly string[],
  otherFolder: string | undefined,
): string | undefined {
  if (pdf === '') return '--combine is empty';
  if (!/\.pdf$/i.test(pdf))
    return printable(`the first name after --combine is the PDF's, and ${pdf} does not end in .pdf`);
  if (otherFolder !== undefined || files.includes(PIPE))
    return '--combine names the PDF, and takes files: leave out --out, --watch and "-"';
  if (files.length === 0)
    return printable(`name the documents of ${pdf} after it: files, folders of them, or patterns`);
  return undefined;
}

function mistakeInService({ server, key, keyFile }: ConvertOptions): string | undefined {
  if (server === undefined && keyFile !== undefined) return '--key-file is for --server';
  if (server !== undefined && key === undefined && keyFile === undefined) {
    return '--server needs a key: --key-file, PLATEN_API_KEY or --key';
  }
  return undefined;
}

/** @returns the exit code. @throws OperatorError */
async function run(files: readonly string[], options: ConvertOptions, self: Command): Promise<number> {
  const interrupted = interruption();
  const ending = new AbortController();
  // Each document listens to it.
  setMaxListeners(0, ending.signal);
  interrupted.promise.catch((error: unknown) => ending.abort(error));
  const progress = new Progress();
  let converter: BatchConverter | undefined;
  try {
    if (!files.includes(PIPE)) progress.greet();
    const service = await prepare(options, self, ending.signal);
    const work = await workOf(files, options, service, ending.signal);
    // LibreOffice takes seconds to start.
    progress.begin(work);
    converter = await service.open();
    return await convertAll(work, options, converter, progress);
  } catch (error) {
    progress.clear();
    // Other commands end well when nobody reads on; here documents would have no PDFs.
    if (error instanceof ReaderGone) return FAILED;
    if (error instanceof PlatenError && error.status < 500) self.error(`error: ${inFlags(error.message)}`);
    throw error;
  } finally {
    progress.clear();
    await converter?.close();
    interrupted.stop();
  }
}

/** What is going to convert. */
interface Prepared {
  readonly types: readonly DocumentType[];
  /** Documents at a time. */
  readonly workers: number;
  /** Files that it reads besides documents. */
  readonly others: readonly string[];
  /** Of the results. */
  readonly format: Format;
  open(): Promise<BatchConverter>;
}

/**
 * Finds out what converts, and whether it can do what is asked.
 *
 * @throws OperatorError
 * @throws PlatenError if the options of the API are wrong.
 */
async function prepare(
  { server, key, keyFile, workers }: ConvertOptions,
  self: Command,
  signal: AbortSignal,
): Promise<Prepared> {
  const raw = readFlags(self.opts());
  const others = [
    ...raw.attachments,
    ...Object.values(raw.secretFiles),
    ...(keyFile === undefined ? [] : [keyFile]),
  ];
  // Loaded here, as the converter would slow down the start of all other commands.
  const { readKey, readRequest } = await import('./batch/request.ts');
  if (server !== undefined) {
    const { findService, REQUESTS, ServiceConverter } = await import('./batch/service-converter.ts');
    const secret = await readKey(key, keyFile);
    const service = await findService(server, signal);
    const request = await readRequest(raw, service.limit);
    const open = async () => new ServiceConverter(service, secret, request);
    const format = formatOf(request.options);
    return { types: service.accepts, workers: workers ?? REQUESTS, others, format, open };
  }
  const { localConfig, tellIfCold } = await import('./local/local-config.ts');
  const { LocalConverter, limitOf } = await import('./batch/local-converter.ts');
  const config = await localConfig(process.env, workers);
  tellIfCold(config);
  const request = await readRequest(raw, limitOf(config));
  const open = () => LocalConverter.open(config, request, commandLog(), signal);
  return { types: config.accept, workers: config.workers, others, format: formatOf(request.options), open };
}

/** What a command is to do with what converts. */
interface Work {
  /** Whether stdout is for the PDF. */
  readonly isPipe: boolean;
  /** Whether it goes on until it is ended. */
  readonly isWatch: boolean;
  /** Documents, where their number is known. */
  readonly documents?: number;
  /** The folder that people know the documents in, where there is one. */
  readonly folder?: string;
  run(converter: BatchConverter, report: Report): Promise<void>;
}

/** @throws OperatorError if there is no such document. */
async function workOf(
  files: readonly string[],
  { out, force, watch, combine }: ConvertOptions,
  { types, workers, others, format }: Prepared,
  signal: AbortSignal,
): Promise<Work> {
  const { convertFile, mayPass } = await import('./batch/batch.ts');
  if (watch !== undefined) {
    const { watchFolder } = await import('./batch/watch.ts');
    return {
      isPipe: false,
      isWatch: true,
      folder: watch,
      run: (converter, report) =>
        watchFolder(
          { folder: watch, types, out: out ?? '', workers, others, format, signal },
          async (document) => {
            const result = await convertFile(document, converter, signal);
            report.add(result);
            return !mayPass(result);
          },
          ({ path }, message) =>
            report.add({ document: path, result: 'failed', code: 'INVALID_PARAMETER', message }),
        ),
    };
  }
  if (files.includes(PIPE)) {
    const { convertPipe } = await import('./batch/pipe.ts');
    if (out !== undefined) {
      const { assertFileName } = await import('./batch/inputs.ts');
      await assertFileName(out);
      await assertOther(out, others);
    }
    return {
      isPipe: out === undefined,
      isWatch: false,
      run: async (converter, report) =>
        report.add(await convertPipe(process.stdin, out ?? process.stdout, converter, signal)),
    };
  }
  const { assertNew, findInputs, findParts } = await import('./batch/inputs.ts');
  if (combine !== undefined) {
    const { assertCombinable, combineFiles } = await import('./batch/combine.ts');
    if (format !== 'pdf')
      throw new OperatorError('a picture is of one document: leave --format or --combine out');
    const documents = await findParts(files, types);
    await assertCombinable(combine, documents, others, force === true);
    return {
      isPipe: false,
      isWatch: false,
      documents: documents.length,
      run: async (converter, report) =>
        report.add(await combineFiles(documents, combine, converter, signal, force === true)),
    };
  }
  const { inOrder } = await import('./local/in-order.ts');
  const documents = await findInputs(files, out, types, others, format);
  const replaces = out !== undefined || force === true;
  const [only = ''] = files;
  const isFolder = files.length === 1 && (await stat(only).catch(() => undefined))?.isDirectory();
  if (!replaces) await assertNew(documents);
  return {
    isPipe: false,
    isWatch: false,
    documents: documents.length,
    ...(isFolder && { folder: only }),
    run: async (converter, report) => {
      await inOrder(documents, (document) => convertFile(document, converter, signal, replaces), {
        workers,
        onProgress: (done, of, result) => {
          report.add(result);
          report.progress.show(done, of);
        },
      });
    },
  };
}

/** @throws OperatorError if a file is the one that stdin reads, or one of the others. */
async function assertOther(path: string, others: readonly string[]): Promise<void> {
  const one = await stat(path).catch(() => undefined);
  const read = [fstatSync(process.stdin.fd), ...(await Promise.all(others.map((each) => stat(each))))];
  if (read.some(({ dev, ino }) => dev === one?.dev && ino === one.ino))
    throw new OperatorError(`the PDF would replace ${path}, which is read`);
}

/** @returns the exit code. */
async function convertAll(
  work: Work,
  { json }: ConvertOptions,
  converter: BatchConverter,
  progress: Progress,
): Promise<number> {
  const { addTo, emptySummary, warningsByName } = await import('./batch/batch.ts');
  const summary = emptySummary();
  const isJson = json === true || !process.stdout.isTTY;
  const report = new Report({
    ...work,
    isJson,
    summary,
    progress,
    count: (result) => addTo(summary, result),
    byName: warningsByName,
  });
  try {
    await work.run(converter, report);
  } finally {
    report.end();
  }
  return summary.failed === 0 ? 0 : FAILED;
}

interface ReportOptions extends Pick<Work, 'isPipe' | 'isWatch' | 'documents' | 'folder'> {
  readonly isJson: boolean;
  /** Of what was counted. */
  readonly summary: BatchSummary;
  readonly count: (result: BatchResult | CombinedResult) => void;
  readonly byName: typeof warningsByName;
  readonly progress: Progress;
}

/** Reports results: lines of JSON for programs, and what people have to know. */
class Report {
  readonly progress: Progress;
  readonly #options: ReportOptions;
  readonly #began = performance.now();
  readonly #failures: string[] = [];
  readonly #warnings = new WarningSummary();

  constructor(options: ReportOptions) {
    this.#options = options;
    this.progress = options.progress;
  }

  add(result: BatchResult | CombinedResult): void {
    const { isPipe, isJson, count } = this.#options;
    count(result);
    if (result.result === 'failed') this.#fail(result);
    if (isJson && !isPipe) this.progress.print(JSON.stringify(result));
    else if (result.result === 'converted') this.#show(result);
  }

  #fail(result: Extract<BatchResult | CombinedResult, { result: 'failed' }>): void {
    const { isPipe, isWatch } = this.#options;
    const path = 'documents' in result ? result.documents[result.file ?? -1] : result.document;
    const name = path === undefined ? '' : `${this.#nameOf(path)}: `;
    const line = printable(`${name}${result.code}: ${withoutName(result.message, name)}`);
    // A watch may go on for years, so it keeps none.
    if (isPipe || isWatch) console.error(`platen: ${line}`);
    else this.#failures.push(line);
  }

  /** Shows the warnings of a PDF to people. Notes about one of many PDFs are told at the end only, by code. */
  #show(result: Extract<BatchResult | CombinedResult, { result: 'converted' }>): void {
    const { isPipe, isWatch, documents } = this.#options;
    const isWhole = 'documents' in result;
    const print = (line: string) => (isPipe ? console.error(`platen: ${line}`) : this.progress.print(line));
    if (isWatch && !isWhole) print(printable(`${this.#nameOf(result.document)}: converted, ${result.pdf}`));
    const isAlone = isPipe || isWatch || documents === 1;
    const named = this.#options
      .byName(result)
      .map(({ name, warnings }) => ({ name: this.#nameOf(name), warnings }));
    const lines = named.flatMap(({ name, warnings }) =>
      warnings.map((warning) => ({ name, ...warning, message: withoutName(warning.message, `${name}: `) })),
    );
    const ranked = lines.toSorted(
      (a, b) =>
        warningLevels.indexOf(a.level) - warningLevels.indexOf(b.level) || a.code.localeCompare(b.code),
    );
    for (const { name, level, code, message } of ranked)
      if (isAlone || isWhole || level === 'loss') print(printable(`${name}: ${level}: ${code}: ${message}`));
    if (!isAlone) for (const each of named) this.#warnings.add(each);
  }

  /** What people call a document; programs get its path. */
  #nameOf(path: string): string {
    const { isJson, folder } = this.#options;
    return isJson || folder === undefined ? path : relative(folder, path);
  }

  /** Tells the summary, and which documents failed. */
  end(): void {
    this.progress.clear();
    const { isPipe, isJson, summary } = this.#options;
    if (isPipe) return;
    const seconds = Math.round((performance.now() - this.#began) / 100) / 10;
    const { converted, pages, warned, failed } = summary;
    const { documents = converted + failed } = this.#options;
    // After an interruption.
    const left = documents - converted - failed;
    if (isJson) this.progress.print(JSON.stringify({ summary: { documents, ...summary, left, seconds } }));
    else {
      for (const line of this.#warnings.lines()) this.progress.print(printable(line));
      const notDone = left > 0 ? `, left: ${left}` : '';
      this.progress.print(
        `documents: ${documents}, converted: ${converted} (pages: ${pages}, with warnings: ${warned}), failed: ${failed}${notDone}, in ${seconds} s`,
      );
    }
    if (this.#failures.length === 0) return;
    console.error(`platen: failed, ${failed} of ${documents}:`);
    for (const line of this.#failures) console.error(`  ${line}`);
  }
}

/** A text without the name before it. */
function withoutName(text: string, name: string): string {
  return text.startsWith(name) ? text.slice(name.length) : text;
}

function readWorkers(text: string): number {
  const workers = Number(text);
  if (Number.isInteger(workers) && workers >= 1 && workers <= MAX_WORKERS) return workers;
  throw new InvalidArgumentError(`Use a number from 1 to ${MAX_WORKERS}.`);
}
