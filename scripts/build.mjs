/** The build: `src/` becomes `dist/`, when anything in it is newer than the last build. */
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { build as bundle } from 'esbuild';
import { buildSampleDocument } from './documents.mjs';
import { buildBruno } from './pages/bruno.mjs';
import { buildPages } from './pages/pages.mjs';
import { textSources } from './pages/text-sources.mjs';
import { root, run, say } from './run.mjs';

const dist = join(root, 'dist');
/** The build happens beside `dist/` and replaces it as a whole, so that nothing runs half a build. */
const draft = join(root, 'dist.draft');
const stamp = join(dist, '.built');
/** make does not support spaces in paths, so it gets a relative one. */
const kitSource = join(root, 'src/kit');

/** Files that are not compiled, and where they go. */
const copies = [
  ['src/kit/kit.xcu', 'kit/kit.xcu'],
  ['src/kit/no-java.xml', 'kit/no-java.xml'],
  ['src/kit/menubar.xml', 'kit/menubar.xml'],
  ['src/engine/cold-soffice.sh', 'engine/cold-soffice.sh'],
  ...luaFiles().map((name) => [`src/${name}`, name]),
  ['src/redis/redis-server.sh', 'redis/redis-server.sh'],
  ['src/cli/compare/report.css', 'cli/compare/report.css'],
  ['docker/fonts/fonts.json', 'fonts.json'],
];

/** The Lua scripts, from `src/`. */
function luaFiles() {
  const names = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' });
  return names.filter((name) => name.endsWith('.lua'));
}

/** Entry points: the service, egress, the commands, and a process that reads documents. */
const entryPoints = ['src/main.ts', 'src/egress/main.ts', 'src/cli/main.ts', 'src/convert/reading/reader.ts'];

/** Needed by the kit's Makefile; without them the service uses the cold engine. */
const kitTools = [
  '/usr/bin/make',
  '/usr/bin/gcc',
  '/usr/include/stdio.h',
  '/usr/include/seccomp.h',
  '/usr/include/qpdf/qpdf-c.h',
  '/usr/include/LibreOfficeKit/LibreOfficeKit.h',
];

/**
 * @param {{ withLoop: boolean }} options whether to build the benchmark's fork-less loop as well
 */
export async function build({ withLoop }) {
  if (!isCurrent()) {
    say('building');
    await buildDraft();
    rmSync(dist, { recursive: true, force: true });
    renameSync(draft, dist);
  }
  if (withLoop) make(dist, 'loop');
}

async function buildDraft() {
  rmSync(draft, { recursive: true, force: true });
  await bundleModules();
  for (const [from = '', to = ''] of copies) {
    mkdirSync(dirname(join(draft, to)), { recursive: true });
    copyFileSync(join(root, from), join(draft, to));
  }
  chmodSync(join(draft, 'cli/main.js'), 0o755);
  const sample = join(draft, 'kit/sample.docx');
  await buildSampleDocument(sample);
  buildPages(join(draft, 'pages'));
  await buildBruno(join(draft, 'pages/docs/bruno.zip'), sample);
  if (hasKitTools()) make(draft, 'kit');
  writeFileSync(join(draft, '.built'), kitToolsVersion());
}

/**
 * Bundles all modules, packages included: loading a thousand files takes a command five times as long as loading four. Types
 * are checked by `npm run check`.
 */
async function bundleModules() {
  await bundle({
    absWorkingDir: root,
    entryPoints,
    outbase: 'src',
    outdir: draft,
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node20.19',
    sourcemap: true,
    sourcesContent: false,
    logLevel: 'warning',
    // CommonJS packages load Node's modules with it. Other packages import it by its own name.
    banner: {
      js: "import { createRequire as makeRequire } from 'node:module'; const require = makeRequire(import.meta.url);",
    },
  });
}

/**
 * @param {string} folder
 * @param {'kit' | 'loop'} target
 */
function make(folder, target) {
  run('make', ['--silent', '-C', kitSource, `OUT=${relative(kitSource, join(folder, 'kit'))}`, target]);
}

function hasKitTools() {
  return kitTools.every((path) => existsSync(path));
}

/** Identifies the set of tools; packages preserve the times of their files. */
function kitToolsVersion() {
  return hasKitTools() ? kitTools.map((path) => statSync(path).mtimeMs).join() : 'no kit';
}

function isCurrent() {
  // A newer compiler, or another LibreOffice, makes the build stale.
  if (!existsSync(stamp) || readFileSync(stamp, 'utf8') !== kitToolsVersion()) return false;
  const built = statSync(stamp).mtimeMs;
  const sources = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' });
  const inputs = [
    'tsconfig.json',
    'package.json',
    // The packages are part of the build.
    'package-lock.json',
    'scripts/build.mjs',
    'scripts/documents.mjs',
    ...readdirSync(join(root, 'scripts/pages')).map((name) => join('scripts/pages', name)),
    'docker/fonts/fonts.json',
    'openapi/openapi.json',
    ...textSources.map((path) => relative(root, path)),
    ...sources.map((name) => join('src', name)),
  ];
  return inputs.every((name) => statSync(join(root, name)).mtimeMs <= built);
}
