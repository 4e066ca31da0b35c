/**
 * The fidelity benchmark on production's Debian and LibreOffice, see scripts/image.mjs:
 *
 *   node scripts/fidelity-image.mjs PAIRS_DIR [--out FOLDER] [--times ROUNDS]
 *
 * The pairs are mounted inside the root folder, and the results are written outside it. LIBREOFFICE selects the version.
 */
import { mkdirSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { enter, prepareImageRoot } from './image-root.mjs';
import { root as checkout, SetupError, say } from './run.mjs';

const PAIRS = '/srv/pairs';
const RESULTS = '/srv/results';

/** @throws {SetupError} when it is called in another way */
function readArguments() {
  const { values, positionals } = parse();
  const [pairs, ...more] = positionals;
  if (!pairs || more.length > 0)
    throw new SetupError('Name one folder of pairs: PAIRS_DIR [--out FOLDER] [--times ROUNDS]');
  if (!statSync(pairs, { throwIfNoEntry: false })?.isDirectory()) {
    throw new SetupError(`${pairs} is not a folder.`);
  }
  const name = new Date().toISOString().replaceAll(':', '.');
  return {
    pairs: resolve(pairs),
    times: values.times === undefined ? [] : ['--times', values.times],
    out: resolve(values.out ?? join(checkout, 'bench/results/fidelity', name)),
  };
}

function parse() {
  try {
    return parseArgs({
      options: { out: { type: 'string' }, times: { type: 'string' } },
      allowPositionals: true,
    });
  } catch (error) {
    throw new SetupError(/** @type {Error} */ (error).message);
  }
}

try {
  const { pairs, out, times } = readArguments();
  mkdirSync(out, { recursive: true });
  const root = await prepareImageRoot(resolve(process.env.IMAGE_ROOT || join(tmpdir(), 'platen-image')));
  const command = ['node', '--import=tsx', 'bench/fidelity/main.ts', PAIRS, '--out', RESULTS, ...times];
  process.exitCode = enter(root, command, { show: [[pairs, PAIRS]], share: [[out, RESULTS]] });
  say(`outside, ${RESULTS} is ${out}`);
} catch (error) {
  if (!(error instanceof SetupError)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}
