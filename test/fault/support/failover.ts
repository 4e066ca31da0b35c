/**
 * A server under load whose Redis fails over: what clients see, and what is billed afterwards. Documents are
 * converted at once and in a job, whose end a webhook reports.
 */
import type { Test } from 'tap';
import { endsCleanly, isDelivered } from '../../e2e/support/assertions.ts';
import { billedIds } from '../../e2e/support/operator.ts';
import { patiently } from '../../e2e/support/patience.ts';
import {
  type Answer,
  answerTo,
  filePartHead,
  formEnd,
  multipart,
  openUpload,
  send,
} from '../../e2e/support/requests.ts';
import { docx } from '../../support/documents.ts';
import { Receiver } from '../../support/receiver.ts';
import { S3Server } from '../../support/s3-server.ts';
import { Server } from '../../support/server.ts';
import { until } from '../../support/until.ts';
import { startEgress } from './egress.ts';
import { areAnswers, Load } from './load.ts';

const FILES = 4;
/** Clients that convert, and how long each pauses after a PDF: the machine must have time for a failover. */
const CLIENTS = 2;
const PAUSE_MS = 100;

export interface Failover {
  readonly name: string;
  /** Resolves when it has begun. */
  begin(): Promise<unknown>;
  /** Resolves when there is another master. */
  over(): Promise<unknown>;
  /** Brings back what it has ended. */
  mend(): Promise<unknown>;
}

interface Keys {
  readonly account: string;
  readonly key: string;
  readonly revoked: string;
}

export class FailoverTrial {
  readonly server: Server;
  readonly #env: Readonly<Record<string, string>>;
  readonly #keys: Keys;
  readonly #receiver: Receiver;
  /** Ids of requests that got their PDFs, and of files of jobs that have one. */
  readonly #made: string[] = [];
  #jobs = 0;

  private constructor(server: Server, env: Readonly<Record<string, string>>, keys: Keys, receiver: Receiver) {
    this.server = server;
    this.#env = env;
    this.#keys = keys;
    this.#receiver = receiver;
  }

  /** Starts a server and an egress process on a Redis, each with its URL. */
  static async start(
    t: Test,
    redis: { readonly url: string; readonly egressUrl: string },
  ): Promise<FailoverTrial> {
    const s3 = await S3Server.start(t);
    const receiver = await Receiver.start(t);
    const env = {
      REDIS_URL: redis.url,
      S3_BUCKET: s3.bucket,
      S3_ENDPOINT: s3.endpoint,
      S3_PATH_STYLE: 'true',
      EGRESS_ALLOW_HTTP: 'true',
      EGRESS_ALLOW_NETWORKS: '127.0.0.1/32',
      HEALTH_INTERVAL_MS: '600000',
      AUTH_FAILURES_PER_MINUTE: '1000000',
      ...s3.credentials,
    };
    const server = await Server.start({ env });
    t.teardown(() => server.stop('SIGKILL'));
    await startEgress(t, { ...env, REDIS_URL: redis.egressUrl });
    const { key, account } = await server.createKey();
    const { key: revoked, id } = await server.createKey();
    await server.revokeKey(id);
    await send(server, '/v1/webhooks/secret', { key });
    return new FailoverTrial(server, env, { account, key, revoked }, receiver);
  }

  /** Proves what clients see of a failover. */
  async survive(t: Test, failover: Failover): Promise<void> {
    const { key, revoked } = this.#keys;
    const uploads = [await this.#beginUpload(1), await this.#beginUpload(2)] as const;
    const load = new Load(this.server, key, CLIENTS, PAUSE_MS);
    const intruder = new Load(this.server, revoked, 1);
    let hasBegun = false;
    const begin = () => {
      hasBegun = true;
      return failover.begin();
    };
    try {
      await this.#survive(t, { ...failover, begin }, uploads, load, intruder);
    } finally {
      await Promise.allSettled([load.stop(), intruder.stop()]);
      if (hasBegun) await failover.mend();
    }
  }

  async #survive(
    t: Test,
    { name, begin, over }: Failover,
    uploads: readonly [() => Promise<Answer>, () => Promise<Answer>],
    load: Load,
    intruder: Load,
  ): Promise<void> {
    await until('documents are converted', () => load.converted > CLIENTS);
    const job = await this.#postJob();
    const isOver = over();
    const began = performance.now();
    await begin();
    const first = await uploads[0]();
    await isOver;
    const overMs = performance.now() - began;
    const count = load.answers.length;
    const isWell = () => load.answers.length > count && load.answers.at(-1)?.status === 200;
    await until('admissions are refused no more', isWell);
    const second = await uploads[1]();
    await Promise.all([load.stop(), intruder.stop()]);
    for (const answer of [first, second]) {
      if (isDelivered(t, answer)) this.#made.push(requestId(answer));
    }
    const kinds = areAnswers(t, load.answers);
    const others = Object.keys(kinds).filter(
      (kind) => !['PDF', 'SERVICE_UNAVAILABLE', 'OVERLOADED'].includes(kind),
    );
    t.strictSame(others, [], `${name}: PDFs and 503`);
    this.#made.push(...load.answers.filter(({ status }) => status === 200).map(requestId));
    const intruded = areAnswers(t, intruder.answers);
    t.notOk(intruded.PDF, `${name}: a revoked key gets in at no time`);
    t.ok(intruded.INVALID_API_KEY);
    await this.#endJob(t, job);
    const refused = load.answers
      .filter(({ status }) => status === 503)
      .map(({ at }) => Math.round(at - began));
    t.comment(
      `${name}: another master after ${Math.round(overMs)} ms; refused from ${refused[0]} to ${refused.at(-1)} ms: ` +
        JSON.stringify(kinds),
    );
  }

  /** Whose documents they are. */
  get account(): string {
    return this.#keys.account;
  }

  /**
   * Stops the server, which settles what Redis did not confirm or lost, and asserts that another one shows a bill for each PDF that
   * was made, and nothing else.
   */
  async end(t: Test): Promise<void> {
    await endsCleanly(t, this.server);
    const next = await Server.start({ env: this.#env });
    t.teardown(() => next.stop('SIGKILL'));
    t.strictSame(await billedIds(next, this.account), this.#made.toSorted(), 'each PDF is billed once');
    const count = (message: string) => this.server.log.filter(({ msg }) => msg === message).length;
    const repeated = count('a settlement is tried again');
    const restored = count('Redis lost a settlement, and has it again');
    t.comment(`${this.#made.length} PDFs; settlements tried again: ${repeated}; lost by Redis: ${restored}`);
  }

  /**
   * Begins an upload, and waits until it is admitted.
   *
   * @param nth how many there are by then.
   * @returns sends the rest of it.
   */
  async #beginUpload(nth: number): Promise<() => Promise<Answer>> {
    const document = docx();
    const contentLength = filePartHead.length + document.length + formEnd.length;
    const request = openUpload(this.server, '/v1/convert', { key: this.#keys.key, contentLength });
    const answer = answerTo(request);
    request.write(filePartHead);
    await until('it is admitted', async () => (await this.server.jobs()).length === nth);
    return () => {
      request.write(document);
      request.end(formEnd);
      return answer;
    };
  }

  async #postJob(): Promise<string> {
    const files = Array.from({ length: FILES }, (_, n) => ({
      headers: ['Content-Disposition: form-data; name="file"; filename="report.docx"'],
      data: docx({ pages: n + 1 }),
    }));
    const webhook = {
      headers: ['Content-Disposition: form-data; name="webhook"'],
      data: this.#receiver.url(`/${++this.#jobs}`),
    };
    const form = multipart([webhook, ...files]);
    const answer = await patiently(() => send(this.server, '/v1/jobs', { key: this.#keys.key, ...form }));
    if (answer.status !== 202) throw new Error(answer.body.toString());
    return JSON.parse(answer.body.toString()).id;
  }

  async #endJob(t: Test, id: string): Promise<void> {
    let job: { readonly state?: string; readonly counts?: object } = {};
    await until('the job ends', async () => {
      const path = `/v1/jobs/${id}`;
      const { body } = await patiently(() => send(this.server, path, { method: 'GET', key: this.#keys.key }));
      job = JSON.parse(body.toString());
      return job.state === 'completed';
    });
    t.match(job.counts, { succeeded: FILES });
    this.#made.push(...Array.from({ length: FILES }, (_, n) => `${id}.${n + 1}`));
    const told = () => this.#receiver.to(`/${this.#jobs}`);
    await until('its end is told', () => told().length > 0);
    t.equal(new Set(told().map(({ headers }) => headers['webhook-id'])).size, 1, 'with one id');
  }
}

function requestId({ headers }: Answer): string {
  return String(headers.get('x-request-id'));
}
