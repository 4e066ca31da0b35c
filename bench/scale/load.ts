/** Clients of the fleet, in this process: each sends a document with a key of some account, waits for its PDF, and goes on. */
import { Agent, request } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';

const BOUNDARY = 'platen-bench';
const UNAVAILABLE = 503;
const PAUSE_MS = 100;
const PATIENCE_MS = 60_000;

export class Clients {
  readonly #agent = new Agent({ keepAlive: true });
  readonly #socketPath: string;
  #refusals = 0;

  /** @param socketPath of the balancer. */
  constructor(socketPath: string) {
    this.#socketPath = socketPath;
  }

  /** Refusals (503), after which a client tried again: while all processes share two cores, some health check comes late. */
  get refusals(): number {
    return this.#refusals;
  }

  /** Converts a document, the body of a form. @throws Error if the answer is not a PDF. */
  async convert(form: Buffer, key: string): Promise<Buffer> {
    const pdf = await this.#send('POST', '/v1/convert', key, form, 200);
    if (pdf.subarray(0, 5).toString() !== '%PDF-') throw new Error('the answer is no PDF');
    return pdf;
  }

  /** Hands a job in. @returns its id. */
  async take(form: Buffer, key: string): Promise<string> {
    const answer = await this.#send('POST', '/v1/jobs', key, form, 202);
    return (JSON.parse(answer.toString()) as { id: string }).id;
  }

  /** Files of a job that have a PDF. */
  async succeeded(job: string, key: string): Promise<number> {
    const answer = await this.#send('GET', `/v1/jobs/${job}`, key, undefined, 200);
    return (JSON.parse(answer.toString()) as { counts: { succeeded: number } }).counts.succeeded;
  }

  close(): void {
    this.#agent.destroy();
  }

  async #send(
    method: 'GET' | 'POST',
    path: string,
    key: string,
    body: Buffer | undefined,
    expected: number,
  ): Promise<Buffer> {
    const start = performance.now();
    for (;;) {
      const { status, answer } = await this.#ask(method, path, key, body);
      if (status === expected) return answer;
      if (status !== UNAVAILABLE || performance.now() - start > PATIENCE_MS) {
        throw new Error(`${method} ${path}: ${status} ${answer.subarray(0, 300)}`);
      }
      this.#refusals++;
      await delay(PAUSE_MS);
    }
  }

  #ask(
    method: 'GET' | 'POST',
    path: string,
    key: string,
    body: Buffer | undefined,
  ): Promise<{ readonly status: number | undefined; readonly answer: Buffer }> {
    const headers = {
      host: 'platen',
      authorization: `Bearer ${key}`,
      ...(body && {
        'content-type': `multipart/form-data; boundary=${BOUNDARY}`,
        'content-length': body.length,
      }),
    };
    const options = { socketPath: this.#socketPath, method, path, headers, agent: this.#agent };
    return new Promise((resolve, reject) => {
      const call = request(options, (response) => {
        buffer(response).then((answer) => resolve({ status: response.statusCode, answer }), reject);
      });
      call.on('error', reject);
      call.end(body);
    });
  }
}

/** A form with the document as each of `files` parts `file`. */
export function formOf(document: Buffer, files = 1): Buffer {
  const head = `--${BOUNDARY}\r\ncontent-disposition: form-data; name="file"; filename="document.docx"\r\n\r\n`;
  const parts = Array.from({ length: files }, () => [Buffer.from(head), document, Buffer.from('\r\n')]);
  return Buffer.concat([...parts.flat(), Buffer.from(`--${BOUNDARY}--\r\n`)]);
}
