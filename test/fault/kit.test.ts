/**
 * The kit and its children are killed, stopped and starved under load: every request gets its PDF or an error of the
 * catalogue, and the service is well again by itself.
 *
 * ROUNDS says how often each happens. e2e/engine-failures.test.ts has the documents of a kit and a child that are killed.
 */
import { spawn } from 'node:child_process';
import { availableParallelism } from 'node:os';
import t, { type Test } from 'tap';
import { endsCleanly, isPdf } from '../e2e/support/assertions.ts';
import { isAlive, kitOf } from '../e2e/support/processes.ts';
import { convert, get } from '../e2e/support/requests.ts';
import { docx } from '../support/documents.ts';
import { Server } from '../support/server.ts';
import { until } from '../support/until.ts';
import { areAnswers, Load } from './support/load.ts';
import { childrenOf } from './support/state.ts';

const ROUNDS = Number(process.env.ROUNDS ?? 1);
/** From the stop of the kit until the next one is ready… */
const REPLACED_WITHIN_MS = 5_000;
/** …of which this much may pass before the next one starts, if the start itself takes longer. */
const SUSPECTED_WITHIN_MS = 2_000;
const CONVERT_TIMEOUT_MS = 4_000;
const CLIENTS = 4;
/** Processes that do nothing but keep a core busy. */
const HOGS = 8 * availableParallelism();

const server = await Server.start({
  env: {
    CONVERT_TIMEOUT_MS: String(CONVERT_TIMEOUT_MS),
    KIT_MAX_DOCUMENTS: '60',
    HEALTH_INTERVAL_MS: '600000',
    // The same document is sent repeatedly, and is not to blame for the deaths of its children.
    POISON_MEMORY_SECONDS: '0',
    LOG_LEVEL: 'debug',
  },
});
const { key } = await server.createKey();

/** Waits until more documents are converted, after whatever has happened: one of each client, and then some. */
const flows = (load: Load) => {
  const enough = load.converted + CLIENTS + 1;
  return until('documents are converted', () => load.converted >= enough);
};

/** Waits until each client has had an answer, and more. */
const answers = (load: Load) => {
  const enough = load.answers.length + CLIENTS + 1;
  return until('requests are answered', () => load.answers.length >= enough);
};

const anotherKit = (former: number) => until('another kit takes over', () => kitOf(server) !== former);

/** Sends a signal to processes of which some may just have ended. */
function signal(pids: readonly number[], name: NodeJS.Signals): void {
  for (const pid of pids) if (isAlive(pid)) process.kill(pid, name);
}

async function stopped(t: Test, also: readonly number[]): Promise<void> {
  const kit = kitOf(server);
  const at = performance.now();
  signal([kit, ...also], 'SIGSTOP');
  await server.logged('the kit does not answer', (line) => line.kit === kit);
  const suspectedMs = performance.now() - at;
  await anotherKit(kit);
  const tookMs = performance.now() - at;
  const limitMs = Math.max(REPLACED_WITHIN_MS, SUSPECTED_WITHIN_MS + tookMs - suspectedMs);
  t.ok(tookMs < limitMs, `it took ${Math.round(tookMs)} of ${Math.round(limitMs)} ms`);
  await until('the stopped one is gone', () => ![kit, ...also].some(isAlive));
}

/** Leaves the server a small share of every core while the task runs. */
async function starving(task: () => Promise<unknown>): Promise<void> {
  const hogs = Array.from({ length: HOGS }, () =>
    spawn('setpriv', ['--pdeathsig', 'KILL', 'sh', '-c', 'while :; do :; done'], { stdio: 'ignore' }),
  );
  await task().finally(() => {
    for (const hog of hogs) hog.kill('SIGKILL');
  });
}

const faults: Readonly<Record<string, (t: Test, load: Load) => Promise<unknown>>> = {
  async 'the kit is killed'() {
    const kit = kitOf(server);
    signal([kit], 'SIGKILL');
    await anotherKit(kit);
  },
  'the kit and its children are stopped': async (t) => stopped(t, await childrenOf(kitOf(server))),
  async 'the children are killed'() {
    signal(await childrenOf(kitOf(server)), 'SIGKILL');
  },
  async 'the children are stopped'() {
    const children = await childrenOf(kitOf(server));
    signal(children, 'SIGSTOP');
    await until('they are gone', () => !children.some(isAlive));
  },
  // No document may be done in its time then, on a slow machine.
  'all are starved': (_t, load) => starving(() => answers(load)),
};

for (let round = 1; round <= ROUNDS; round++) {
  for (const [name, happen] of Object.entries(faults)) {
    t.test(`${name} (${round})`, async (t) => {
      const load = new Load(server, key, CLIENTS);
      await flows(load);
      await happen(t, load);
      await flows(load);
      await load.stop();
      t.comment(areAnswers(t, load.answers));
      await until('it is healthy', async () => (await get(server, '/health')).status === 200);
      await isPdf(t, await convert(server, key, docx()), 'Hello from Platen.');
      // A PDF goes out while its folder is removed.
      await until('nothing is left of the documents', async () => (await server.jobs()).length === 0);
    });
  }
}

t.test('the server ends cleanly', (t) => endsCleanly(t, server));
