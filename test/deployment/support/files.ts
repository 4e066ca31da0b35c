/** Files of the checkout, and what the build makes. */
import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { Test } from 'tap';

/** The folder of the checkout. */
export const root = fileURLToPath(new URL('../../../', import.meta.url));

export const read = (path: string) => readFileSync(join(root, path), 'utf8');

/** What scripts/build.mjs makes of its entry points. */
export const builtPrograms = [...read('scripts/build.mjs').matchAll(/'src\/([\w/]+)\.ts'/g)].map(
  ([, name]) => `dist/${name}.js`,
);

const COMPILER = [
  '--noEmit',
  '--ignoreConfig',
  '--strict',
  '--skipLibCheck',
  '--module',
  'nodenext',
  '--target',
  'es2023',
  '--types',
  '',
];

/** What the compiler says of a module that imports packages of this project of tests: unknown fields, wrong values. */
export async function typeErrors(t: Test, source: string): Promise<string> {
  const packages = join(root, 'test/deployment/node_modules');
  const folder = t.testdir({ node_modules: t.fixture('symlink', packages) });
  const file = join(folder, 'values.ts');
  writeFileSync(file, source);
  const { stdout } = await promisify(execFile)(join(root, 'node_modules/.bin/tsc'), [
    ...COMPILER,
    file,
  ]).catch((error: { stdout: string }) => error);
  return stdout;
}
