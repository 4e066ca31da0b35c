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
 * @param {Readonly<Record<string, readonly string[]>>} groups the test files of each bundle, from the folder of the
 *   checkout, under the bundle's name
 * @param {string} folder where the bundles go, each as NAME.js
 */
export async function bundleTests(groups, folder) {
  await build({
    absWorkingDir: root,
    entryPoints: Object.keys(groups).map((name) => ({ in: `${GROUP}:${name}`, out: name })),
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
    plugins: [groupsOf(groups), sourcePlaces],
    banner: { js: requireBanner },
  });
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

const GROUP = 'group';
/** How long a process may run after its last test, in milliseconds. */
const PATIENCE_MS = 30_000;

/**
 * The files of a group run one after the other in one process, each as a test with its name: what a file does with its `t`,
 * such as a teardown, ends with the file. If several groups have a file, the first to reach it runs it: with
 * the folder `TEST_CLAIMS`, processes divide their files among themselves as they proceed.
 *
 * @param {Readonly<Record<string, readonly string[]>>} groups
 * @returns {import('esbuild').Plugin}
 */
const groupsOf = (groups) => ({
  name: 'groups',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^group:/ }, ({ path }) => ({
      path: path.slice(GROUP.length + 1),
      namespace: GROUP,
    }));
    onLoad({ filter: /.*/, namespace: GROUP }, ({ path }) => ({
      contents: [
        `import { runFile, end } from 'current-tap';`,
        ...(groups[path] ?? []).map((file) => `await runFile('${file}', () => import('./${file}'));`),
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
        const ran = [];
        const claims = process.env.TEST_CLAIMS;
        const isTaken = (name) => {
          if (claims === undefined) return false;
          try {
            mkdirSync(claims + '/' + name.replaceAll('/', '!'));
            return false;
          } catch (error) {
            if (error.code === 'EEXIST') return true;
            throw error;
          }
        };
        export { current as default, current as t };
        export const test = (...args) => current.test(...args);
        export const runFile = async (name, load) => {
          if (isTaken(name)) return;
          ran.push(name);
          const { count } = await tap.test(name, async (t) => {
            current = t;
            await load();
          });
          if (count === 0) tap.fail(name + ' has no tests');
        };
        export const end = () => {
          if (ran.length === 0) tap.pass('other processes have run all files');
          // What a failed test leaves running would keep this process until its time limit.
          setTimeout(() => {
            const children = readFileSync('/proc/self/task/' + process.pid + '/children', 'utf8').match(/\\d+/g) ?? [];
            const commands = children.map((pid) => readFileSync('/proc/' + pid + '/cmdline', 'utf8').replaceAll('\\0', ' '));
            console.error('still open after', ran.join(', '), process.getActiveResourcesInfo(), commands);
            // tap waits for whoever has this process's output open.
            for (const pid of children) process.kill(Number(pid), 'SIGKILL');
            process.exit(1);
          }, ${PATIENCE_MS}).unref();
        };`,
    }));
  },
});
