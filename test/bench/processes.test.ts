/** What /proc tells of processes. */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import t from 'tap';
import { cpuMs, kibibytes, parseStat, useBelow, used } from '../../bench/processes.ts';

const LINE =
  '42 (a ) S (b) S 1 42 42 0 -1 4194560 1000 2000 3 4 50 6 700 80 20 0 1 0 12345 100000 2000 1844674407 1 1';

t.test('a line of stat is read whatever the name of the process', async (t) => {
  t.strictSame(parseStat(LINE), {
    own: { userMs: 500, systemMs: 60, pageFaults: 1003 },
    children: { userMs: 7000, systemMs: 800, pageFaults: 2004 },
  });
});

t.test('use is the difference of two readings', async (t) => {
  const { own, children } = parseStat(LINE);
  t.strictSame(used(own, children), { userMs: 6500, systemMs: 740, pageFaults: 1001 });
});

t.test('fields of memory are added up', async (t) => {
  const text = 'Rss:  900 kB\nPrivate_Clean:     12 kB\nPrivate_Dirty:    3000 kB\nPrivate_Hugetlb: 0 kB\n';
  t.equal(kibibytes(text, 'Private_Clean', 'Private_Dirty'), 3012);
  t.equal(kibibytes(text, 'Pss'), 0);
});

t.test('processes that run and those that have ended are below this one', async (t) => {
  const busy = 'i=0; while [ $i -lt 100000 ]; do i=$((i+1)); done; echo done';
  const before = cpuMs(await useBelow(process.pid));
  execFileSync('sh', ['-c', busy]);
  const ended = cpuMs(await useBelow(process.pid));
  t.ok(ended > before, `${ended} ms, not ${before}`);
  // The inner shell is the one that is busy.
  const child = spawn('sh', ['-c', 'sh -c "$0; read line"; :', busy], { stdio: ['pipe', 'pipe', 'ignore'] });
  await once(child.stdout, 'data');
  const running = cpuMs(await useBelow(process.pid));
  t.ok(running - ended > (ended - before) / 3, `${running - ended} ms, of ${ended - before}`);
  child.stdin.end();
  await once(child, 'exit');
  t.ok(cpuMs(await useBelow(process.pid)) >= running);
});
