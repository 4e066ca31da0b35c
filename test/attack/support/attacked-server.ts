/** A server that is sent attacks, with canaries around it and listeners beside it. */
import { mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Test } from 'tap';
import { type Code, endsCleanly, isError, isPdf } from '../../e2e/support/assertions.ts';
import { type Answer, convert } from '../../e2e/support/requests.ts';
import { docx } from '../../support/documents.ts';
import { Server } from '../../support/server.ts';
import { until } from '../../support/until.ts';
import { benignDocx, benignPictures } from './benign-pictures.ts';
import { changesIn, ENVIRONMENT_CANARY, plantCanaries } from './canaries.ts';
import type { Case, Outcome, Targets } from './case.ts';
import { canariesIn, isNear, middlesOf } from './inspect.ts';
import { Listeners } from './listeners.ts';

const CONCURRENCY = 2;
/** Extra time of an answer beyond its conversion's budget: both wait for a worker at most once. */
const GRACE_MS = 10_000;
/** Folders of the data folder that the server itself changes: its Redis, its jobs. */
const OWN = /^(redis|jobs)\b/;

interface Budgets {
  readonly timeoutMs: number;
  readonly memoryMb: number;
}

export class AttackedServer {
  readonly #server: Server;
  readonly #key: string;
  readonly #budgets: Budgets;
  readonly #listeners: Listeners;
  readonly #targets: Targets;
  /** A folder of the test's own, for the PDFs. */
  readonly #folder: string;
  #before: string[] = [];

  private constructor(
    server: Server,
    key: string,
    budgets: Budgets,
    listeners: Listeners,
    targets: Targets,
    folder: string,
  ) {
    this.#server = server;
    this.#key = key;
    this.#budgets = budgets;
    this.#listeners = listeners;
    this.#targets = targets;
    this.#folder = folder;
  }

  static async start(t: Test, budgets: Budgets): Promise<AttackedServer> {
    const listeners = await Listeners.open(t);
    const server = await Server.start({
      env: {
        WORKERS: String(CONCURRENCY),
        CONVERT_TIMEOUT_MS: String(budgets.timeoutMs),
        JOB_MEMORY_MB: String(budgets.memoryMb),
        PLATEN_CANARY: ENVIRONMENT_CANARY,
      },
    });
    // For a test that fails early; otherwise the server has been stopped before.
    t.teardown(() => server.stop('SIGKILL'));
    const { key } = await server.createKey();
    const folder = await mkdtemp(join(tmpdir(), 'platen-attack-'));
    t.teardown(() => rm(folder, { recursive: true, force: true }));
    const entries = await readdir(server.workDir, { withFileTypes: true });
    const own = entries.find((entry) => entry.isDirectory())?.name ?? '';
    const folders = [
      join(folder, 'canaries'),
      join(server.dataDir, 'canaries'),
      join(server.workDir, own, 'job-of-another-customer'),
    ];
    for (const each of folders) await plantCanaries(each);
    const kit = Number(server.log.find(({ msg }) => msg === 'kit ready')?.kit);
    const environments = ['self', server.pid, kit].map((process) => `/proc/${process}/environ`);
    const web = listeners.hosts.map((host) => `http://${host}`);
    const targets = { web, hosts: listeners.hosts, folders, environments };
    const attacked = new AttackedServer(server, key, budgets, listeners, targets, folder);
    attacked.#before = await attacked.#surroundings();
    return attacked;
  }

  /** Sends the documents, two at a time, and asserts what comes back. */
  async send(t: Test, cases: readonly Case[]): Promise<void> {
    const queue = cases.values();
    const worker = async () => {
      for (const each of queue) await this.#attack(t, each);
    };
    await Promise.all(Array.from({ length: CONCURRENCY }, worker));
  }

  /** Asserts that each benign picture is drawn, so the decoder of its malformed twin is reached. */
  async draws(t: Test): Promise<void> {
    const path = join(this.#folder, 'benign.pdf');
    const { status, body } = await convert(this.#server, this.#key, benignDocx());
    t.equal(status, 200, 'benign pictures');
    await writeFile(path, body);
    const middles = await middlesOf(path);
    for (const [i, [extension, { colour }]] of Object.entries(benignPictures).entries()) {
      const dot = middles[i] ?? new Uint8Array();
      t.ok(isNear(dot, colour), `a picture that is drawn (${extension}): ${dot.join()}`);
    }
  }

  /** Asserts that nobody was reached, that nothing has changed, and that the next customer is served. */
  async isUntouched(t: Test): Promise<void> {
    t.strictSame(await this.#listeners.contacts(), [], 'no listener saw anything');
    for (const folder of this.#targets.folders) t.strictSame(await changesIn(folder), [], 'canaries');
    await isPdf(t, await convert(this.#server, this.#key, docx()), 'Hello from Platen.');
    const rest = this.#targets.folders.length - 2;
    await until('the jobs are gone', async () => (await this.#server.jobs()).length === rest);
    t.strictSame(await this.#surroundings(), this.#before, 'nothing has changed around the jobs');
    await endsCleanly(t, this.#server);
  }

  async #attack(t: Test, { name, build, outcomes = [200] }: Case): Promise<void> {
    const document = build(this.#targets);
    const start = performance.now();
    const answer = await convert(this.#server, this.#key, document);
    const took = performance.now() - start;
    const outcome = outcomeOf(answer);
    t.ok(outcomes.includes(outcome), `${name}: ${outcome}, of ${outcomes.join(' or ')}`);
    t.ok(took < this.#budgets.timeoutMs + GRACE_MS, `${name}: ended after ${Math.round(took)} ms`);
    if (outcome !== 200) isError(t, answer, outcome, undefined, name);
    else await this.#isInnocent(t, name, answer);
  }

  /** Asserts that the PDF shows no canary, and that its conversion stayed within its memory. */
  async #isInnocent(t: Test, name: string, { body, headers }: Answer): Promise<void> {
    const path = join(this.#folder, `${headers.get('x-request-id')}.pdf`);
    await writeFile(path, body);
    t.strictSame(await canariesIn(path), [], `${name}: no canary in the PDF`);
    await rm(path);
    const id = headers.get('x-request-id');
    const { conversion } = await this.#server.logged('request', (line) => line.reqId === id);
    const { peakBytes } = conversion as { peakBytes: number };
    t.ok(peakBytes <= this.#budgets.memoryMb * 1_048_576, `${name}: ${peakBytes} bytes of memory`);
  }

  /** What a document could leave behind outside of its folder, by name, size and time. */
  async #surroundings(): Promise<string[]> {
    const names = await readdir(this.#server.dataDir, { recursive: true });
    const paths = [
      ...names.filter((name) => !OWN.test(name)).map((name) => join(this.#server.dataDir, name)),
      ...['.config/libreoffice', '.gnupg', '.cache/dconf'].map((name) => join(homedir(), name)),
      join(tmpdir(), 'platen-eps-ran'),
    ];
    const states = paths.sort().map(async (path) => {
      const about = await stat(path).catch(() => undefined);
      return about
        ? `${path} ${about.isDirectory() ? '' : about.size} ${about.mtimeMs}`
        : `${path} is not there`;
    });
    return Promise.all(states);
  }
}

function outcomeOf({ status, body }: Answer): Outcome {
  return status === 200 ? 200 : (JSON.parse(body.toString('utf8')) as { code: Code }).code;
}
