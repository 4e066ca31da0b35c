/** What the metrics make of what happens to the engine: conversions, budgets, poison, crashes, kits that die. */
import t from 'tap';
import { docx, slowDocx } from '../../support/documents.ts';
import { until } from '../../support/until.ts';
import { isError, isPdf } from '../support/assertions.ts';
import { scrape } from '../support/operator.ts';
import { atRest, kitOf, runningJob } from '../support/processes.ts';
import { convert } from '../support/requests.ts';
import { created, server, WORKERS } from './server.ts';

const { key } = created;

const DOCUMENTS = 'platen_engine_documents_total';
const RESTARTS = 'platen_kit_restarts_total';
const RENEWALS = 'platen_kit_renewals_total';
const failed = (reason: string) => `platen_refusals_total{code="CONVERSION_FAILED",reason="${reason}"}`;
const watched = [DOCUMENTS, RESTARTS, RENEWALS, ...['time', 'poison', 'crash'].map(failed)];

const figure = async (id: string): Promise<number> => (await scrape(server)).series.get(id) ?? 0;
const children = async (): Promise<number[]> => {
  const { series } = await scrape(server);
  return ['idle', 'running'].map(
    (state) => series.get(`platen_kit_children{state="${state}"}`) ?? Number.NaN,
  );
};

/** The counters that the task raised, and by how much. */
async function risesDuring(task: () => Promise<unknown>): Promise<Record<string, number>> {
  const before = await scrape(server);
  await task();
  const after = await scrape(server);
  const rises = watched.map(
    (id) => [id, (after.series.get(id) ?? 0) - (before.series.get(id) ?? 0)] as const,
  );
  return Object.fromEntries(rises.filter(([, rise]) => rise !== 0));
}

const untilChildren = (idle: number, running: number) =>
  until(`${idle} idle and ${running} running children`, async () => {
    const [idleNow, runningNow] = await children();
    return idleNow === idle && runningNow === running;
  });

t.test('a conversion is one document of the engine', async (t) => {
  await untilChildren(WORKERS, 0);
  const rises = await risesDuring(async () =>
    isPdf(t, await convert(server, key, docx()), 'Hello from Platen.'),
  );
  t.strictSame(rises, { [DOCUMENTS]: 1 });
});

t.test('a document that uses up its time, and its copy, which is refused for that', async (t) => {
  await atRest(server);
  const poison = slowDocx();
  const burned = await risesDuring(async () => {
    const answer = convert(server, key, poison);
    const { child } = await runningJob(server);
    await untilChildren(WORKERS, 1);
    // Its time passes all the same.
    process.kill(child, 'SIGSTOP');
    isError(t, await answer, 'CONVERSION_FAILED');
  });
  t.strictSame(burned, { [DOCUMENTS]: 1, [failed('time')]: 1 });
  await untilChildren(WORKERS, 0);
  const refused = await risesDuring(async () =>
    isError(t, await convert(server, key, poison), 'CONVERSION_FAILED'),
  );
  t.strictSame(refused, { [failed('poison')]: 1 });
});

t.test('a child that crashes, and the kit that is renewed for it', async (t) => {
  await atRest(server);
  const kit = kitOf(server);
  const rises = await risesDuring(async () => {
    const answer = convert(server, key, slowDocx(1));
    const { child } = await runningJob(server);
    process.kill(child, 'SIGSEGV');
    await until('it is tried without tags', async () => (await runningJob(server)).child !== child);
    process.kill((await runningJob(server)).child, 'SIGSEGV');
    isError(t, await answer, 'CONVERSION_FAILED');
    await until('it is renewed', async () => kitOf(server) !== kit && (await figure(RENEWALS)) > 0);
  });
  t.strictSame(rises, { [DOCUMENTS]: 1, [failed('crash')]: 1, [RENEWALS]: 1 });
});

t.test('a kit that dies, and the one that is started for it', async (t) => {
  const kit = kitOf(server);
  const rises = await risesDuring(async () => {
    process.kill(kit, 'SIGKILL');
    await until('it is replaced', async () => kitOf(server) !== kit && (await figure(RESTARTS)) > 0);
  });
  t.strictSame(rises, { [RESTARTS]: 1 });
  await untilChildren(WORKERS, 0);
});
