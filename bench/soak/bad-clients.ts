/** Clients that leave, send rubbish, or lack a permission: in a separate account, as they repeat no interrupted requests. */
import { once } from 'node:events';
import { request } from 'node:http';
import { connect } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { malformedDocx, plainText } from '../../test/support/documents.ts';
import type { Books } from './books.ts';
import type { DayDocument } from './documents.ts';
import { ask, bearer, formHeaders, formOf } from './http.ts';
import type { Chance } from './random.ts';
import type { SoakService } from './service.ts';

const SILENT_MS = 5_000;

export class BadClients {
  readonly #service: SoakService;
  readonly #books: Books;
  readonly #chance: Chance;
  readonly #key: string;
  /** Conversions that were sent whole, and so may be billed. */
  mayBeBilled = 0;

  constructor(service: SoakService, books: Books, chance: Chance, key: string) {
    this.#service = service;
    this.#books = books;
    this.#chance = chance;
    this.#key = key;
  }

  async misbehave(document: DayDocument): Promise<void> {
    const url = this.#chance.one(this.#service.servers).url;
    const deeds = {
      'leaves during the upload': () => this.#leave(url, document, this.#chance.between(0.1, 0.9), 0),
      'leaves during the conversion': () => this.#leave(url, document, 1, this.#chance.between(0, 60)),
      'leaves during the delivery': () => this.#leaveDelivery(url, document),
      'sends no HTTP': () => this.#talk(url, 'GET\u0000 / \r\n\r\n'),
      'sends half a header': () => this.#talk(url, 'POST /v1/convert HTTP/1.1\r\nhost: x\r\n'),
      'has a wrong key': () => this.#refused(url, `${this.#key}x`, document.content, 401),
      'sends no DOCX': () => this.#refused(url, this.#key, plainText(), 400),
      'sends a damaged DOCX': () => this.#refused(url, this.#key, malformedDocx(), 400),
      'asks for what is not there': () => this.#refused(`${url}/v1/nothing?`, this.#key, plainText(), 404),
    };
    const [name, deed] = this.#chance.one(Object.entries(deeds));
    this.#books.count(`bad client ${name}`);
    // It may fail, as servers are killed.
    await deed().catch(() => {});
  }

  async #leave(url: string, { content }: DayDocument, share: number, afterMs: number): Promise<void> {
    const body = formOf([content]);
    const call = this.#open(url, body.length);
    if (share === 1) this.mayBeBilled++;
    // A server that is away at the moment refuses the connection: `once` then rejects before anybody waits for it.
    const gone = once(call, 'close').catch(() => {});
    call.write(body.subarray(0, Math.floor(body.length * share)));
    await delay(afterMs + 20);
    call.destroy();
    await gone;
  }

  async #leaveDelivery(url: string, { content }: DayDocument): Promise<void> {
    const body = formOf([content]);
    const call = this.#open(url, body.length);
    this.mayBeBilled++;
    call.end(body);
    const [response] = await once(call, 'response');
    response.destroy();
  }

  #open(url: string, length: number) {
    const headers = { ...formHeaders, ...bearer(this.#key), 'content-length': length };
    const call = request(`${url}/v1/convert`, { method: 'POST', agent: false, headers });
    call.on('error', () => {});
    call.setTimeout(60_000, () => call.destroy());
    return call;
  }

  async #talk(url: string, text: string): Promise<void> {
    const { hostname, port } = new URL(url);
    const socket = connect(Number(port), hostname);
    socket.on('error', () => {});
    const closed = once(socket, 'close');
    socket.write(text);
    socket.resume();
    await Promise.race([closed, delay(SILENT_MS)]);
    socket.destroy();
  }

  async #refused(url: string, key: string, document: Buffer, status: number): Promise<void> {
    const address = url.endsWith('?') ? url : `${url}/v1/convert`;
    const body = formOf([document]);
    const answer = await ask(address, { method: 'POST', body, headers: { ...formHeaders, ...bearer(key) } });
    if (answer.status !== status && answer.status !== 503)
      this.#books.fault(`a bad client got ${answer.status}, not ${status}: ${answer.body}`);
  }
}
