/** Runs commands of the setup. */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

/** The folder of the checkout. */
export const root = fileURLToPath(new URL('..', import.meta.url));

/** An error for the user to fix, whose message says all they need. */
export class SetupError extends Error {}

/** What a command prints goes to stderr. @type {{ cwd: string, stdio: ['ignore', 2, 2] }} */
const spawnOptions = { cwd: root, stdio: ['ignore', 2, 2] };

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
    ...spawnOptions,
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
  const end = once(spawn(command, args, spawnOptions), 'exit');
  const [status, signal, error] = await end.catch((error) => [undefined, undefined, error]);
  assertSuccess(command, args, { error, status, signal });
}

/**
 * @param {string} command
 * @param {string[]} args
 * @param {{ error?: Error | undefined, status?: number | null, signal?: string | null }} end
 */
function assertSuccess(command, args, { error, status, signal }) {
  if (error) throw new SetupError(`${command} cannot be run: ${error.message}`);
  const begin = [command, ...args.slice(0, 2)].join(' ');
  if (status !== 0) throw new SetupError(`${begin} failed (${signal ?? `exit code ${status}`}).`);
}

/** @param {string} text */
export function say(text) {
  console.error(`setup: ${text}`);
}
