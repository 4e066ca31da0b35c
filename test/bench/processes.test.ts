/** What /proc tells of processes. */
import t from 'tap';
import { kibibytes, parseStat, used } from '../../bench/processes.ts';

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
