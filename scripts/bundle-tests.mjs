/** Joins test files with what they import: 200 files that tsx compiles each for itself take minutes to load. */
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { root } from './run.mjs';

/** Packages that look for files of their own beside their code, and tap, of which there can be only one. */
const apart = [
  'tap',
  'process-on-spawn',
  'piscina',
  'playwright-core',
  'axe-core',
  'esbuild',
  'typescript',
  'swagger-ui-dist',
];

/**
 * @param {readonly string[]} files test files, from the folder of the checkout
 * @param {string} folder where the bundles go, each with its file's path below it
 */
export async function bundleTests(files, folder) {
  await build({
    absWorkingDir: root,
    entryPoints: [...files],
    outbase: '.',
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
    plugins: [sourcePlaces],
    // Packages in CommonJS load Node's own modules with it; a test may have a name of its own for another one.
    banner: {
      js: "import * as nodeModule from 'node:module'; globalThis.require ??= nodeModule.createRequire(import.meta.url);",
    },
  });
}

/**
 * A module looks for files beside its source, not beside the bundle. Only where the installation lies is that of the
 * build, whose worker threads need no compiler.
 *
 * @type {import('esbuild').Plugin}
 */
const sourcePlaces = {
  name: 'source-places',
  setup({ onLoad }) {
    onLoad({ filter: /\.(ts|mjs)$/ }, async ({ path }) => {
      const text = await readFile(path, 'utf8');
      if (path.includes('/node_modules/') || !text.includes('import.meta.')) return undefined;
      const place = path === join(root, 'src/paths.ts') ? join(root, 'dist/paths.js') : path;
      const contents = text
        .replaceAll('import.meta.url', JSON.stringify(pathToFileURL(place).href))
        .replaceAll('import.meta.dirname', JSON.stringify(dirname(place)))
        .replaceAll('import.meta.filename', JSON.stringify(place));
      return { contents, loader: path.endsWith('.ts') ? 'ts' : 'js' };
    });
  },
};
