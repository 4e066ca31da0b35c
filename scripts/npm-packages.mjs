/** Installs the npm packages of the lock file. */
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { root, run, say } from './run.mjs';

const TAP_STAMP = '.tap/platen-stamp';
/**
 * The tests' own projects: generators of clients, which need another TypeScript, with linters of OpenAPI documents; and
 * the schemas of what the service is deployed with.
 */
const TEST_PROJECTS = ['test/clients', 'test/deployment'];
const QUIETLY = ['--no-audit', '--no-fund', '--loglevel=error'];

/**
 * Installs packages if the lock file has changed; for tests, also those of the tests' own projects, and builds tap.
 *
 * @param {{ forTest: boolean }} options
 */
export function installNpmPackages({ forTest }) {
  whenChanged('node_modules/.platen-stamp', ['package.json', 'package-lock.json'], () => {
    say('installing npm packages');
    run('npm', ['ci', '--include=dev', ...QUIETLY]);
    // It removed tap's build.
    rmSync(join(root, TAP_STAMP), { force: true });
  });
  if (!forTest) return;
  for (const project of TEST_PROJECTS) {
    const files = ['package.json', 'package-lock.json'].map((file) => join(project, file));
    whenChanged(join(project, 'node_modules/.platen-stamp'), files, () => {
      say(`installing the packages of ${project}`);
      // None of their scripts is needed here.
      run('npm', ['ci', `--prefix=${project}`, '--include=dev', '--ignore-scripts', ...QUIETLY]);
    });
  }
  buildTap();
}

/** Builds tap with the plugins of .taprc if they or the packages have changed. Otherwise tap's first run does so, and fails. */
export function buildTap() {
  whenChanged(TAP_STAMP, ['.taprc', 'package-lock.json'], () => {
    say('building tap with its plugins');
    run('node_modules/.bin/tap', ['build']);
  });
}

/**
 * Runs an action unless it already ran with these files' content.
 *
 * @param {string} stamp path of the file that remembers that content
 * @param {string[]} files
 * @param {() => void} action
 */
function whenChanged(stamp, files, action) {
  const path = join(root, stamp);
  const hash = createHash('sha256');
  for (const file of files) hash.update(readFileSync(join(root, file)));
  const digest = `${process.versions.modules} ${hash.digest('hex')}`;
  if (existsSync(path) && readFileSync(path, 'utf8') === digest) return;
  action();
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, digest);
}
