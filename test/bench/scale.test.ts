/** The fleet of servers that the benchmark of many servers measures, and what it makes of its readings. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import t from 'tap';
import { makeAccounts } from '../../bench/scale/accounts.ts';
import { startFleet, startFleetBalancer } from '../../bench/scale/fleet.ts';
import { Clients, formOf } from '../../bench/scale/load.ts';
import { endOf, loadOf, type Measured } from '../../bench/scale/model.ts';
import { costOf, kindOf, readRedis, recordCommands, without } from '../../bench/scale/redis-use.ts';
import { measureReplay } from '../../bench/scale/replay.ts';
import { WaitingEngine } from '../../bench/scale/waiting-engine.ts';
import { startRedis } from '../e2e/support/redis.ts';
import { docx } from '../support/documents.ts';
import { plainPdf } from '../support/plain-pdf.ts';
import { until } from '../support/until.ts';

const folder = await mkdtemp(join(tmpdir(), 'platen-scale-'));
t.teardown(() => rm(folder, { recursive: true, force: true, maxRetries: 3 }));
const pdf = join(folder, 'document.pdf');
await writeFile(pdf, plainPdf(['Hello from Platen.']));

t.test('an engine that waits is ended by its signal', async (t) => {
  t.throws(() => new WaitingEngine({ pdf, pages: 1, times: [] }), RangeError);
  const engine = new WaitingEngine({ pdf, pages: 1, times: [600_000] });
  const controller = new AbortController();
  const converting = engine.convert({ id: 'one', folder }, controller.signal);
  t.equal(engine.status().children.running, 1);
  controller.abort(new Error('enough'));
  await t.rejects(converting, new Error('enough'));
  t.equal(engine.status().children.running, 0);
});

t.test('servers of a fleet serve behind the shipped balancer, and end', async (t) => {
  const { client, socket } = await startRedis(t);
  const [owner] = await makeAccounts(client, { accounts: 1, keysEach: 1 });
  const { account = '', key = '' } = owner ?? {};
  const engine = { pdf, pages: 1, times: [1, 2] };
  const objects = join(folder, 'objects');
  const fleet = await startFleet(t, { count: 1, redis: socket, folder, engine, objects });
  const { socketPath } = await startFleetBalancer(t, folder, fleet);
  const clients = new Clients(socketPath);
  t.teardown(() => clients.close());
  const form = formOf(docx());
  const probes = await fleet.documents();
  t.strictSame(probes, [1], 'it has converted its probe');
  // Until the balancer has found a server, it says 503.
  await until('a PDF', async () =>
    clients.convert(form, key).then(
      (made) => made.equals(plainPdf(['Hello from Platen.'])),
      () => false,
    ),
  );
  const before = await readRedis(client);
  const commands = await recordCommands(
    client,
    () => clients.convert(form, key),
    (args) => args.some((arg) => arg.includes(`{${account}}`)),
  );
  t.ok(commands.length >= 3, 'admission, settlement and result');
  const { scripts } = costOf(before, await readRedis(client), 1);
  t.ok(scripts >= 2, 'admission and settlement');
  const replayed = await measureReplay(client, socket, [{ account, commands }], 100);
  t.ok(replayed.scripts >= 2, 'the commands of a conversion do again what they did');
  const job = await clients.take(formOf(docx(), 2), key);
  await until('a job', async () => (await clients.succeeded(job, key)) === 2);
  t.equal(
    (await fleet.documents()).reduce((sum, each) => sum + each, 0),
    1 + 2 + 2,
    'its probe, two conversions, two files of the job',
  );
  await fleet.stop();
  for (const pid of fleet.pids) t.throws(() => process.kill(pid, 0), { code: 'ESRCH' });
});

t.test('names of keys are put together by their kind', async (t) => {
  t.equal(kindOf('platen:{acct_1}:live:settled:2026-11'), 'platen:{}:live:settled:*');
  t.equal(kindOf('platen:{statistics}:60:1790000000'), 'platen:{statistics}:*:*');
  t.equal(kindOf('platen:request:req_0f'), 'platen:request:*');
});

const reading = {
  ...{ at: 0, cpuMs: 10, calls: { get: 4, evalsha: 2 }, microseconds: { get: 8, evalsha: 100 } },
  ...{ bytesIn: 100, bytesOut: 200, diskBytes: 0, keys: 5, memoryBytes: 1_000, connections: 3 },
};

t.test('a cost is the difference of two readings, without what went on meanwhile', async (t) => {
  const after = {
    ...{ ...reading, cpuMs: 12, calls: { get: 14, evalsha: 12 }, microseconds: { evalsha: 600 } },
    ...{ bytesIn: 1_100, keys: 25 },
  };
  const cost = costOf(reading, after, 10);
  t.match(cost, {
    cpuMicroseconds: 200,
    commands: 2,
    scripts: 1,
    scriptMicroseconds: 50,
    bytesIn: 100,
    keys: 2,
  });
  t.match(without(cost, { ...cost, cpuMicroseconds: 30 }, 2), {
    cpuMicroseconds: 140,
    scriptMicroseconds: 50,
  });
});

t.test('the model is the formula of docs/scaling.md', async (t) => {
  const measured: Measured = {
    fleet: {
      connectionsAServer: 3,
      checkedSecondOfAServer: { cpuMicroseconds: 1_000 },
      replay: { cpuMicroseconds: 400, bytesIn: 5_000, bytesOut: 1_250, diskBytes: 4_000 },
      kept: { ledgerBytes: 200, settledBytes: 100 },
    },
    documents: { bytesIn: { mean: 25_000 }, bytesOut: { mean: 37_500 } },
  };
  t.match(loadOf(measured, { servers: 10, documentsEach: 20 }), {
    conversionsASecond: 200,
    redisCpuPercent: 9,
    redisMegabits: 10,
    redisConnections: 30,
    balancerMegabitsEachWay: 100,
  });
  t.match(endOf(measured, 20), { servers: 77, conversionsASecond: 1_540 });
});
