/**
 * Builds what is stale, bundles the tests and runs them with tap, all on one Redis.
 *
 *   node scripts/test.mjs [unit | e2e] [FILE | FOLDER]... [-- OPTION_OF_TAP...]
 *
 * Without a name it runs all tests. A single file also runs by itself, without this: `npx tap run FILE`.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { build } from './build.mjs';
import { bundleTests } from './bundle-tests.mjs';
import { makeFonts } from './fonts/make.mjs';
import { buildTap } from './npm-packages.mjs';
import { root, SetupError } from './run.mjs';

/** The tests that start LibreOffice, the service or other programs. In other folders, only `*.slow.test.ts` take long. */
const SLOW_FOLDERS = [
  'attack',
  'bench',
  'cli/compare',
  'deployment',
  'e2e',
  'engine',
  'fault',
  'pdf-rules',
  'redis',
  'scripts',
  'storage',
].map((name) => `test/${name}/`);
/** The commands themselves; the tests in its folders start nothing. */
const COMMANDS = 'test/cli';
/** Two for each processor, as tests sometimes wait. Each runs many files: to load tap costs more than most tests. */
const PROCESSES = 4;
/**
 * Has V8 run 15 times as many bytecodes of a function as usual before it considers optimising it. Most code of tests runs a few
 * times only, and optimising it took 8 % of the unit tests' CPU time. Node 22 and later reject the option and do not start.
 */
const OPTIMISE_LATER = process.versions.node.startsWith('20.')
  ? ['--node-arg=--interrupt-budget=1000000']
  : [];
/** Time limit of a process in seconds, for a machine that is ten times as slow as usual. */
const PATIENCE_S = 4_800;
/** More than the files that ask for a database of their own. */
const DATABASES = 4_096;
/** In memory, like the files that tests write (.taprc). */
const MEMORY = '/dev/shm';

/** @param {string[]} args */
function readArguments(args) {
  const [suite = ''] = args;
  const rest = ['unit', 'e2e'].includes(suite) ? args.slice(1) : args;
  const end = rest.includes('--') ? rest.indexOf('--') : rest.length;
  const wanted = rest.slice(0, end).map((path) => relative(root, resolve(path)));
  const isWanted = (/** @type {string} */ file) =>
    wanted.length === 0 || wanted.some((path) => file === path || file.startsWith(`${path}/`));
  const files = testFiles().filter(
    (file) => isWanted(file) && (rest === args || isSlow(file) === (suite === 'e2e')),
  );
  return { files, options: rest.slice(end + 1) };
}

/** @param {string} file */
function isSlow(file) {
  return (
    file.endsWith('.slow.test.ts') ||
    dirname(file) === COMMANDS ||
    SLOW_FOLDERS.some((folder) => file.startsWith(folder))
  );
}

/** Every test file, from the folder of the checkout. */
function testFiles() {
  return readdirSync(join(root, 'test'), { withFileTypes: true })
    .filter(({ name }) => name !== 'node_modules')
    .flatMap((entry) => {
      if (entry.isFile()) return [entry.name];
      const names = readdirSync(join(root, 'test', entry.name), { recursive: true, encoding: 'utf8' });
      return names.map((name) => join(entry.name, name));
    })
    .filter((name) => name.endsWith('.test.ts') && !name.includes('node_modules/'))
    .map((name) => join('test', name))
    .sort();
}

/**
 * The order in which the processes take files. Quick ones are spread among slow ones, as some of both mostly wait, and the
 * processors then work for others; the last tenth are quick, so that all processes end at about the same time.
 *
 * @param {readonly string[]} files
 */
function inOrder(files) {
  const slow = mixed(files.filter(isSlow));
  const quick = mixed(files.filter((file) => !isSlow(file)));
  const places = [
    ...slow.map((file, i) => ({ file, place: (0.9 * i) / slow.length })),
    ...quick.map((file, i) => ({ file, place: i / quick.length })),
  ];
  return places.toSorted((a, b) => a.place - b.place).map(({ file }) => file);
}

/** By base name, which mixes the folders. @param {readonly string[]} files */
function mixed(files) {
  return files.toSorted((a, b) => basename(a).localeCompare(basename(b)));
}

/** A Redis that keeps nothing on a disk and ends with this process; see test/redis/support.ts. */
function startRedis() {
  const folder = mkdtempSync(join(MEMORY, 'platen-tests-'));
  const socket = join(folder, 'redis.sock');
  const settings = ['--port', '0', '--unixsocket', socket, '--dir', folder, '--save', ''];
  const child = spawn(
    'setpriv',
    ['--pdeathsig', 'KILL', 'redis-server', ...settings, '--databases', String(DATABASES)],
    { stdio: ['ignore', 'ignore', 'inherit'], detached: true },
  );
  return {
    socket,
    stop() {
      child.kill('SIGKILL');
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** @param {string[]} args @returns {Promise<number>} tap's exit code */
async function runTap(args) {
  const child = spawn(join(root, 'node_modules/.bin/tap'), args, { cwd: root, stdio: 'inherit' });
  // Ctrl-C goes to tap as well, which then ends by itself.
  process.on('SIGINT', () => {});
  process.on('SIGTERM', () => child.kill('SIGTERM'));
  const [code] = await once(child, 'exit');
  return code ?? 1;
}

try {
  const { files, options } = readArguments(process.argv.slice(2));
  if (files.length === 0) throw new SetupError('there is no such test.');
  buildTap();
  makeFonts();
  await build({ withLoop: false });
  // A new folder for each run: two may go on at a time, and with the claims of a killed run, a later one would skip files. Below
  // the checkout, where packages are found.
  mkdirSync(join(root, 'dist.tests'), { recursive: true });
  const folder = relative(root, mkdtempSync(join(root, 'dist.tests/')));
  const redis = startRedis();
  process.env.TEST_REDIS = redis.socket;
  process.env.TEST_CLAIMS = join(root, folder, 'claims');
  mkdirSync(process.env.TEST_CLAIMS);
  try {
    const bundles = await bundleTests(inOrder(files), Math.min(PROCESSES, files.length), folder);
    process.exitCode = await runTap([
      'run',
      '--reporter=./scripts/reporter.mjs',
      '--node-arg=--import=./test/support/plain-children.mjs',
      ...OPTIMISE_LATER,
      `--test-env=NODE_OPTIONS=--import=${new URL('../test/support/no-recording.mjs', import.meta.url)}`,
      `--test-env=TMPDIR=${MEMORY}`,
      `--timeout=${PATIENCE_S}`,
      ...options,
      ...bundles,
    ]);
  } finally {
    redis.stop();
    rmSync(join(root, folder), { recursive: true, force: true });
  }
} catch (error) {
  if (!(error instanceof SetupError)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}
