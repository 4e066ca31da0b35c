/** This machine's engine, with the steps of a request: preflight, rules, layouts, verification. */
import { closeSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import type { Config } from '../../config.ts';
import type { Combiner, DocumentToCombine } from '../../convert/combiner.ts';
import type { ConvertedPdf, Converter } from '../../convert/converter.ts';
import { openConverter, openWorkspaces } from '../../convert/open.ts';
import { assertAccepted } from '../../convert/report/accepted.ts';
import type { Workspace, Workspaces } from '../../convert/workspace.ts';
import type { Engine as ConvertingEngine } from '../../engine/engine.ts';
import { checkSandbox } from '../../engine/sandbox.ts';
import type { Place } from '../../queue/queue.ts';
import type {
  Attachment,
  ConversionOptions,
  FormOptions,
  PageNumbering,
} from '../../shared/options/conversion-options.ts';
import type { Log } from '../../system/log.ts';
import { pdfStream } from '../../system/pdf-stream.ts';
import { readVersion } from '../../system/version.ts';

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

/** How to convert. */
interface LocalRequest {
  /** Without defaults. None by default. */
  readonly options?: ConversionOptions;
  /** Passwords. */
  readonly secrets?: Omit<FormOptions, 'attachments'>;
  /** Files to embed in the PDF, by ascending names. */
  readonly attachments?: readonly AttachedContent[] | undefined;
}

/** What to convert, and how. */
interface LocalDocument extends LocalRequest {
  readonly content: Buffer;
}

/** What to combine, and how. */
interface LocalDocuments extends LocalRequest {
  /** In order. */
  readonly documents: readonly { readonly content: Buffer; readonly name: string }[];
  /** By default each document counts its own. */
  readonly pageNumbers?: PageNumbering | undefined;
}

type MadePdf = Pick<ConvertedPdf, 'fd' | 'reader' | 'pages' | 'bytes' | 'report'>;

/** Takes a PDF, and what is known of it. */
type Keep = (pdf: Readable, about: Omit<MadePdf, 'fd' | 'reader'>) => Promise<void>;

/** Whose all documents are. */
const CALLER = 'caller';

export class LocalEngine {
  readonly engine: Engine;
  readonly #workspaces: Workspaces;
  readonly #converter: Converter;
  readonly #combiner: Combiner;
  readonly #log: Log;
  readonly #closing: readonly (() => Promise<void>)[];
  #documents = 0;

  private constructor(
    engine: Engine,
    workspaces: Workspaces,
    { converter, combiner }: { readonly converter: Converter; readonly combiner: Combiner },
    log: Log,
    closing: readonly (() => Promise<void>)[],
  ) {
    this.engine = engine;
    this.#workspaces = workspaces;
    this.#converter = converter;
    this.#combiner = combiner;
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
      const { engine, converter, combiner } = await openConverter(config, workspaces, log, (close) =>
        closing.unshift(close),
      );
      await started(engine, signal);
      checkSandbox(engine.status().sandbox, config.sandbox, log);
      const { libreOffice = null, fontSet = null } = engine.status();
      const about = { libreOffice, fontSet, platen: readVersion() };
      return new LocalEngine(about, workspaces, { converter, combiner }, log, closing);
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
  convert({ content, ...request }: LocalDocument, keep: Keep, signal: AbortSignal): Promise<void> {
    const { options } = request;
    return this.#make(request, keep, signal, async (workspace, place, form) => {
      await writeFile(workspace.input, content, { mode: 0o600 });
      const submission = { place, bytes: content.length, sha256: undefined, options, form, owner: CALLER };
      const pdf = await this.#converter.convert(workspace, submission, signal);
      assertAccepted(pdf, options);
      return pdf;
    });
  }

  /**
   * Makes one PDF of documents, in their order.
   *
   * @param keep as for {@link convert}.
   * @throws as {@link convert}; a failure of one document says of which.
   */
  combine(
    { documents, pageNumbers, ...request }: LocalDocuments,
    keep: Keep,
    signal: AbortSignal,
  ): Promise<void> {
    const { options = {} } = request;
    return this.#make(request, keep, signal, async (workspace, place, form) => {
      const uploaded: DocumentToCombine[] = [];
      for (const { content, name } of documents) {
        const own = workspace.inside();
        await writeFile(own.input, content, { mode: 0o600 });
        uploaded.push({ workspace: own, name, bytes: content.length, sha256: undefined });
      }
      return this.#combiner.combine(
        workspace,
        { place, documents: uploaded, options, pageNumbers, form },
        signal,
      );
    });
  }

  async #make(
    { secrets, attachments }: LocalRequest,
    keep: Keep,
    signal: AbortSignal,
    make: (workspace: Workspace, place: Place, form: FormOptions) => Promise<MadePdf>,
  ): Promise<void> {
    const place = this.#converter.admit({ class: 'live', account: `document-${this.#documents++}` });
    try {
      const workspace = this.#workspaces.create();
      try {
        const form = { ...secrets, ...(await held(workspace, attachments)) };
        const { fd, reader, ...about } = await make(workspace, place, form);
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

/** Writes the attachments into the workspace. */
async function held(
  workspace: Workspace,
  attachments: readonly AttachedContent[] | undefined,
): Promise<Pick<FormOptions, 'attachments'>> {
  if (!attachments) return {};
  const written: Attachment[] = [];
  for (const { content, ...each } of attachments) {
    const path = workspace.attachment(written.length + 1);
    await writeFile(path, content, { mode: 0o600 });
    written.push({ ...each, path });
  }
  return { attachments: written };
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
