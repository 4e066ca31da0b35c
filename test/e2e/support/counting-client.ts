/** A client that counts the bytes that it gets of a PDF, even if the server dies. */
import { randomUUID } from 'node:crypto';
import { request } from 'node:http';
import type { Server } from '../../support/server.ts';
import { bearer, filePartHead, formEnd, multipart } from './requests.ts';

export class CountingClient {
  readonly document: Buffer;
  readonly headers: Readonly<Record<string, string>> = { 'idempotency-key': randomUUID() };
  /** Resolves at the first byte of a PDF; never, if none arrives. */
  readonly begun: Promise<void>;
  /** Whether the whole PDF arrived. */
  readonly delivered: Promise<boolean>;
  /** The id of its request; undefined before the head of a PDF arrived. */
  requestId: string | undefined;
  /** Bytes of the PDF that have not arrived; undefined as above. */
  missing: number | undefined;

  /** Sends the document at once. */
  constructor(server: Server, key: string, document: Buffer) {
    this.document = document;
    let begin = () => {};
    this.begun = new Promise((resolve) => {
      begin = resolve;
    });
    const { headers } = multipart([]);
    const call = request(`${server.url}/v1/convert`, {
      method: 'POST',
      agent: false,
      headers: { ...headers, ...bearer(key), ...this.headers },
    });
    this.delivered = new Promise((resolve) => {
      call.once('error', () => resolve(false));
      call.once('response', (response) => {
        response.once('error', () => resolve(false));
        response.once('close', () => resolve(false));
        response.resume();
        if (response.statusCode !== 200) return;
        let missing = Number(response.headers['content-length']);
        this.missing = missing;
        this.requestId = String(response.headers['x-request-id']);
        response.on('data', (chunk: Buffer) => {
          missing -= chunk.length;
          this.missing = missing;
          begin();
          if (missing === 0) resolve(true);
        });
      });
    });
    call.end(Buffer.concat([filePartHead, document, formEnd]));
  }
}
