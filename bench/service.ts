/** The service under test: built, started on a new data folder, called over HTTP. */
import { Agent, request } from 'node:http';
import { Server } from '../test/support/server.ts';
import type { BenchDocument } from './documents.ts';
import { childrenOf, commandOf } from './processes.ts';

const BOUNDARY = 'platen-bench';
/** The end of a form. */
const END = Buffer.from(`--${BOUNDARY}--\r\n`);
/** Time limit for a report. */
const REPORT_MS = 10_000;

/** One request as the client saw it, in milliseconds. */
export interface Sample {
  readonly totalMs: number;
  readonly requestId: string;
}

/** The service did not answer with a PDF. */
export class NotConverted extends Error {}

/** A PDF, and its timing at the client. */
interface Converted extends Sample {
  readonly pdf: Buffer;
}

/** The service's report on a conversion, with the rules that rewrote the document, from its log. */
export interface ConversionAccount {
  readonly pagination: { readonly by: string; readonly reason: string } | null;
  readonly fonts: readonly {
    readonly name: string;
    /** Null: unknown. */
    readonly used: string | null;
    readonly metricsCompatible: boolean;
  }[];
  readonly warnings: readonly { readonly code: string; readonly message: string }[];
  readonly rewrites: readonly string[];
  /** Processor time in the engine, and how many layouts it made. */
  readonly cpuMs?: number | undefined;
  readonly attempts: number;
}

/** Whose page breaks are requested. */
export type RequestedLayout = 'auto' | 'engine';

type OutsidePhase = 'upload' | 'preflight' | 'delivery';

/**
 * Milliseconds outside the engine. `all` is from the request's header to the end of its answer; besides the phases it
 * includes admission, verification and HTTP.
 */
type OutsideKit = Readonly<Record<'all' | OutsidePhase, number>>;

export class BenchService {
  readonly #server: Server;
  readonly #key: string;
  readonly #agent = new Agent({ keepAlive: true });
  readonly #address: string;
  /** Cached by document, as the client shares the service's cores. */
  readonly #bodies = new WeakMap<Buffer, Buffer>();

  private constructor(server: Server, key: string) {
    this.#server = server;
    this.#key = key;
    this.#address = server.url;
  }

  /** Version of the service's LibreOffice. */
  get libreOffice(): string {
    return String(this.#server.log.find(({ msg }) => msg === 'ready')?.libreOffice);
  }

  /** Starts it as in production, with the differences of `env`. */
  static async start(env: Readonly<Record<string, string>> = {}): Promise<BenchService> {
    // Job folders as in production: on a tmpfs if there is one. The image has options for Node, and a slow machine needs a longer limit.
    const { NODE_OPTIONS = '', CONVERT_TIMEOUT_MS = '60000' } = process.env;
    const usual = { WORK_DIR: '', LOG_LEVEL: 'info', NODE_OPTIONS, CONVERT_TIMEOUT_MS };
    const server = await Server.start({ env: { ...usual, ...env } });
    const { key } = await server.createKey();
    return new BenchService(server, key);
  }

  /** Its current processes. */
  async processes(): Promise<{ server: number; readers: number[]; kit: number; redis: number }> {
    const { pid } = this.#server;
    const commands = await Promise.all(
      (await childrenOf(pid)).map(async (child) => ({ child, command: await commandOf(child) })),
    );
    const redis = commands.find(({ command }) => command.includes('redis-server'));
    if (!redis) throw new Error('the service has no Redis of its own');
    const readers = commands.filter(({ command }) => command.includes('reading/reader'));
    return { server: pid, readers: readers.map(({ child }) => child), kit: this.kit, redis: redis.child };
  }

  /** Process id of the newest kit. */
  get kit(): number {
    return Number(this.#server.log.findLast(({ msg }) => msg === 'kit ready')?.kit);
  }

  /**
   * Converts one document.
   *
   * @throws NotConverted if the answer is not a PDF.
   */
  async convert(document: Pick<BenchDocument, 'content'>): Promise<Sample> {
    const { totalMs, requestId } = await this.#send(document.content);
    return { totalMs, requestId };
  }

  /**
   * The PDF of a document.
   *
   * @param options of the conversion, as its query has them.
   * @param fields of the form, with options as well.
   * @throws NotConverted if the answer is not a PDF.
   */
  async pdf(
    content: Buffer,
    options: Readonly<Record<string, string>> = {},
    fields: Readonly<Record<string, string>> = {},
  ): Promise<Converted> {
    return this.#send(content, options, fields);
  }

  /** Draws the first page of a document. @throws NotConverted if the answer is no picture. */
  picture(content: Buffer): Promise<Sample> {
    return this.#post('/v1/convert?format=png', this.#bodyOf(content), '\x89PNG');
  }

  /** Makes one PDF of documents. @throws NotConverted if the answer is not a PDF. */
  combine(contents: readonly Buffer[]): Promise<Sample> {
    const body = Buffer.concat([...contents.map((each) => filePart(each)), END]);
    return this.#post('/v1/combine', body, '%PDF-');
  }

  /** @throws Error if the service does not know the request. */
  async account(requestId: string): Promise<ConversionAccount> {
    const headers = { authorization: `Bearer ${this.#key}` };
    const address = new URL(`/v1/conversions/${requestId}`, this.#address);
    const answer = await fetch(address, { headers, signal: AbortSignal.timeout(REPORT_MS) });
    if (!answer.ok) throw new Error(`the service has no report of ${requestId}: ${answer.status}`);
    const { pagination, fonts, warnings } = (await answer.json()) as ConversionAccount;
    const { conversion } = await this.#server.logged('request', ({ reqId }) => reqId === requestId);
    const logged = conversion as Pick<ConversionAccount, 'rewrites' | 'cpuMs' | 'attempts'>;
    const { rewrites, cpuMs, attempts } = logged;
    return { pagination, fonts, warnings, rewrites, cpuMs, attempts };
  }

  /** Time of each request outside the engine, from the service's log. */
  async outsideKit(samples: readonly Sample[]): Promise<OutsideKit[]> {
    const wanted = new Set(samples.map(({ requestId }) => requestId));
    const last = samples.at(-1)?.requestId;
    await this.#server.logged('request', ({ reqId }) => reqId === last);
    return this.#server.log
      .filter(({ msg, reqId }) => msg === 'request' && wanted.has(String(reqId)))
      .map(({ ms, conversion }) => {
        const { phases } = conversion as { phases: Record<'queue' | 'convert' | OutsidePhase, number> };
        const { upload, preflight, delivery } = phases;
        return { all: Number(ms) - phases.queue - phases.convert, upload, preflight, delivery };
      });
  }

  async #send(
    content: Buffer,
    options: Readonly<Record<string, string>> = {},
    fields: Readonly<Record<string, string>> = {},
  ): Promise<Converted> {
    const file = this.#bodyOf(content);
    const body = Object.keys(fields).length === 0 ? file : Buffer.concat([fieldParts(fields), file]);
    const { answer, ...sample } = await this.#post(
      `/v1/convert?${new URLSearchParams(options)}`,
      body,
      '%PDF-',
    );
    return { ...sample, pdf: answer };
  }

  #bodyOf(content: Buffer): Buffer {
    const body = this.#bodies.get(content) ?? Buffer.concat([filePart(content), END]);
    this.#bodies.set(content, body);
    return body;
  }

  /** @param magic how the wanted answer begins. */
  async #post(path: string, body: Buffer, magic: string): Promise<Sample & { readonly answer: Buffer }> {
    const headers = {
      authorization: `Bearer ${this.#key}`,
      'content-type': `multipart/form-data; boundary=${BOUNDARY}`,
      'content-length': body.length,
    };
    const address = new URL(path, this.#address);
    const started = performance.now();
    const { status, requestId, answer } = await new Promise<{
      status: number;
      requestId: string;
      answer: Buffer;
    }>((resolve, reject) => {
      const call = request(address, { method: 'POST', agent: this.#agent, headers }, (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('error', reject);
        response.on('end', () =>
          resolve({
            status: response.statusCode ?? 0,
            requestId: String(response.headers['x-request-id']),
            answer: Buffer.concat(chunks),
          }),
        );
      });
      call.on('error', reject);
      call.end(body);
    });
    const totalMs = performance.now() - started;
    if (status !== 200 || !answer.toString('latin1', 0, magic.length).startsWith(magic))
      throw new NotConverted(`the service answered ${status}: ${answer.subarray(0, 300)}`);
    return { totalMs, requestId, answer };
  }

  async stop(): Promise<void> {
    this.#agent.destroy();
    await this.#server.stop();
  }
}

/** Text fields of a form. */
function fieldParts(fields: Readonly<Record<string, string>>): Buffer {
  const parts = Object.entries(fields).map(
    ([name, value]) => `--${BOUNDARY}\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
  );
  return Buffer.from(parts.join(''));
}

/** The document as a part, `file`, of a form. */
function filePart(content: Buffer): Buffer {
  const head = `--${BOUNDARY}\r\ncontent-disposition: form-data; name="file"; filename="document.docx"\r\n\r\n`;
  return Buffer.concat([Buffer.from(head), content, Buffer.from('\r\n')]);
}
