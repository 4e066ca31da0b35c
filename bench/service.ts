/** The service under test: built, started on a data folder of its own, called over HTTP. */
import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { Agent, request } from 'node:http';
import { promisify } from 'node:util';
import { Server } from '../test/support/server.ts';
import type { BenchDocument } from './documents.ts';

const run = promisify(execFile);

/** One request as the client saw it, in milliseconds. */
export interface Sample {
  readonly totalMs: number;
  readonly requestId: string;
}

export class BenchService {
  readonly #server: Server;
  readonly #key: string;
  readonly #agent = new Agent({ keepAlive: true });

  private constructor(server: Server, key: string) {
    this.#server = server;
    this.#key = key;
  }

  /** Version of the LibreOffice that the service runs. */
  get libreOffice(): string {
    return String(this.#server.log.find(({ msg }) => msg === 'ready')?.libreOffice);
  }

  static async start(): Promise<BenchService> {
    // Job folders where they are in production: on a tmpfs where there is one.
    const server = await Server.start({ env: { JOBS_DIR: '', LOG_LEVEL: 'info' } });
    const { key } = await server.createKey();
    return new BenchService(server, key);
  }

  /** Converts one document. @throws Error when the answer is not a PDF. */
  async convert(document: Pick<BenchDocument, 'content'>): Promise<Sample> {
    const { totalMs, requestId } = await this.#send(document.content);
    return { totalMs, requestId };
  }

  /** The PDF of a document. @throws Error when the answer is not a PDF. */
  async pdf(content: Buffer): Promise<Buffer> {
    return (await this.#send(content)).pdf;
  }

  /**
   * What the service spent on each request outside its engine, in milliseconds: HTTP, key, upload, preflight,
   * verification, from the request's head to the end of its answer, as its log has it.
   */
  async outsideKit(samples: readonly Sample[]): Promise<number[]> {
    const wanted = new Set(samples.map(({ requestId }) => requestId));
    const last = samples.at(-1)?.requestId;
    await this.#server.logged('request', ({ reqId }) => reqId === last);
    return this.#server.log
      .filter(({ msg, reqId }) => msg === 'request' && wanted.has(String(reqId)))
      .map(({ ms, conversion }) => {
        const { phases } = conversion as { phases: { queue: number; convert: number } };
        return Number(ms) - phases.queue - phases.convert;
      });
  }

  /** Resident memory in MiB: of the server, and of the kit with the children it keeps ready. */
  async memory(): Promise<{ serverMiB: number; kitMiB: number; kitSharedOnceMiB: number }> {
    const { stdout } = await run('pgrep', ['-P', String(this.#server.pid), '-f', 'platen-kit']);
    const kit = Number(stdout.trim().split('\n')[0]);
    const children = (await readFile(`/proc/${kit}/task/${kit}/children`, 'utf8')).trim().split(' ');
    const shares = await Promise.all(
      [kit, ...children.map(Number)].map((pid) => kilobytes(pid, 'smaps_rollup', 'Pss')),
    );
    return {
      serverMiB: Math.round((await kilobytes(this.#server.pid, 'status', 'VmRSS')) / 1024),
      kitMiB: Math.round((await kilobytes(kit, 'status', 'VmRSS')) / 1024),
      // Proportional sizes: pages that the kit and its children share count once.
      kitSharedOnceMiB: Math.round(shares.reduce((sum, share) => sum + share, 0) / 1024),
    };
  }

  async #send(content: Buffer): Promise<Sample & { pdf: Buffer }> {
    const boundary = 'platen-bench';
    const head = `--${boundary}\r\ncontent-disposition: form-data; name="file"; filename="document.docx"\r\n\r\n`;
    const body = Buffer.concat([Buffer.from(head), content, Buffer.from(`\r\n--${boundary}--\r\n`)]);
    const started = performance.now();
    const { status, requestId, pdf } = await new Promise<{ status: number; requestId: string; pdf: Buffer }>(
      (resolve, reject) => {
        const call = request(
          `${this.#server.url}/v1/convert`,
          {
            method: 'POST',
            agent: this.#agent,
            headers: {
              authorization: `Bearer ${this.#key}`,
              'content-type': `multipart/form-data; boundary=${boundary}`,
              'content-length': body.length,
            },
          },
          (response) => {
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
          },
        );
        call.on('error', reject);
        call.end(body);
      },
    );
    const totalMs = performance.now() - started;
    if (status !== 200 || pdf.subarray(0, 5).toString() !== '%PDF-') {
      throw new Error(`the service answered ${status}: ${pdf.subarray(0, 300)}`);
    }
    return { totalMs, requestId, pdf };
  }

  async stop(): Promise<void> {
    this.#agent.destroy();
    await this.#server.stop();
  }
}

async function kilobytes(pid: number, file: string, field: string): Promise<number> {
  const text = await readFile(`/proc/${pid}/${file}`, 'utf8');
  return Number(new RegExp(`^${field}:\\s+(\\d+) kB`, 'm').exec(text)?.[1] ?? 0);
}
