/** Customers: conversions that are repeated until they have ended, and jobs from their documents to their PDFs. */
import { createHash, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import type { Books, JobBooks } from './books.ts';
import type { DayDocument } from './documents.ts';
import { type Answer, type Asked, ask, bearer, formHeaders, formOf } from './http.ts';
import type { Messages } from './messages.ts';
import type { Chance } from './random.ts';
import { RETENTION_MS, type Scope, type SoakService } from './service.ts';

/** How long a client retries interrupted or refused requests. */
const PATIENCE_MS = 300_000;
/** Polling interval of a job whose message did not come. */
const LOOK_MS = 5_000;
/** Options that some of the conversions ask for. */
const OPTIONS = ['', '', '', '', '', '', '?pdfa=2b', '?linearize=true', '?tagged=false', '?images=jpeg'];
/** Longest `Retry-After` that a client waits for, in seconds. */
const LONGEST_WAIT_S = 5;

export interface Customer {
  readonly account: string;
  readonly key: string;
  readonly testKey: string;
}

interface Job {
  readonly id: string;
  readonly state: string;
  readonly files: readonly {
    readonly state: string;
    readonly error: { readonly code: string } | null;
    readonly pdf: { readonly sha256: string; readonly pages: number } | null;
  }[];
}

export class Clients {
  readonly #service: SoakService;
  readonly #books: Books;
  readonly #messages: Messages;
  readonly #chance: Chance;
  readonly #documents: readonly DayDocument[];
  /** How each document ended the first time, with each of the options. */
  readonly #ends = new Map<string, string>();
  readonly #host: number;
  #turn = 0;

  private constructor(parts: Parts, host: number) {
    this.#service = parts.service;
    this.#books = parts.books;
    this.#messages = parts.messages;
    this.#chance = parts.chance;
    this.#documents = parts.documents;
    this.#host = host;
  }

  /** Also starts the server that has the documents of jobs by URL. */
  static async start(scope: Scope, parts: Parts): Promise<Clients> {
    const host = createServer(({ url = '' }, response) => {
      response.end(parts.documents[Number(url.slice(1))]?.content);
    }).listen(0, '127.0.0.1');
    await once(host, 'listening');
    scope.teardown(() => {
      host.close();
      host.closeAllConnections();
    });
    return new Clients(parts, (host.address() as AddressInfo).port);
  }

  /** A conversion whose client waits, and repeats it until it has a PDF or an error that is final. */
  async convert(customer: Customer, document: DayDocument): Promise<void> {
    const options = document.expected === 'PDF' ? this.#chance.one(OPTIONS) : '';
    const isPatient = !this.#chance.is(0.02);
    const idempotencyKey = randomUUID();
    const answer = await this.#insist(`/v1/convert${options}`, customer.key, {
      method: 'POST',
      body: formOf([document.content]),
      headers: {
        ...formHeaders,
        'idempotency-key': idempotencyKey,
        ...(!isPatient && { prefer: 'respond-async, wait=0' }),
      },
    });
    if (!answer) return;
    const books = this.#books.of(customer.account);
    if (answer.status === 202) {
      const { id } = JSON.parse(String(answer.body)) as Job;
      return this.#follow(customer, id, { isConversion: true, hasWebhook: false, documents: [document] });
    }
    this.#books.documents++;
    const end = this.#endOf(answer);
    this.#isAsExpected(document, options, end);
    if (answer.status === 200) books.delivered.add(String(answer.headers['x-request-id']));
  }

  /** With a test key, or on the public endpoint: what is not billed. */
  async convertUnbilled(customer: Customer, document: DayDocument): Promise<void> {
    const isPublic = this.#chance.is(0.5);
    const path = isPublic ? '/v1/public/convert' : '/v1/convert';
    const answer = await this.#insist(path, isPublic ? undefined : customer.testKey, {
      method: 'POST',
      body: formOf([document.content]),
      headers: formHeaders,
    });
    this.#books.documents++;
    if (answer) this.#isAsExpected(document, '', this.#endOf(answer));
  }

  /** A job from its documents to its PDFs. */
  async job(customer: Customer, documents: readonly DayDocument[]): Promise<void> {
    const hasWebhook = this.#chance.is(0.5);
    const webhook = this.#messages.url('own', customer.account);
    const isByUrl = this.#chance.is(0.3);
    const files = documents.map((document) => ({
      url: `http://127.0.0.1:${this.#host}/${this.#documents.indexOf(document)}`,
    }));
    const answer = await this.#insist('/v1/jobs', customer.key, {
      method: 'POST',
      body: isByUrl
        ? { files, ...(hasWebhook && { webhook }) }
        : formOf(
            documents.map(({ content }) => content),
            hasWebhook ? { webhook } : {},
          ),
      headers: { ...(!isByUrl && formHeaders), 'idempotency-key': randomUUID() },
    });
    if (!answer) return;
    if (answer.status !== 202) {
      this.#books.fault(`a job is refused: ${answer.status} ${answer.body}`);
      return;
    }
    this.#books.count(isByUrl ? 'jobs by URL' : 'jobs by form');
    const { id } = JSON.parse(String(answer.body)) as Job;
    await this.#follow(customer, id, { isConversion: false, hasWebhook, documents });
  }

  async #follow(
    customer: Customer,
    id: string,
    { isConversion, hasWebhook, documents }: Followed,
  ): Promise<void> {
    const record: JobBooks = {
      isConversion,
      hasWebhook,
      expected: documents.map(({ expected }) => expected),
      succeeded: undefined,
    };
    this.#books.of(customer.account).jobs.set(id, record);
    const job = await this.#ended(customer, id);
    this.#books.documents += documents.length;
    if (!job) return;
    record.succeeded = job.files.flatMap(({ pdf }, index) => (pdf ? [index + 1] : []));
    if (job.files.length !== documents.length) this.#books.fault(`${id} has ${job.files.length} files`);
    for (const [index, { state, error, pdf }] of job.files.entries()) {
      const document = documents[index] as DayDocument;
      if (!pdf && state !== 'failed') this.#books.fault(`a file of ${id} ended as ${state}`);
      // The options of a conversion that became a job do not matter: they do not change its pages.
      this.#isAsExpected(document, '', pdf ? `PDF of ${pdf.pages} pages` : String(error?.code));
    }
    await this.#fetch(customer, job, record);
    // Deleting the job would also delete its messages.
    const isTold = await this.#messages.told(customer.account, id, record, RETENTION_MS / 2);
    if (isTold && this.#chance.is(0.8)) {
      const gone = await this.#insist(`/v1/jobs/${id}`, customer.key, { method: 'DELETE' });
      if (gone && gone.status !== 204 && gone.status !== 404)
        this.#books.fault(`${id} is not deleted: ${gone.status}`);
      this.#books.count('jobs deleted');
    }
  }

  /** Waits for its message, and polls its state in case the message is lost. */
  async #ended({ account, key }: Customer, id: string): Promise<Job | undefined> {
    const start = performance.now();
    while (performance.now() - start < PATIENCE_MS) {
      await this.#messages.told(account, id, { hasWebhook: false }, LOOK_MS);
      const answer = await this.#insist(`/v1/jobs/${id}`, key);
      if (!answer) return undefined;
      const job = JSON.parse(String(answer.body)) as Job;
      if (answer.status === 200 && !['queued', 'running'].includes(job.state)) return job;
    }
    this.#books.fault(`${id} does not end`);
    return undefined;
  }

  /** Some of its PDFs, or all at once. */
  async #fetch({ key }: Customer, { id, files }: Job, { succeeded = [] }: JobBooks): Promise<void> {
    if (succeeded.length === 0) return;
    if (this.#chance.is(0.1)) {
      const archive = await this.#insist(`/v1/jobs/${id}/archive`, key);
      this.#books.count('archives');
      if (archive && archive.body.subarray(0, 2).toString() !== 'PK')
        this.#books.fault(`no archive of ${id}: ${archive.status} ${archive.body.subarray(0, 300)}`);
      return;
    }
    const n = this.#chance.one(succeeded);
    const redirect = this.#chance.is(0.5) ? '' : '?redirect=false';
    const first = await this.#insist(`/v1/jobs/${id}/files/${n}${redirect}`, key);
    let answer = first;
    if (first?.status === 303) {
      answer = await ask(String(first.headers.location)).catch(() => undefined);
      // S3 may be away; the client asks the service instead.
      if (answer?.status !== 200)
        answer = await this.#insist(`/v1/jobs/${id}/files/${n}?redirect=false`, key);
    }
    if (!answer) return;
    const digest = createHash('sha256').update(answer.body).digest('hex');
    if (digest !== files[n - 1]?.pdf?.sha256)
      this.#books.fault(`the PDF ${n} of ${id} is another one: ${answer.status}`);
  }

  /**
   * Sends a request until it has an answer that is final, as docs/guide/retries.md says.
   *
   * @returns undefined if there is none in time, which is a fault.
   */
  async #insist(path: string, key: string | undefined, asked: Asked = {}): Promise<Answer | undefined> {
    const start = performance.now();
    let last = '';
    for (let attempt = 0; performance.now() - start < PATIENCE_MS; attempt++) {
      const server = this.#service.servers[this.#turn++ % this.#service.servers.length];
      const headers = { ...asked.headers, ...(key !== undefined && bearer(key)) };
      let waitS = 0;
      try {
        const answer = await ask(`${server?.url}${path}`, { ...asked, headers });
        this.#books.count(`answers ${answer.status}${codeOf(answer)}`);
        last = `${answer.status}${codeOf(answer)}`;
        if (![408, 409, 429, 502, 503, 504].includes(answer.status) && codeOf(answer) !== ' INTERNAL_ERROR')
          return answer;
        if (codeOf(answer) === ' INTERNAL_ERROR') this.#books.fault(`${path}: ${answer.body}`);
        waitS = Math.min(Number(answer.headers['retry-after'] ?? 1), LONGEST_WAIT_S);
      } catch (error) {
        this.#books.count('broken connections');
        last = (error as Error).message;
      }
      const backOffMs = Math.min(5_000, 250 * 2 ** attempt) * this.#chance.next();
      await delay(waitS * 1_000 + backOffMs);
    }
    this.#books.fault(`no final answer to ${asked.method ?? 'GET'} ${path}: ${last}`);
    return undefined;
  }

  /** `PDF` with its pages, or the code of an error. Whether the PDF is whole is looked at, too. */
  #endOf({ status, headers, body }: Answer): string {
    if (status !== 200) return codeOf({ status, headers, body }).trim() || String(status);
    const digest = createHash('sha256').update(body).digest('base64');
    if (body.subarray(0, 5).toString() !== '%PDF-' || !String(headers['repr-digest']).includes(digest))
      this.#books.fault(`a PDF is not whole: ${headers['x-request-id']}`);
    return `PDF of ${headers['x-conversion-pages']} pages`;
  }

  #isAsExpected(document: DayDocument, options: string, end: string): void {
    const known = this.#ends.get(document.name);
    if (known === undefined) this.#ends.set(document.name, end);
    else if (known !== end) this.#books.fault(`${document.name}${options}: ${end}, but ${known} before`);
    if (document.expected !== undefined && !end.startsWith(document.expected))
      this.#books.fault(`${document.name}${options}: ${end}, not ${document.expected}`);
    this.#books.count(end.startsWith('PDF') ? 'PDFs' : `refused: ${end}`);
  }
}

interface Parts {
  readonly service: SoakService;
  readonly books: Books;
  readonly messages: Messages;
  readonly chance: Chance;
  readonly documents: readonly DayDocument[];
}

interface Followed extends Pick<JobBooks, 'isConversion' | 'hasWebhook'> {
  readonly documents: readonly DayDocument[];
}

/** The code of an error, after a space; empty for other answers. */
function codeOf({ status, headers, body }: Answer): string {
  if (status < 400 || !String(headers['content-type']).startsWith('application/json')) return '';
  return ` ${(JSON.parse(String(body)) as { code: string }).code}`;
}
