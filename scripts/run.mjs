/** Runs commands of the setup. */
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** The folder of the checkout. */
export const root = fileURLToPath(new URL('..', import.meta.url));

/** An error for the user to fix, whose message says all they need. */
export class SetupError extends Error {}

/**
 * Runs a command in the checkout and shows what it prints, on stderr: stdout is for the program itself.
 *
 * @param {string} command
 * @param {string[]} args
 * @param {NodeJS.ProcessEnv} [env] variables to set beside the present ones
 * @throws {SetupError} when it cannot be run or fails
 */
export function run(command, args, env = {}) {
  const { error, status, signal } = spawnSync(command, args, {
    cwd: root,
    env: { ...process.env, ...env },
    stdio: ['ignore', 2, 2],
  });
  if (error) throw new SetupError(`${command} cannot be run: ${error.message}`);
  if (status !== 0)
    throw new SetupError(`${command} ${args[0] ?? ''} failed (${signal ?? `exit code ${status}`}).`);
}

/** @param {string} text */
export function say(text) {
  console.error(`setup: ${text}`);
}
