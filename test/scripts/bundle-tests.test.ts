/** Files that run in one process: none of them passes without tests. And several processes that share files. */
import { spawnSync } from 'node:child_process';
import { join, relative } from 'node:path';
import t, { type Test } from 'tap';

const root = join(import.meta.dirname, '../..');
// Of this run.
const { TEST_CLAIMS: _, ...plainEnv } = process.env;

const node = (args: readonly string[], env: NodeJS.ProcessEnv = plainEnv) =>
  spawnSync(process.execPath, args, { cwd: root, env });

/** Joins the groups. @returns where the bundles are. */
function bundle(t: Test, folder: string, groups: Readonly<Record<string, readonly string[]>>): string {
  const [bundles, given] = [join(folder, 'out'), JSON.stringify(groups)];
  // Joined with its test, the script would be changed as tests are.
  const joining = `import { bundleTests } from './scripts/bundle-tests.mjs'; await bundleTests(${given}, '${bundles}');`;
  t.equal(String(node(['--input-type=module', '--eval', joining]).stderr), '');
  return bundles;
}

t.test('a file without tests fails the run, wherever it stands', async (t) => {
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
  const bundles = bundle(t, folder, groups);
  const run = (name: string) => node([join(bundles, `${name}.js`)]);
  t.equal(run('full').status, 0);
  for (const [name, point] of [
    ['first', 2],
    ['last', 3],
  ] as const) {
    const { status, stdout } = run(name);
    t.equal(status, 1);
    t.match(String(stdout), `not ok ${point} - ${file('empty')} has no tests`);
  }
});

t.test('processes share their files out, and each file runs once', async (t) => {
  const folder = t.testdir({
    claims: {},
    'a.test.ts': `import t from 'tap'; t.test('x', async (t) => t.pass('ran a'));`,
    'b.test.ts': `import t from 'tap'; t.test('x', async (t) => t.pass('ran b'));`,
  });
  const files = ['a', 'b'].map((name) => relative(root, join(folder, `${name}.test.ts`)));
  const bundles = bundle(t, folder, { one: files, two: files });
  const env = { ...process.env, TEST_CLAIMS: join(folder, 'claims') };
  const [one, two] = ['one', 'two'].map((name) => node([join(bundles, `${name}.js`)], env));
  t.match([one?.status, two?.status], [0, 0]);
  t.match(String(one?.stdout), /ok 1 - ran a[\s\S]*ok 1 - ran b/);
  t.match(String(two?.stdout), /ok 1 - other processes have run all files/);
});
