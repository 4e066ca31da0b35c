import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import t from 'tap';
import { threadTimeMs } from '../../src/system/thread-time.ts';

t.test('the time that this thread computes, not that in which others do', async (t) => {
  const start = threadTimeMs();
  const other = new Worker(
    `const end = performance.now() + 300;
     while (performance.now() < end);`,
    { eval: true },
  );
  const begun = performance.now();
  await once(other, 'exit');
  const waitedMs = performance.now() - begun;
  t.ok(waitedMs >= 300);
  const waited = threadTimeMs() - start;
  t.ok(waited < 300, `${waited} ms of its own while the other computed`);

  const { user, system } = process.cpuUsage();
  while (threadTimeMs() < start + waited + 50);
  const used = process.cpuUsage();
  t.ok(used.user + used.system - user - system > 20_000, 'it passes while this thread computes');
});
