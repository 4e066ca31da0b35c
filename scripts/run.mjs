/** Runs commands of the setup. */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
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
    ...options,
    env: { ...process.env, ...env },
  });
  assertSuccess(command, args, { error, status, signal });
}

/**
 * As {@link run}, while this process goes on.
 *
 * @param {string} command
 * @param {string[]} args
 * @throws {SetupError} when it cannot be run or fails
 */
export async function runBeside(command, args) {
  const end = once(spawn(command, args, options), 'exit');
  const [status, signal, error] = await end.catch((error) => [undefined, undefined, error]);
  assertSuccess(command, args, { error, status, signal });
}

/** @type {{ cwd: string, stdio: ['ignore', 2, 2] }} */
const options = { cwd: root, stdio: ['ignore', 2, 2] };

/**
 * @param {string} command
 * @param {string[]} args
 * @param {{ error?: Error | undefined, status?: number | null, signal?: string | null }} end
 */
function assertSuccess(command, [first = ''], { error, status, signal }) {
  if (error) throw new SetupError(`${command} cannot be run: ${error.message}`);
  if (status !== 0) throw new SetupError(`${command} ${first} failed (${signal ?? `exit code ${status}`}).`);
}

/** @param {string} text */
export function say(text) {
  console.error(`setup: ${text}`);
}
