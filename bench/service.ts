/** The service under test: built, started on a data folder of its own, called over HTTP. */
import { Agent, request } from 'node:http';
import { Server } from '../test/support/server.ts';
import type { BenchDocument } from './documents.ts';
import { childrenOf, commandOf } from './processes.ts';

const BOUNDARY = 'platen-bench';
/** How long a report may take: what reads it waits for nothing. */
const REPORT_MS = 10_000;

/** One request as the client saw it, in milliseconds. */
export interface Sample {
  readonly totalMs: number;
  readonly requestId: string;
}

/** The service answered something else than a PDF. */
export class NotConverted extends Error {}

/** A PDF, and how the client came by it. */
export interface Converted extends Sample {
  readonly pdf: Buffer;
}

/** What the service says of a conversion: what its report has, and of its log the rules that rewrote the document. */
export interface ConversionAccount {
  readonly pagination: { readonly by: string; readonly reason: string } | null;
  readonly fonts: readonly {
    readonly name: string;
    /** Null: another one, which is not known. */
    readonly used: string | null;
    readonly metricsCompatible: boolean;
  }[];
  readonly warnings: readonly { readonly code: string; readonly message: string }[];
  readonly rewrites: readonly string[];
}

/** Whose pages a PDF is to have. */
export type RequestedLayout = 'word' | 'engine';

type OutsidePhase = 'upload' | 'preflight' | 'delivery';

/**
 * Milliseconds outside the engine. `all` is from the request's head to the end of its answer; beside the phases it has
 * the key's admission, the verification, and HTTP.
 */
export type OutsideKit = Readonly<Record<'all' | OutsidePhase, number>>;

export class BenchService {
  readonly #server: Server;
  readonly #key: string;
  readonly #agent = new Agent({ keepAlive: true });
  readonly #address: string;
  /** By document: the client runs on the service's cores, so it makes each body once. */
  readonly #bodies = new WeakMap<Buffer, Buffer>();

  private constructor(server: Server, key: string) {
    this.#server = server;
    this.#key = key;
    this.#address = server.url;
  }

  /** Version of the LibreOffice that the service runs. */
  get libreOffice(): string {
    return String(this.#server.log.find(({ msg }) => msg === 'ready')?.libreOffice);
  }

  /** Starts it as in production, and what `env` says differently. */
  static async start(env: Readonly<Record<string, string>> = {}): Promise<BenchService> {
    // Job folders where they are in production: on a tmpfs where there is one.
    const server = await Server.start({ env: { JOBS_DIR: '', LOG_LEVEL: 'info', ...env } });
    const { key } = await server.createKey();
    return new BenchService(server, key);
  }

  /** Its processes, as they are now. */
  async processes(): Promise<{ server: number; kit: number; redis: number }> {
    const { pid } = this.#server;
    const commands = await Promise.all(
      (await childrenOf(pid)).map(async (child) => ({ child, command: await commandOf(child) })),
    );
    const redis = commands.find(({ command }) => command.includes('redis-server'));
    if (!redis) throw new Error('the service has no Redis of its own');
    return { server: pid, kit: this.kit, redis: redis.child };
  }

  /** Process id of the newest kit. */
  get kit(): number {
    return Number(this.#server.log.findLast(({ msg }) => msg === 'kit ready')?.kit);
  }

  /** Converts one document. @throws NotConverted when the answer is not a PDF. */
  async convert(document: Pick<BenchDocument, 'content'>): Promise<Sample> {
    const { totalMs, requestId } = await this.#send(document.content);
    return { totalMs, requestId };
  }

  /** The PDF of a document. @throws NotConverted when the answer is not a PDF. */
  async pdf(content: Buffer, layout: RequestedLayout = 'word'): Promise<Converted> {
    return this.#send(content, layout);
  }

  /** @throws Error when the service does not know the request. */
  async account(requestId: string): Promise<ConversionAccount> {
    const headers = { authorization: `Bearer ${this.#key}` };
    const address = new URL(`/v1/conversions/${requestId}`, this.#address);
    const answer = await fetch(address, { headers, signal: AbortSignal.timeout(REPORT_MS) });
    if (!answer.ok) throw new Error(`the service has no report of ${requestId}: ${answer.status}`);
    const { pagination, fonts, warnings } = (await answer.json()) as ConversionAccount;
    const { conversion } = await this.#server.logged('request', ({ reqId }) => reqId === requestId);
    const { rewrites } = conversion as Pick<ConversionAccount, 'rewrites'>;
    return { pagination, fonts, warnings, rewrites };
  }

  /** What the service spent on each request outside its engine, as its log has it. */
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

  async #send(content: Buffer, layout: RequestedLayout = 'word'): Promise<Converted> {
    const body = this.#bodies.get(content) ?? formOf(content);
    this.#bodies.set(content, body);
    const headers = {
      authorization: `Bearer ${this.#key}`,
      'content-type': `multipart/form-data; boundary=${BOUNDARY}`,
      'content-length': body.length,
    };
    const address = new URL(`/v1/convert${layout === 'word' ? '' : `?layout=${layout}`}`, this.#address);
    const started = performance.now();
    const { status, requestId, pdf } = await new Promise<{ status: number; requestId: string; pdf: Buffer }>(
      (resolve, reject) => {
        const call = request(address, { method: 'POST', agent: this.#agent, headers }, (response) => {
          const chunks: Buffer[] = [];
          response.on('data', (chunk: Buffer) => chunks.push(chunk));
          response.on('error', reject);
          response.on('end', () =>
            resolve({
              status: response.statusCode ?? 0,
              requestId: String(response.headers['x-request-id']),
              pdf: Buffer.concat(chunks),
            }),
          );
        });
        call.on('error', reject);
        call.end(body);
      },
    );
    const totalMs = performance.now() - started;
    if (status !== 200 || pdf.subarray(0, 5).toString() !== '%PDF-') {
      throw new NotConverted(`the service answered ${status}: ${pdf.subarray(0, 300)}`);
    }
    return { totalMs, requestId, pdf };
  }

  async stop(): Promise<void> {
    this.#agent.destroy();
    await this.#server.stop();
  }
}

/** A form with the document as its part `file`. */
function formOf(content: Buffer): Buffer {
  const head = `--${BOUNDARY}\r\ncontent-disposition: form-data; name="file"; filename="document.docx"\r\n\r\n`;
  return Buffer.concat([Buffer.from(head), content, Buffer.from(`\r\n--${BOUNDARY}--\r\n`)]);
}
