/** Bundles test files with their imports: compiled one by one by tsx, 200 files take minutes to load. */
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { root } from './run.mjs';

/** Packages that look for files beside their code, and tap, which can exist only once. */
const apart = [
  'tap',
  'process-on-spawn',
  'playwright-core',
  'axe-core',
  'esbuild',
  'typescript',
  'swagger-ui-dist',
];

/** Split, as {@link sourcePlaces} would replace it if this file is itself in a bundle. */
const META = ['import', 'meta'].join('.');

/** CommonJS packages load Node's modules with it; a file may import it under another name. */
export const requireBanner = `import * as nodeModule from 'node:module'; globalThis.require ??= nodeModule.createRequire(${META}.url);`;

/**
 * @param {readonly string[]} files the test files, from the folder of the checkout, in the order in which they are taken
 * @param {number} processes how many will run them
 * @param {string} folder where the bundles go
 * @returns {Promise<string[]>} paths of the bundles, one for each process, from the folder of the checkout
 */
export async function bundleTests(files, processes, folder) {
  const names = Array.from({ length: processes }, (_, index) => `process-${index + 1}.test`);
  await build({
    absWorkingDir: root,
    entryPoints: names.map((name) => ({ in: `${ALL}:${name}`, out: name })),
    outdir: folder,
    chunkNames: 'chunks/[hash]',
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node20.19',
    external: apart,
    sourcemap: true,
    sourcesContent: false,
    logLevel: 'warning',
    plugins: [allOf(files), sourcePlaces],
    banner: { js: requireBanner },
  });
  return names.map((name) => join(folder, `${name}.js`));
}

/**
 * A module looks for files beside its source, not beside the bundle. Only the place of the installation is that of the
 * build, whose worker threads need no compiler.
 *
 * @type {import('esbuild').Plugin}
 */
export const sourcePlaces = {
  name: 'source-places',
  setup({ onLoad }) {
    onLoad({ filter: /\.(ts|mjs)$/ }, async ({ path }) => {
      const text = await readFile(path, 'utf8');
      if (path.includes('/node_modules/') || !text.includes(`${META}.`)) return undefined;
      const place = path === join(root, 'src/paths.ts') ? join(root, 'dist/paths.js') : path;
      const contents = text
        .replaceAll(`${META}.url`, JSON.stringify(pathToFileURL(place).href))
        .replaceAll(`${META}.dirname`, JSON.stringify(dirname(place)))
        .replaceAll(`${META}.filename`, JSON.stringify(place));
      return { contents, loader: path.endsWith('.ts') ? 'ts' : 'js' };
    });
  },
};

const ALL = 'all';
/** Time limit of a file, as in .taprc, in milliseconds. */
const FILE_TIMEOUT_MS = 600_000;
/** How long a process may run after its last test, in milliseconds. */
const PATIENCE_MS = 30_000;

/**
 * A process runs its files one after the other, each as a test with its name: what a file does with its `t`, such as a
 * teardown, ends with the file. Each process has all files, and the first to reach one runs it, by the folder `TEST_CLAIMS`.
 * It names each on stderr when it has run, with its CPU time, as tap shows nothing of a process before its end.
 *
 * @param {readonly string[]} files
 * @returns {import('esbuild').Plugin}
 */
const allOf = (files) => ({
  name: 'all',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^all:/ }, ({ path }) => ({ path, namespace: ALL }));
    onLoad({ filter: /.*/, namespace: ALL }, () => ({
      contents: [
        `import { runFile, end } from 'current-tap';`,
        ...files.map((file) => `await runFile('${file}', () => import('./${file}'));`),
        'end();',
      ].join('\n'),
      resolveDir: root,
    }));
    onResolve({ filter: /^(current-)?tap$/ }, ({ namespace }) =>
      namespace === 'tap' ? { path: 'tap', external: true } : { path: 'tap', namespace: 'tap' },
    );
    onLoad({ filter: /.*/, namespace: 'tap' }, () => ({
      contents: `
        import { mkdirSync, readFileSync } from 'node:fs';
        import tap from 'tap';
        let current = tap;
        let files = 0;
        const claims = process.env.TEST_CLAIMS;
        const isTaken = (name) => {
          try {
            mkdirSync(claims + '/' + name.replaceAll('/', '!'));
            return false;
          } catch (error) {
            if (error.code === 'EEXIST') return true;
            throw error;
          }
        };
        // Of this process and of those that it has seen end, and which these have: see proc_pid_stat(5).
        const cpuSeconds = () =>
          readFileSync('/proc/self/stat', 'utf8').split(') ')[1].split(' ').slice(11, 15)
            .reduce((sum, ticks) => sum + Number(ticks), 0) / 100;
        export { current as default, current as t };
        export const test = (...args) => current.test(...args);
        export const runFile = async (name, load) => {
          if (isTaken(name)) return;
          files++;
          const startedAt = performance.now();
          const usedBefore = cpuSeconds();
          const { count, ok } = await tap.test(name, { timeout: ${FILE_TIMEOUT_MS} }, async (t) => {
            current = t;
            await load();
          });
          const seconds = Math.round((performance.now() - startedAt) / 1000);
          const used = (cpuSeconds() - usedBefore).toFixed(1);
          console.error(ok ? 'passed' : 'FAILED', name, seconds + ' s, ' + used + ' s of CPU time');
          if (count === 0) tap.fail(name + ' has no tests');
        };
        export const end = () => {
          if (files === 0) tap.pass('other processes have run all files');
          // What a failed test leaves running would keep this process until its time limit.
          setTimeout(() => {
            const children = readFileSync('/proc/self/task/' + process.pid + '/children', 'utf8').match(/\\d+/g) ?? [];
            const commands = children.map((pid) => readFileSync('/proc/' + pid + '/cmdline', 'utf8').replaceAll('\\0', ' '));
            console.error('still open at the end:', process.getActiveResourcesInfo(), commands);
            // tap waits for whoever has this process's output open.
            for (const pid of children) process.kill(Number(pid), 'SIGKILL');
            process.exit(1);
          }, ${PATIENCE_MS}).unref();
        };`,
    }));
  },
});
