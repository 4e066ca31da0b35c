/** What Node makes of a kit that misbehaves; the doubles are in test/fixtures/kits/. */
import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import t, { type Test } from 'tap';
import { docx } from '../support/documents.ts';
import { createJob, isAlive, kitEngine, never, type StartedKit, untilGone } from '../support/kit.ts';

async function double(t: Test, name: string): Promise<StartedKit> {
  return kitEngine(t, { binary: fileURLToPath(new URL(`../fixtures/kits/${name}.sh`, import.meta.url)) });
}

const failingStarts = [
  ['exits', /exit code 7.*no luck today/],
  ['faults', /no room at the inn/],
  ['garbage', /does not understand/],
  ['endless-line', /too long/],
  ['other-protocol', /another version/],
] as const;

for (const [name, reason] of failingStarts) {
  t.test(`a kit that fails to start: ${name}`, async (t) => {
    const { engine, folder } = await double(t, name);
    await t.rejects(engine.start(), { name: 'OperatorError', message: reason });
    t.same(await readdir(join(folder, 'kit')), [], 'its folder is gone');
    t.match(engine.status(), { ready: false, pid: undefined });
  });
}

t.test('a kit that fails to start, of which a process stays', async (t) => {
  const { engine, folder } = await double(t, 'leaves-a-child');
  const { message } = await engine.start().then(
    () => t.fail('it starts') as never,
    (reason: Error) => reason,
  );
  const [, left] = /exit code 7.*left (\d+)/.exec(message) ?? [];
  process.kill(Number(left), 'SIGKILL');
  t.same(await readdir(join(folder, 'kit')), [], 'its folder is gone');
});

t.test('a kit without a process for a job is an outage, not a broken document', async (t) => {
  const { engine, folder } = await double(t, 'refuses');
  await engine.start();
  await t.rejects(engine.convert(await createJob(folder, docx()), never()), {
    code: 'SERVICE_UNAVAILABLE',
    retryAfter: 1,
  });
  t.ok(engine.status().ready);
});

t.test('a kit that answers a job with nonsense is ended', async (t) => {
  const { engine, folder, log } = await double(t, 'speaks-nonsense');
  await engine.start();
  const kit = Number(engine.status().pid);
  await t.rejects(engine.convert(await createJob(folder, docx()), never()), { code: 'CONVERSION_FAILED' });
  t.equal(log.count('the kit died under a job'), 2);
  await untilGone(kit);
});

t.test('a kit that dies as soon as it is ready is started again, ever more slowly', async (t) => {
  const { engine, folder, log } = await double(t, 'dies-ready');
  const deaths: number[] = [];
  const fourDeaths = new Promise<void>((resolve) => {
    log.on('the kit died', () => {
      deaths.push(performance.now());
      if (deaths.length === 4) resolve();
    });
  });
  await engine.start();
  await fourDeaths;
  const [first = 0, second = 0, third = 0, fourth = 0] = deaths;
  // The first successor starts at once, the next after 100 ms, then 200 ms.
  t.ok(third - second >= 99, `${third - second} ms`);
  t.ok(fourth - third >= 199, `${fourth - third} ms`);
  t.ok(second > first);
  await engine.stop();
  t.notOk(existsSync(join(folder, 'kit')));
});

t.test('stop ends a kit that ignores the end of its socket', async (t) => {
  const { engine } = await double(t, 'deaf');
  await engine.start();
  const kit = Number(engine.status().pid);
  await engine.stop();
  t.notOk(isAlive(kit));
});
