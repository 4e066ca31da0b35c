/** The report of a run: nothing of what went well, everything of what did not. */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import t from 'tap';
import Reporter from '../../scripts/reporter.mjs';

t.test('what failed, what is left out and what was said; of the rest, its end', async (t) => {
  const folder = t.testdir({
    'some.test.mjs': `
      import t from 'tap';
      t.test('well', async (t) => { t.pass('p'); t.test('within', async (t) => t.pass('q')); });
      t.test('badly', async (t) => {
        t.test('inner', async (t) => { t.pass('r'); t.equal('    ok 1', '1..2', 'äöü'); });
        t.test('other', async (t) => t.pass('s'));
        t.test('half', { skip: true }, async () => {});
        console.log('said');
      });`,
  });
  const { stdout } = spawnSync(process.execPath, [join(folder, 'some.test.mjs')], {
    cwd: join(import.meta.dirname, '../..'),
  });
  const pieces = Array.from(stdout, (byte) => Buffer.of(byte));
  const lines = (await text(Readable.from(pieces).pipe(new Reporter()))).split('\n');
  const explained = lines.indexOf('          ---');
  t.strictSame(
    lines.slice(0, explained).map((line) => line.replace(/time=.*/, 'time')),
    ['ok 1 - well # time', '        not ok 2 - äöü'],
  );
  t.ok(lines.includes('            -1..2'), 'the difference');
  t.ok(lines.includes('            +    ok 1'));
  t.ok(lines.includes('said'));
  const after = lines.slice(lines.indexOf('          ...') + 1);
  const results = after.filter((line) => /^ *(not )?ok /.test(line));
  t.strictSame(
    results.map((line) => line.replace(/time=.*/, 'time')),
    ['    not ok 1 - inner # time', '    ok 3 - half # SKIP', 'not ok 2 - badly # time'],
  );
});
