/** Assets of the pages: scripts, style sheets, the icon. */
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, extname, join } from 'node:path';
import { buildSync } from 'esbuild';
import { root } from '../run.mjs';
import { own, write } from './files.mjs';
import { imageFolder } from './text-sources.mjs';

const require = createRequire(import.meta.url);
const swaggerUi = dirname(require.resolve('swagger-ui-dist/package.json'));
const uPlot = dirname(require.resolve('uplot/package.json'));
const webAuthn = dirname(require.resolve('@simplewebauthn/browser'));
const preact = dirname(require.resolve('preact/package.json'));

const assets = [
  join(swaggerUi, 'swagger-ui.css'),
  join(swaggerUi, 'swagger-ui-bundle.js'),
  join(own, 'base.css'),
  join(own, 'reference.css'),
  join(own, 'theme.js'),
  join(own, 'reference.js'),
  join(own, 'try-it/try-it.css'),
  join(uPlot, 'dist/uPlot.min.css'),
  join(own, 'favicon.svg'),
  ...readdirSync(imageFolder).map((name) => join(imageFolder, name)),
];

/** Modules and style sheets; each is bundled into one asset. */
const bundles = [
  join(own, 'docs.css'),
  join(own, 'guide.ts'),
  join(own, 'try-it/try-it.ts'),
  join(own, 'dashboard/dashboard.tsx'),
  join(own, 'dashboard/dashboard.css'),
  join(own, 'console/console.tsx'),
  join(own, 'console/console.css'),
];

/** Licences that must accompany the files, by their names there. */
export const licences = {
  LICENSE: join(swaggerUi, 'LICENSE'),
  NOTICE: join(swaggerUi, 'NOTICE'),
  'swagger-ui-bundle.js.LICENSE.txt': join(swaggerUi, 'swagger-ui-bundle.js.LICENSE.txt'),
  'uplot.LICENSE': join(uPlot, 'LICENSE'),
  'simplewebauthn.LICENSE.md': join(webAuthn, '../LICENSE.md'),
  'preact.LICENSE': join(preact, 'LICENSE'),
};

/**
 * Builds the assets, with hashed names.
 *
 * @param {string} folder
 * @returns {Record<string, string>} the address of each asset by its name
 */
export function buildAssets(folder) {
  mkdirSync(folder, { recursive: true });
  /** @type {(readonly [string, Buffer])[]} */
  const contents = [
    ...assets.map((path) => /** @type {const} */ ([basename(path), readFileSync(path)])),
    ...bundles.map((path) => /** @type {const} */ ([basename(path).replace(/\.tsx?$/, '.js'), bundle(path)])),
  ];
  return Object.fromEntries(
    contents.map(([name, content]) => {
      const extension = extname(name);
      const digest = createHash('sha256').update(content).digest('hex').slice(0, 12);
      const file = `${basename(name, extension)}.${digest}${extension}`;
      // Images are compressed already.
      (extension === '.webp' ? writeFileSync : write)(join(folder, file), content);
      return [name, `/assets/${file}`];
    }),
  );
}

/** @param {string} path of a module or a style sheet */
function bundle(path) {
  const { outputFiles, metafile } = buildSync({
    entryPoints: [path],
    bundle: true,
    minify: true,
    format: 'iife',
    target: 'es2022',
    write: false,
    metafile: true,
    absWorkingDir: root,
    logLevel: 'warning',
  });
  const foreign = Object.keys(metafile.inputs).find(
    (input) => !/^(src\/(pages|shared)|node_modules)\//.test(input),
  );
  if (foreign !== undefined)
    throw new Error(`${path}: ${foreign} belongs to the server; import only its types`);
  const [file] = outputFiles;
  if (!file) throw new Error(`${path} produced no output`);
  return Buffer.from(file.contents);
}
