/** This machine's engine, with the steps of a request: preflight, rules, layouts, verification. */
import { closeSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import type { Config } from '../config.ts';
import type { ConvertedPdf, Converter } from '../convert/converter.ts';
import { openConverter, openWorkspaces } from '../convert/open.ts';
import { assertAccepted } from '../convert/report/accepted.ts';
import type { Workspaces } from '../convert/workspace.ts';
import type { Engine as ConvertingEngine } from '../engine/engine.ts';
import { checkSandbox } from '../engine/sandbox.ts';
import type { Log } from '../log.ts';
import type { Attachment, ConversionOptions, FormOptions } from '../options/conversion-options.ts';
import { pdfStream } from '../system/pdf-stream.ts';
import { readVersion } from '../version.ts';

/** What PDFs are made with. */
export interface Engine {
  /** Version of LibreOffice; null if the engine cannot tell. */
  readonly libreOffice: string | null;
  /** Version of the fonts; null if unknown. */
  readonly fontSet: string | null;
  /** Version of Platen. */
  readonly platen: string;
}

/** A file to embed. */
export interface AttachedContent extends Omit<Attachment, 'path'> {
  readonly content: Buffer;
}

/** What to convert, and how. */
interface LocalDocument {
  readonly content: Buffer;
  /** Without defaults. None by default. */
  readonly options?: ConversionOptions;
  /** Passwords. */
  readonly secrets?: Omit<FormOptions, 'attachments'>;
  /** Files to embed in the PDF, by ascending names. */
  readonly attachments?: readonly AttachedContent[] | undefined;
}

export class LocalEngine {
  readonly engine: Engine;
  readonly #workspaces: Workspaces;
  readonly #converter: Converter;
  readonly #log: Log;
  readonly #closing: readonly (() => Promise<void>)[];
  #documents = 0;

  private constructor(
    engine: Engine,
    workspaces: Workspaces,
    converter: Converter,
    log: Log,
    closing: readonly (() => Promise<void>)[],
  ) {
    this.engine = engine;
    this.#workspaces = workspaces;
    this.#converter = converter;
    this.#log = log;
    this.#closing = closing;
  }

  /**
   * Starts it, with the settings of the service.
   *
   * @param signal ends a start that is no longer wanted.
   * @throws OperatorError if this machine lacks something; the signal's reason.
   */
  static async start(config: Config, log: Log, signal: AbortSignal): Promise<LocalEngine> {
    const closing: (() => Promise<void>)[] = [];
    try {
      const workspaces = await openWorkspaces(config, log);
      closing.unshift(() => workspaces.close());
      const { engine, converter } = await openConverter(config, workspaces, log, (close) =>
        closing.unshift(close),
      );
      await started(engine, signal);
      checkSandbox(engine.status().sandbox, config.sandbox, log);
      const { libreOffice = null, fontSet = null } = engine.status();
      const about = { libreOffice, fontSet, platen: readVersion() };
      return new LocalEngine(about, workspaces, converter, log, closing);
    } catch (error) {
      await closeAll(closing, log);
      signal.throwIfAborted();
      throw error;
    }
  }

  /** @throws PlatenError `INVALID_PARAMETER` if the engine cannot do what the options ask for. */
  assertPossible(options: ConversionOptions): void {
    this.#converter.assertPossible(options);
  }

  /**
   * Converts a document. Documents do not take turns, and an exhausted budget of one does not limit others.
   *
   * @param keep is given the PDF, and what is known of it.
   * @throws PlatenError as a request's; what `keep` throws; the signal's reason.
   */
  async convert(
    { content, options, secrets, attachments }: LocalDocument,
    keep: (pdf: Readable, about: Pick<ConvertedPdf, 'pages' | 'bytes' | 'report'>) => Promise<void>,
    signal: AbortSignal,
  ): Promise<void> {
    const place = this.#converter.admit({ class: 'live', account: `document-${this.#documents++}` });
    try {
      const workspace = this.#workspaces.create();
      try {
        await writeFile(workspace.input, content, { mode: 0o600 });
        const held = attachments?.map(({ content: _, ...each }, index) => ({
          ...each,
          path: workspace.attachment(index + 1),
        }));
        for (const [index, { content: attached }] of (attachments ?? []).entries())
          await writeFile(workspace.attachment(index + 1), attached, { mode: 0o600 });
        const form = { ...secrets, ...(held && { attachments: held }) };
        const submission = { place, bytes: content.length, sha256: undefined, options, form };
        const pdf = await this.#converter.convert(workspace, submission, signal);
        assertAccepted(pdf, options);
        const { fd, reader, ...about } = pdf;
        if (signal.aborted) closeSync(fd);
        signal.throwIfAborted();
        await keep(pdfStream(fd, reader), about);
      } finally {
        await workspace.dispose();
      }
    } finally {
      place.leave();
    }
  }

  /** Ends it. */
  async close(): Promise<void> {
    await closeAll(this.#closing, this.#log);
  }
}

/** Starts the engine, unless the signal aborts. @throws as the engine; the signal's reason. */
async function started(engine: ConvertingEngine, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted();
  const stop = () => void engine.stop();
  signal.addEventListener('abort', stop);
  try {
    await engine.start();
    signal.throwIfAborted();
  } finally {
    signal.removeEventListener('abort', stop);
  }
}

/** What cannot be closed changes no result. */
async function closeAll(closing: readonly (() => Promise<void>)[], log: Log): Promise<void> {
  for (const close of closing) {
    await close().catch((error: unknown) => log.error({ err: error }, 'not everything could be closed'));
  }
}
