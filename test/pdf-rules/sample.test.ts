/** The rules of PDF/A and PDF/UA as a whole: a PDF that keeps all of them, in every form that a file may have. */
import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import t from 'tap';
import { profiles, violations } from '../support/conformance.ts';
import { ruleTable } from './rule-table.ts';
import { Sample } from './sample.ts';

const run = promisify(execFile);

t.test('a sound PDF breaks no rule', async (t) => {
  const path = join(t.testdir(), 'sample.pdf');
  for (const profile of profiles) {
    await writeFile(path, new Sample(profile).bytes());
    t.strictSame(await violations(path, profile), [], profile);
  }
});

t.test('what qpdf makes of it is read as well', async (t) => {
  const folder = t.testdir();
  const [path, other] = [join(folder, 'sample.pdf'), join(folder, 'other.pdf')];
  for (const [name, ...options] of [
    ['linearised', '--linearize'],
    ['with object streams', '--object-streams=generate'],
  ] as const) {
    await writeFile(path, new Sample('3b').bytes());
    await run('qpdf', [path, ...options, '--newline-before-endstream', other]);
    t.strictSame(await violations(other, '3b'), [], name);
  }
  await writeFile(path, new Sample('ua').bytes());
  await run('qpdf', [path, '--encrypt', 'secret', 'owner', '256', '--', other]);
  t.strictSame(await violations(other, 'ua', 'secret'), [], 'encrypted');
  await t.rejects(violations(other, 'ua'), { message: /invalid password/ });
});

t.test('a violation says which rule is broken, and where', async (t) => {
  const path = join(t.testdir(), 'sample.pdf');
  const sample = new Sample('2b');
  sample.change('font', '500', '510');
  await writeFile(path, sample.bytes());
  t.match(await violations(path, '2b'), [
    {
      clause: '6.2.11.5',
      where: /^font \/F1/,
      what: 'code 1 is 510 wide in the PDF, 500.0 in the font',
    },
  ]);
});

t.test('what a form on several pages breaks is on the last one', async (t) => {
  const path = join(t.testdir(), 'sample.pdf');
  const sample = new Sample('ua');
  sample.add('form', '/StructParents 3');
  sample.changeData('form', '0 0 m 9 9 l S', '/P<</MCID 8>>BDC 0 0 m 9 9 l S EMC');
  sample.change('pages', '{page}]/Count 1', '{page}{page2}]/Count 2');
  sample.parts.page2 = {
    text: '<</Type/Page/Parent{pages}/MediaBox[0 0 9 9]/Contents{content2}/Resources<</XObject<</Fm1{form}>>>>>>',
  };
  sample.parts.content2 = { text: '<<>>', data: '/Fm1 Do' };
  await writeFile(path, sample.bytes());
  const found = await violations(path, 'ua');
  t.strictSame(
    found.filter(({ demand }) => demand.startsWith('All that pages draw')).map(({ where }) => where),
    ['page 2'],
  );
});

t.test('the list of rules is complete', async (t) => {
  const page = await readFile(join(import.meta.dirname, '../../docs/conformance.md'), 'utf8');
  t.ok(page.endsWith(ruleTable()), `the end of docs/conformance.md is:\n${ruleTable()}`);
});
