/** A root folder of the Debian that production runs on, for machines that have no container engine. */
import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { root as checkout, run, SetupError, say } from './run.mjs';

const RELEASE = 'trixie';

/** What is not copied in: what was made for this system, and what is shown inside instead. */
const leftOut = ['.git', '.platen', 'dist', 'dist.draft', 'node_modules'];

/**
 * Makes the root folder unless it is there, and puts the checkout as it is now into its `/srv/platen`.
 *
 * @param {string} folder where it is kept from one run to the next; removing it makes the next one start afresh
 * @returns {string} path of the root folder
 * @throws {SetupError} when this user may not, or a step fails
 */
export function prepareImageRoot(folder) {
  if (process.getuid?.() !== 0) throw new SetupError('Mounting and chroot need root: run this as root.');
  makePrivate(folder);
  const root = join(folder, RELEASE);
  if (!existsSync(root)) {
    say(`making a root of Debian ${RELEASE} in ${root}`);
    const draft = join(folder, 'draft');
    rmSync(draft, { recursive: true, force: true });
    run('debootstrap', ['--variant=minbase', RELEASE, draft]);
    startNoServices(draft);
    renameSync(draft, root);
  }
  copyCheckout(root);
  if (!existsSync(join(root, 'usr/bin/node'))) orFail(root, ['docker/install-node.sh']);
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
 * Runs a command in the checkout inside the root, with this process's input and output.
 *
 * @param {string} root
 * @param {string[]} command
 * @returns {number} exit code; 1 when a signal ended it
 */
export function enter(root, command) {
  const namespaces = ['--mount', '--pid', '--fork', '--kill-child'];
  const script = join(checkout, 'scripts/enter-root.sh');
  const { error, status } = spawnSync('unshare', [...namespaces, 'sh', script, root, checkout, ...command], {
    stdio: 'inherit',
  });
  if (error) throw new SetupError(`unshare cannot be run: ${error.message}`);
  return status ?? 1;
}

/**
 * @param {string} root
 * @param {string[]} command
 */
function orFail(root, command) {
  if (enter(root, command) !== 0) throw new SetupError(`${command.join(' ')} failed in ${root}.`);
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
  const names = readdirSync(checkout).filter((name) => !leftOut.includes(name));
  // The links in test/clients/node_modules lead to places in it.
  const options = { recursive: true, verbatimSymlinks: true };
  for (const name of names) cpSync(join(checkout, name), join(copy, name), options);
}
