/** The build: `src/` becomes `dist/`, when anything in it is newer than the last build. */
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { buildDocuments } from './documents.mjs';
import { root, run, say } from './run.mjs';

const dist = join(root, 'dist');
const stamp = join(dist, '.built');

/** Files that are not compiled, and where they go. */
const copies = [
  ['src/kit/kit.xcu', 'kit/kit.xcu'],
  ['src/engine/cold-soffice.sh', 'engine/cold-soffice.sh'],
];

/** What the kit's Makefile needs; without it there is no kit, and the service uses the cold engine. */
const kitTools = ['/usr/bin/make', '/usr/bin/gcc', '/usr/include/LibreOfficeKit/LibreOfficeKit.h'];

/**
 * @param {{ withLoop: boolean }} options whether to build the benchmark's fork-less loop as well
 */
export async function build({ withLoop }) {
  if (!isCurrent()) {
    say('building');
    rmSync(dist, { recursive: true, force: true });
    run('node_modules/.bin/tsc', ['-p', 'tsconfig.json']);
    mkdirSync(join(dist, 'kit'), { recursive: true });
    for (const [from = '', to = ''] of copies) copyFileSync(join(root, from), join(dist, to));
    chmodSync(join(dist, 'engine/cold-soffice.sh'), 0o755);
    chmodSync(join(dist, 'cli/main.js'), 0o755);
    await buildDocuments(join(dist, 'kit'));
  }
  if (kitTools.every((path) => existsSync(path))) {
    const targets = withLoop ? ['kit', 'loop'] : ['kit'];
    run('make', ['--silent', '-C', 'src/kit', `OUT=${join(dist, 'kit')}`, ...targets]);
  }
  // Last, so that a build that was cut off is done again.
  if (!isCurrent()) writeFileSync(stamp, '');
}

function isCurrent() {
  if (!existsSync(stamp)) return false;
  const built = statSync(stamp).mtimeMs;
  const sources = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' });
  const inputs = [
    'tsconfig.json',
    'package.json',
    'scripts/build.mjs',
    'scripts/documents.mjs',
    ...sources.map((name) => join('src', name)),
  ];
  return inputs.every((name) => statSync(join(root, name)).mtimeMs <= built);
}
