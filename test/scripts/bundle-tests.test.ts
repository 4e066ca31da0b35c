/** Files that run in one process: none of them passes without tests. And several processes that share files. */
import { spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join, relative } from 'node:path';
import t, { type Test } from 'tap';

const root = join(import.meta.dirname, '../..');
const full = (name: string) => `import t from 'tap'; t.test('x', async (t) => t.pass('ran ${name}'));`;

/** Runs files in processes, one after the other. */
function run(t: Test, names: readonly string[], processes = 1) {
  const folder = t.testdir({
    'a.test.ts': full('a'),
    'b.test.ts': full('b'),
    'empty.test.ts': `import 'tap';`,
  });
  const files = names.map((name) => relative(root, join(folder, `${name}.test.ts`)));
  const claims = join(folder, 'claims');
  mkdirSync(claims);
  const node = (args: readonly string[]) =>
    spawnSync(process.execPath, args, { cwd: root, env: { ...process.env, TEST_CLAIMS: claims } });
  // Joined with its test, the script would be changed as tests are.
  const call = `bundleTests(${JSON.stringify(files)}, ${processes}, '${relative(root, join(folder, 'out'))}')`;
  const joining = `import { bundleTests } from './scripts/bundle-tests.mjs'; console.log((await ${call}).join('\\n'));`;
  const { stdout, stderr } = node(['--input-type=module', '--eval', joining]);
  t.equal(String(stderr), '');
  const bundles = String(stdout).trim().split('\n');
  t.equal(bundles.length, processes);
  const ends = bundles.map((bundle) => node([bundle]));
  return {
    files,
    ends: ends.map((end) => ({ ...end, stdout: String(end.stdout), stderr: String(end.stderr) })),
  };
}

t.test('each file is named when it has run', async (t) => {
  const { files, ends } = run(t, ['a', 'b']);
  t.match(ends, [{ status: 0, stdout: /ok 1 - ran a[\s\S]*ok 1 - ran b/ }]);
  const times = / \d+ s, \d+\.\d s of CPU time$/gm;
  t.equal(ends[0]?.stderr.replaceAll(times, ' … s'), files.map((file) => `passed ${file} … s\n`).join(''));
});

for (const names of [
  ['empty', 'a'],
  ['a', 'empty'],
]) {
  t.test(`a file without tests fails the run: ${names.join(', ')}`, async (t) => {
    const { files, ends } = run(t, names);
    const index = names.indexOf('empty');
    t.match(ends, [{ status: 1, stdout: `not ok ${index + 2} - ${files[index]} has no tests` }]);
  });
}

t.test('processes share their files out, and each file runs once', async (t) => {
  const { ends } = run(t, ['a', 'b'], 2);
  t.match(ends, [
    { status: 0, stdout: /ok 1 - ran a[\s\S]*ok 1 - ran b/ },
    { status: 0, stdout: /ok 1 - other processes have run all files/ },
  ]);
});
