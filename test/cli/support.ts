/** The built command line as a process of its own. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import type { Test } from 'tap';

/** Path of the built command line. */
export const main = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url));

/** The environment of a command beside PATH. */
export type Env = Readonly<Record<string, string>>;

/** Starts `platen …`. @param stdin what it reads; nothing by default. */
export function start(env: Env, args: readonly string[], stdin: Uint8Array = Buffer.alloc(0)) {
  const child = spawn(process.execPath, [main, ...args], {
    env: { PATH: process.env.PATH, ...env },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  // It need not read it.
  child.stdin.on('error', () => {}).end(stdin);
  return child;
}

/** Runs `platen …` to its end. */
export async function run(env: Env, ...args: string[]) {
  const child = start(env, args);
  const [stdout, stderr, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'exit') as Promise<[number | null]>,
  ]);
  return { code, stdout, stderr };
}

/** Runs commands with `--json`; each must succeed, print one document, and have this notice, if any, on stderr. */
export function jsonCommands(t: Test, env: Env, notice = '') {
  return async (...args: string[]) => {
    const { code, stdout, stderr } = await run(env, ...args, '--json');
    t.match({ code, stderr }, { code: 0, stderr: notice }, args.join(' '));
    t.equal(stdout.trimEnd().split('\n').length, 1, 'one line');
    return JSON.parse(stdout);
  };
}
