/** Installs the npm packages of the lock file. */
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { root, run, runBeside, say } from './run.mjs';

const TAP_STAMP = '.tap/platen-stamp';
/**
 * The tests' own projects: generators of clients, which need another TypeScript, with linters of OpenAPI documents; and
 * the schemas of what the service is deployed with.
 */
const TEST_PROJECTS = ['test/clients', 'test/deployment'];
/** The fonts that setup makes, or makes others of. */
const FONTS = 'scripts/fonts';
const QUIETLY = ['--no-audit', '--no-fund', '--loglevel=error'];

/** Installs packages, and fonts, if their lock file has changed. */
export function installNpmPackages() {
  const rememberFonts = changedProject(FONTS);
  if (rememberFonts) {
    say('installing fonts');
    run('npm', ciIn(FONTS));
    rememberFonts();
  }
  const remember = changed('node_modules/.platen-stamp', ['package.json', 'package-lock.json']);
  if (!remember) return;
  say('installing npm packages');
  run('npm', ['ci', '--include=dev', ...QUIETLY]);
  // It removed tap's build.
  rmSync(join(root, TAP_STAMP), { force: true });
  remember();
}

/** Installs the packages of the tests' own projects, while this process goes on. */
export async function installTestPackages() {
  await Promise.all(TEST_PROJECTS.map(installTestProject));
}

/** @param {string} project its folder */
async function installTestProject(project) {
  const remember = changedProject(project);
  if (!remember) return;
  say(`installing the packages of ${project}`);
  await runBeside('npm', ciIn(project));
  remember();
}

/** @param {string} project its folder */
function changedProject(project) {
  const files = ['package.json', 'package-lock.json'].map((file) => join(project, file));
  return changed(join(project, 'node_modules/.platen-stamp'), files);
}

/** What npm is told. None of the packages' scripts is needed. @param {string} project its folder */
function ciIn(project) {
  return ['ci', `--prefix=${project}`, '--include=dev', '--ignore-scripts', ...QUIETLY];
}

/** Builds tap with the plugins of .taprc if they or the packages have changed. Otherwise tap's first run does so, and fails. */
export function buildTap() {
  const remember = changed(TAP_STAMP, ['.taprc', 'package-lock.json']);
  if (!remember) return;
  say('building tap with its plugins');
  run('node_modules/.bin/tap', ['build']);
  remember();
}

/**
 * Whether files have changed.
 *
 * @param {string} stamp path of the file that remembers their content
 * @param {string[]} files
 * @returns {(() => void) | undefined} a function that remembers their content; undefined if they have not changed
 */
function changed(stamp, files) {
  const path = join(root, stamp);
  const hash = createHash('sha256');
  for (const file of files) hash.update(readFileSync(join(root, file)));
  const digest = hash.digest('hex');
  if (existsSync(path) && readFileSync(path, 'utf8') === digest) return undefined;
  return () => {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, digest);
  };
}
