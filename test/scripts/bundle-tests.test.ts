/** The files of a folder in one process: none of them passes without tests. */
import { spawnSync } from 'node:child_process';
import { join, relative } from 'node:path';
import t from 'tap';

t.test('a file without tests fails the run, wherever it stands', async (t) => {
  const root = join(import.meta.dirname, '../..');
  const folder = t.testdir({
    'full.test.ts': `import t from 'tap'; t.test('x', async (t) => t.pass());`,
    'empty.test.ts': `import 'tap';`,
  });
  const file = (name: string) => relative(root, join(folder, `${name}.test.ts`));
  const groups = {
    full: [file('full')],
    first: [file('empty'), file('full')],
    last: [file('full'), file('empty')],
  };
  const node = (...args: string[]) => spawnSync(process.execPath, args, { cwd: root });
  const [bundles, given] = [join(folder, 'out'), JSON.stringify(groups)];
  // Joined with its test, the script would be changed as tests are.
  const joining = `import { bundleTests } from './scripts/bundle-tests.mjs'; await bundleTests(${given}, '${bundles}');`;
  t.equal(String(node('--input-type=module', '--eval', joining).stderr), '');
  const run = (name: string) => node(join(bundles, `${name}.js`));
  t.equal(run('full').status, 0);
  for (const name of ['first', 'last']) {
    const { status, stdout } = run(name);
    t.equal(status, 1);
    t.match(String(stdout), `not ok 3 - ${file('empty')} has no tests`);
  }
});
