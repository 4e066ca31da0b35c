/** Root folders of production's Debian, for machines without a container engine. */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chmodSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { buildTap, installNpmPackages, installTestPackages } from './npm-packages.mjs';
import { root as checkout, run, SetupError, say } from './run.mjs';

const RELEASE = 'trixie';

const dockerfile = readFileSync(join(checkout, 'docker/Dockerfile'), 'utf8');
/** What the image sets for each Node, as `NAME=VALUE`. */
export const nodeOptions = /NODE_OPTIONS=\S+/.exec(dockerfile)?.[0] ?? '';

/** The root folder for each version of LibreOffice that docker/install-runtime.sh installs. */
const rootOf = new Map([
  ['25.2', RELEASE],
  ['26.8', `${RELEASE}-libreoffice-26.8`],
]);

/** Not copied: files built for this system, and what is mounted inside instead. */
const leftOut = ['.git', '.platen', 'dist', 'dist.draft', 'dist.fonts', 'dist.fonts.draft', 'node_modules'];

/** Differences of Debian's container images from a plain debootstrap: package sources, and what they leave out. */
const likeInImages = {
  'etc/apt/sources.list': [RELEASE, `${RELEASE}-updates`]
    .map((suite) => `deb http://deb.debian.org/debian ${suite} main\n`)
    .concat(`deb http://deb.debian.org/debian-security ${RELEASE}-security main\n`)
    .join(''),
  'etc/dpkg/dpkg.cfg.d/speedup': 'force-unsafe-io\n',
  'etc/dpkg/dpkg.cfg.d/slim': [
    'path-exclude /usr/share/doc/*',
    'path-include /usr/share/doc/*/copyright',
    'path-exclude /usr/share/info/*',
    'path-exclude /usr/share/locale/*',
    'path-include /usr/share/locale/locale.alias',
    'path-exclude /usr/share/man/*\n',
  ].join('\n'),
};

/**
 * The image's version of LibreOffice: `LIBREOFFICE` of the environment, 25.2 by default.
 *
 * @returns {string}
 * @throws {SetupError} when the image cannot have it
 */
export function chosenLibreOffice() {
  const version = process.env.LIBREOFFICE || '25.2';
  if (rootOf.has(version)) return version;
  throw new SetupError(`LIBREOFFICE is one of ${[...rootOf.keys()].join(' and ')}, not ${version}.`);
}

/**
 * Creates the root folder that represents the image, by the steps of docker/, unless it exists, and copies the checkout into
 * its `/srv/platen`. `LIBREOFFICE` selects the version of LibreOffice.
 *
 * @param {string} folder kept between runs; remove it to start afresh
 * @returns {Promise<string>} path of the root folder
 * @throws {SetupError} when this user may not, or a step fails
 */
export async function prepareImageRoot(folder) {
  const version = chosenLibreOffice();
  // Inside there is no npm but that of the tests' packages.
  installNpmPackages();
  buildTap();
  await installTestPackages();
  const root = prepareRoot(folder, /** @type {string} */ (rootOf.get(version)), 'docker', [
    ['sh', 'docker/install-runtime.sh', version],
    ['sh', 'docker/install-fonts.sh'],
  ]);
  installImageNode(folder, root);
  orFail(root, ['node', 'scripts/setup.mjs', '--test', '--bench']);
  return root;
}

/**
 * Creates a root folder of a bare Debian unless it exists, copies the checkout into it, and runs the steps in it unless they
 * ran before in their present form.
 *
 * @param {string} folder
 * @param {string} name of the root folder in it
 * @param {string} sources file or folder of the checkout that defines the steps; when it changes, they run again
 * @param {string[][]} steps idempotent commands
 * @returns {string} path of the root folder
 * @throws {SetupError} when this user may not, or a step fails
 */
export function prepareRoot(folder, name, sources, steps) {
  const root = join(folder, name);
  if (!existsSync(root)) {
    const bare = prepareBareRoot(folder);
    say(`making ${root}`);
    const draft = join(folder, 'draft');
    rmSync(draft, { recursive: true, force: true });
    run('cp', ['-a', bare, draft]);
    renameSync(draft, root);
  }
  copyCheckout(root);
  const stamp = join(root, 'var/lib/platen-steps');
  const digest = digestOf(join(checkout, sources));
  if (!existsSync(stamp) || readFileSync(stamp, 'utf8') !== digest) {
    for (const step of steps) orFail(root, step);
    writeFileSync(stamp, digest);
  }
  return root;
}

/**
 * Creates the root folder of a bare Debian, like the image's base, unless it exists.
 *
 * @param {string} folder
 * @returns {string} its path
 */
export function prepareBareRoot(folder) {
  if (process.getuid?.() !== 0) throw new SetupError('Mounting and chroot need root: run this as root.');
  makePrivate(folder);
  const bare = join(folder, 'bare');
  if (existsSync(bare)) return bare;
  say(`making a root of Debian ${RELEASE} in ${bare}`);
  const draft = join(folder, 'draft');
  rmSync(draft, { recursive: true, force: true });
  run('debootstrap', ['--variant=minbase', RELEASE, draft]);
  for (const [path, content] of Object.entries(likeInImages)) writeFileSync(join(draft, path), content);
  for (const path of ['var/lib/apt/lists', 'var/cache/apt/archives']) {
    rmSync(join(draft, path), { recursive: true });
    mkdirSync(join(draft, path, 'partial'), { recursive: true });
  }
  startNoServices(draft);
  renameSync(draft, bare);
  return bare;
}

/**
 * Copies the image's Node and its licence to where Docker's official image has them. They come from npm, which has the same program.
 *
 * @param {string} folder that keeps what npm installed
 * @param {string} root
 */
export function installImageNode(folder, root) {
  const major = /^ARG NODE=\S*node:(\d+)/m.exec(dockerfile)?.[1];
  const packages = join(folder, `node-${major}`);
  const name = `node-linux-${process.arch}`;
  const installed = join(packages, 'node_modules', name);
  if (!existsSync(join(installed, 'bin/node'))) {
    say(`installing Node ${major} in ${packages}`);
    run('npm', [
      'install',
      `--prefix=${packages}`,
      '--ignore-scripts',
      '--no-audit',
      '--no-fund',
      `${name}@${major}`,
    ]);
  }
  for (const file of ['bin/node', 'LICENSE']) cpSync(join(installed, file), join(root, 'usr/local', file));
}

/**
 * Runs a command in the checkout inside the root, with this process's input and output.
 *
 * @param {string} root
 * @param {string[]} command
 * @param {object} [options]
 * @param {boolean} [options.withNetwork] without it, the command has only a loopback device, which is down
 * @param {[folder: string, path: string][]} [options.show] mounted read-only at these paths
 * @param {[folder: string, path: string][]} [options.share] mounted read-write at these paths
 * @returns {number} exit code; 1 when a signal ended it
 */
export function enter(root, command, { withNetwork = true, show = [], share = [] } = {}) {
  const namespaces = ['--mount', '--pid', '--fork', '--kill-child', ...(withNetwork ? [] : ['--net'])];
  const script = join(checkout, 'scripts/enter-root.sh');
  const folders = [
    ...show.flatMap((folder) => ['--show', ...folder]),
    ...share.flatMap((folder) => ['--share', ...folder]),
  ];
  const args = [...namespaces, 'sh', script, root, checkout, ...folders, ...command];
  const { error, status } = spawnSync('unshare', args, { stdio: 'inherit' });
  if (error) throw new SetupError(`unshare cannot be run: ${error.message}`);
  return status ?? 1;
}

/**
 * @param {string} root
 * @param {string[]} command
 */
export function orFail(root, command) {
  if (enter(root, command) !== 0) throw new SetupError(`${command.join(' ')} failed in ${root}.`);
}

/** @param {string} path of a file, or of a folder with all in it */
function digestOf(path) {
  const hash = createHash('sha256');
  /** @param {string} each */
  const add = (each) => {
    if (statSync(each).isDirectory()) for (const name of readdirSync(each).sort()) add(join(each, name));
    else hash.update(each).update(readFileSync(each));
  };
  add(path);
  return hash.digest('hex');
}

/**
 * Creates a folder that only root can use: in a folder open to all, another user may have created one of this name.
 *
 * @param {string} folder
 */
function makePrivate(folder) {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const about = lstatSync(folder);
  if (!about.isDirectory() || about.uid !== 0) throw new SetupError(`${folder} is not a folder of root's.`);
  chmodSync(folder, 0o755);
}

/**
 * Keeps installed packages from starting services, as in Debian's images.
 *
 * @param {string} root
 */
function startNoServices(root) {
  writeFileSync(join(root, 'usr/sbin/policy-rc.d'), '#!/bin/sh\nexit 101\n', { mode: 0o755 });
}

/**
 * Copies the checkout afresh, and empties the temporary folder.
 *
 * @param {string} root
 */
function copyCheckout(root) {
  const copy = join(root, 'srv/platen');
  for (const path of [copy, join(root, 'tmp')]) rmSync(path, { recursive: true, force: true });
  mkdirSync(copy, { recursive: true });
  mkdirSync(join(root, 'tmp'));
  chmodSync(join(root, 'tmp'), 0o1777);
  const results = join(checkout, 'bench', 'results');
  const options = {
    recursive: true,
    // Links in the node_modules of test/clients point into it.
    verbatimSymlinks: true,
    // They grow with each benchmark.
    filter: (/** @type {string} */ from) => from !== results,
  };
  const names = readdirSync(checkout).filter((name) => !leftOut.includes(name));
  for (const name of names) cpSync(join(checkout, name), join(copy, name), options);
}
