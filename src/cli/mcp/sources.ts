/** What converts the documents of an MCP client: this machine's engine, or a service. Each begins with the first document. */
import type { Readable } from 'node:stream';
import type { Config } from '../../config.ts';
import type { Log } from '../../system/log.ts';
import type { MadePdf, ReadDocument, SizeLimit } from '../batch/converter.ts';
import { LocalConverter, limitOf } from '../batch/local-converter.ts';
import type { BatchRequest } from '../batch/request.ts';
import { findService, type KnownService, REQUESTS, ServiceConverter } from '../batch/service-converter.ts';
import { LocalEngine } from '../local/local-engine.ts';

/** Programs keep their servers all day. An engine without a document for this long ends, and its memory is free. */
const IDLE_MS = 600_000;

/** What to convert, and how. */
interface Order {
  readonly document: ReadDocument;
  readonly request: BatchRequest;
  /** Is given the PDF; it may be called again, with the whole PDF, where the first broke off. */
  readonly keep: (pdf: Readable) => Promise<void>;
}

export interface Source {
  /** Documents at a time. */
  readonly atOnce: number;

  /** @throws OperatorError if there is nothing that converts; the signal's reason. */
  limit(signal: AbortSignal): Promise<SizeLimit>;

  /**
   * @throws OperatorError if there is nothing that converts.
   * @throws BatchFailure, PlatenError, what `keep` throws; the signal's reason.
   */
  convert(order: Order, signal: AbortSignal): Promise<MadePdf>;

  /** Ends it, once no document is converted. */
  close(): Promise<void>;
}

interface LocalSourceOptions {
  readonly config: Config;
  readonly log: Log;
  /** Aborts when it is to be closed. */
  readonly ending: AbortSignal;
  /** Until an engine without a document ends, in milliseconds. */
  readonly idleMs?: number;
}

/** This machine's engine. */
export class LocalSource implements Source {
  readonly atOnce: number;
  readonly #options: LocalSourceOptions;
  readonly #engine: Once<LocalEngine>;
  #documents = 0;
  #idle: NodeJS.Timeout | undefined;
  /** The end of the last engine. */
  #ended: Promise<void> = Promise.resolve();

  constructor(options: LocalSourceOptions) {
    const { config, log, ending } = options;
    this.atOnce = config.workers;
    this.#options = options;
    this.#engine = new Once(async () => {
      await this.#ended;
      return await LocalEngine.start(config, log, ending);
    });
  }

  async limit(): Promise<SizeLimit> {
    return limitOf(this.#options.config);
  }

  async convert({ document, request, keep }: Order, signal: AbortSignal): Promise<MadePdf> {
    clearTimeout(this.#idle);
    this.#documents += 1;
    try {
      const engine = await this.#engine.get(signal);
      engine.assertPossible(request.options);
      const converter = new LocalConverter(engine, request, limitOf(this.#options.config));
      return await converter.convert(document, keep, signal);
    } finally {
      this.#documents -= 1;
      const { idleMs = IDLE_MS } = this.#options;
      if (this.#documents === 0) this.#idle = setTimeout(() => void this.close(), idleMs).unref();
    }
  }

  async close(): Promise<void> {
    clearTimeout(this.#idle);
    const engine = this.#engine.take();
    // It logs what cannot be closed.
    if (engine) this.#ended = engine.then((started) => started.close()).catch(() => {});
    await this.#ended;
  }
}

/** A service. */
export class ServiceSource implements Source {
  readonly atOnce = REQUESTS;
  readonly #key: string;
  readonly #service: Once<KnownService>;

  /** @param address its URL. @param ending aborts when it is to be closed. */
  constructor(address: string, key: string, ending: AbortSignal) {
    this.#key = key;
    this.#service = new Once(() => findService(address, ending));
  }

  async limit(signal: AbortSignal): Promise<SizeLimit> {
    return (await this.#service.get(signal)).limit;
  }

  async convert({ document, request, keep }: Order, signal: AbortSignal): Promise<MadePdf> {
    const service = await this.#service.get(signal);
    return await new ServiceConverter(service, this.#key, request).convert(document, keep, signal);
  }

  async close(): Promise<void> {}
}

/** Something that is made once, for all who need it; again if that fails, or it was taken. */
class Once<T> {
  readonly #make: () => Promise<T>;
  #made: Promise<T> | undefined;

  constructor(make: () => Promise<T>) {
    this.#make = make;
  }

  /** @throws what making it throws; the signal's reason, while others may wait on. */
  async get(signal: AbortSignal): Promise<T> {
    signal.throwIfAborted();
    const made = this.#made ?? this.#make();
    this.#made = made;
    return await new Promise((resolve, reject) => {
      const leave = () => reject(signal.reason);
      signal.addEventListener('abort', leave, { once: true });
      const end = (settle: () => void) => {
        signal.removeEventListener('abort', leave);
        settle();
      };
      made.then(
        (value) => end(() => resolve(value)),
        (error: unknown) => {
          if (this.#made === made) this.#made = undefined;
          end(() => reject(error));
        },
      );
    });
  }

  /** What was made, or is being made; undefined for nothing. The next gets another one. */
  take(): Promise<T> | undefined {
    const made = this.#made;
    this.#made = undefined;
    return made;
  }
}
