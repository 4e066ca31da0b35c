/**
 * npm run soak: a day's documents in two hours, with jobs, webhooks, people and bad clients, while processes of all kinds are
 * killed at random. Exit code 1: something grew, got lost, was billed wrongly or stayed behind; it says what.
 *
 * --documents N   how many (default 100,000)
 * --minutes N     in how much time (default 120); whichever is over first
 * --kill-seconds N  mean time between the return of a killed process and the next kill (default 25)
 * --documents-per-child N  DOCUMENTS_PER_CHILD (default 1); the first account has a process for each document all the same
 * --seed N        of documents, arrivals and kills (default: by chance; it is printed)
 * --corpus DIR    its .docx files (default: CORPUS_DIR, else ../shared/corpus, else built ones)
 * --out DIR       for tables, log and plots (default bench/results/soak)
 *
 * A program of its own, not a test: it takes longer than a test runner waits, and its tables are its result. `npm run test:soak`
 * runs it for some minutes.
 */
import { appendFile, mkdir, rm, writeFile } from 'node:fs/promises';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { BadClients } from './bad-clients.ts';
import { Books } from './books.ts';
import { Clients } from './clients.ts';
import { isolate, makeCustomer } from './customers.ts';
import { Deck, readDocuments } from './documents.ts';
import { ask, bearer, formHeaders, formOf } from './http.ts';
import { Kills } from './kills.ts';
import { Messages } from './messages.ts';
import { People } from './people.ts';
import { Chance } from './random.ts';
import { foldersOfTheDead, isTidy, reckon, unexpectedlyLasting } from './reckoning.ts';
import { measureKinds } from './redis-kinds.ts';
import { report } from './report.ts';
import { Samples } from './samples.ts';
import { SoakService } from './service.ts';
import { Traffic } from './traffic.ts';

const CUSTOMERS = 4;
const PROGRESS_MS = 60_000;
/** The trend of fewer documents, projected to a day, would be noise. */
const LEAST_JUDGED = 40_000;

const { values } = parseArgs({
  options: {
    documents: { type: 'string', default: '100000' },
    minutes: { type: 'string', default: '120' },
    'kill-seconds': { type: 'string', default: '25' },
    'documents-per-child': { type: 'string', default: '1' },
    seed: { type: 'string', default: String(Math.floor(Math.random() * 2 ** 32)) },
    corpus: { type: 'string' },
    out: { type: 'string', default: 'bench/results/soak' },
  },
});
const load = { documents: number('documents'), milliseconds: number('minutes') * 60_000 };
const seed = number('seed');
const out = values.out;
const corpus = values.corpus ?? (process.env.CORPUS_DIR || undefined);

const closers: (() => unknown)[] = [];
const scope = { teardown: (close: () => unknown) => void closers.unshift(close) };
let interrupted = false;
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => (interrupted = true));

const say = (text: string) => console.log(`${new Date().toISOString()} ${text}`);
const books = new Books();
await mkdir(out, { recursive: true });
try {
  await soak();
} catch (error) {
  books.fault(`the soak broke off: ${(error as Error).stack}`);
} finally {
  for (const close of closers) await close();
}
say(books.faultCount === 0 ? 'no fault' : `${books.faultCount} faults`);
// Exits despite sockets that clients keep open.
process.exit(books.faultCount === 0 ? 0 : 1);

async function soak(): Promise<void> {
  // Each part has its own random numbers, so that the order of their actions does not affect the others.
  const chance = (n: number) => new Chance(seed + n);
  const documents = await readDocuments(corpus);
  say(`seed ${seed}, ${load.documents} documents of ${documents.length} in ${values.minutes} minutes`);
  const logFile = join(out, 'log.jsonl');
  await rm(logFile, { force: true });
  const service = await SoakService.start(scope, logFile, values['documents-per-child']);
  const messages = await Messages.start(scope, books, chance(1));
  const clients = await Clients.start(scope, { service, books, messages, chance: chance(2), documents });
  const customers = [];
  for (let n = 1; n <= CUSTOMERS; n++) customers.push(await makeCustomer(service, messages, `Customer ${n}`));
  await isolate(service, customers[0]);
  const badCustomer = await makeCustomer(service, messages, 'Bad client');
  const bad = new BadClients(service, books, chance(3), badCustomer.key);
  const people = new People(service, books, chance(4));
  await people.start(customers.map(({ account }) => account));
  const deck = new Deck(documents, chance(5));
  const traffic = new Traffic({ books, clients, bad, customers, deck, chance: chance(6) });
  const samples = new Samples(service, out, () => books.documents);
  const kills = new Kills(service, books, samples, chance(7), number('kill-seconds') * 1_000);
  await samples.start();
  kills.start();
  const progress = setInterval(() => {
    const { troubles, deaths } = service;
    say(
      `${traffic.sent} sent, ${books.documents} ended, ${books.faultCount} faults, ${deaths.length} deaths`,
    );
    void appendFile(join(out, 'troubles.json'), `${JSON.stringify(Object.fromEntries(troubles))}\n`);
  }, PROGRESS_MS);
  const started = performance.now();
  try {
    await traffic.run(load, () => interrupted);
  } finally {
    clearInterval(progress);
    await kills.stop();
    await samples.stop();
  }
  const minutes = (performance.now() - started) / 60_000;
  await people.stop();
  say(`${books.documents} documents in ${minutes.toFixed(1)} minutes; reckoning`);

  const reckoned = await reckon(service, books, messages, { clients: bad, account: badCustomer.account });
  const [easy] = documents.filter(({ expected }) => expected === 'PDF');
  if (!easy) throw new Error('no document is known to be converted');
  const all = [...customers, badCustomer].map((customer) => ({ ...customer, document: easy.content }));
  await isTidy(service, books, all, (key, document) =>
    ask(`${service.servers[0]?.url}/v1/convert`, {
      method: 'POST',
      body: formOf([document]),
      headers: { ...formHeaders, ...bearer(key) },
    }),
  );
  for (const fault of await foldersOfTheDead(service)) books.fault(fault);
  const kinds = await measureKinds(service.redis.client, Number.POSITIVE_INFINITY);
  for (const fault of unexpectedlyLasting(kinds)) books.fault(fault);
  for (const death of service.deaths) books.fault(`nobody killed it: ${death}`);
  for (const left of await service.stop()) books.fault(left);

  const verdicts = await report(out);
  const isJudged = books.documents >= LEAST_JUDGED;
  if (!isJudged) say(`growth is judged from ${LEAST_JUDGED} documents on`);
  for (const { name, growth, unit, perDay, samples: count, isFlat } of verdicts) {
    if (isJudged && !isFlat)
      books.fault(
        `${name} grows by ${growth.toFixed(1)} ${unit} a day (${perDay} at most, ${count} samples)`,
      );
  }
  const byName = (map: ReadonlyMap<string, unknown>) =>
    Object.fromEntries([...map].sort(([a], [b]) => a.localeCompare(b)));
  const summary = {
    seed,
    machine: { cores: cpus().length, model: cpus()[0]?.model },
    documents: books.documents,
    minutes: Number(minutes.toFixed(1)),
    perSecond: Number((books.documents / minutes / 60).toFixed(2)),
    kills: byName(kills.counts),
    reckoned,
    messages: messages.figures,
    counts: byName(books.counts),
    troubles: byName(service.troubles),
    kinds: byName(kinds),
    verdicts,
    faults: books.faults,
  };
  await writeFile(join(out, 'summary.json'), `${JSON.stringify(summary, null, 2)}\n`);
  console.log(
    JSON.stringify({ ...summary, counts: undefined, kinds: undefined, troubles: undefined }, null, 2),
  );
}

function number(name: 'documents' | 'minutes' | 'kill-seconds' | 'seed'): number {
  const value = Number(values[name]);
  if (!Number.isFinite(value) || value < 0) throw new Error(`--${name} is no number: ${values[name]}`);
  return value;
}
