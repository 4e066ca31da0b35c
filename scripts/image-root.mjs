/** Root folders of the Debian that production runs on, for machines that have no container engine. */
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
import { root as checkout, run, SetupError, say } from './run.mjs';

const RELEASE = 'trixie';

/** The root folder for each version of LibreOffice that docker/install-runtime.sh installs. */
const rootOf = new Map([
  ['25.2', RELEASE],
  ['26.8', `${RELEASE}-libreoffice-26.8`],
]);

/** What is not copied in: what was made for this system, and what is shown inside instead. */
const leftOut = ['.git', '.platen', 'dist', 'dist.draft', 'dist.fonts', 'dist.fonts.draft', 'node_modules'];

/** What stands between Debian's archive and its container images: their sources of packages, and what they leave out. */
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
 * The version of LibreOffice that the image is to have: `LIBREOFFICE` of the environment, 25.2 without it.
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
 * Makes the root folder that stands for the image unless it is there, by the steps of docker/, and puts the checkout as
 * it is now into its `/srv/platen`. `LIBREOFFICE` chooses its version of LibreOffice.
 *
 * @param {string} folder where it is kept from one run to the next; removing it makes the next one start afresh
 * @returns {string} path of the root folder
 * @throws {SetupError} when this user may not, or a step fails
 */
export function prepareImageRoot(folder) {
  const version = chosenLibreOffice();
  const root = prepareRoot(folder, /** @type {string} */ (rootOf.get(version)), 'docker', [
    ['sh', 'docker/install-runtime.sh', version],
    ['sh', 'docker/install-fonts.sh'],
  ]);
  // The npm packages are this system's, which is why the two have to agree.
  const abi = 'process.exitCode = process.versions.modules === process.argv[1] ? 0 : 1';
  if (enter(root, ['node', '-e', abi, process.versions.modules]) !== 0) {
    throw new SetupError(
      `Use the major version of Node that Debian ${RELEASE} has; this is ${process.version}.`,
    );
  }
  orFail(root, ['node', 'scripts/setup.mjs', '--test', '--bench']);
  return root;
}

/**
 * Makes a root folder of a bare Debian unless it is there, puts the checkout into it, and takes the steps in it unless it
 * has had them as they are now.
 *
 * @param {string} folder
 * @param {string} name of the root folder in it
 * @param {string} sources file or folder of the checkout that says what the steps do; another content makes them needed
 * @param {string[][]} steps commands that can be repeated
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
 * Makes the root folder of a bare Debian unless it is there, as the image's base has it.
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
 * Runs a command in the checkout inside the root, with this process's input and output.
 *
 * @param {string} root
 * @param {string[]} command
 * @param {object} [options]
 * @param {boolean} [options.withNetwork] without it, it has a loopback device of its own, which is down
 * @param {[folder: string, path: string][]} [options.show] what is seen at these paths inside, and cannot be changed there
 * @param {[folder: string, path: string][]} [options.share] what can be changed there as well
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
 * Root's alone: in a folder that is open to all, somebody else may have made one of its name.
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
 * Packages that are installed start nothing, as in Debian's images.
 *
 * @param {string} root
 */
function startNoServices(root) {
  writeFileSync(join(root, 'usr/sbin/policy-rc.d'), '#!/bin/sh\nexit 101\n', { mode: 0o755 });
}

/**
 * A fresh copy each time, without what was left in the temporary folder.
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
    // The links in the node_modules of test/clients lead to places in it.
    verbatimSymlinks: true,
    // They grow with each run of a benchmark.
    filter: (/** @type {string} */ from) => from !== results,
  };
  const names = readdirSync(checkout).filter((name) => !leftOut.includes(name));
  for (const name of names) cpSync(join(checkout, name), join(copy, name), options);
}
