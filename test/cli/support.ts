/** The built command line. */
import { type ChildProcess, fork, spawn } from 'node:child_process';
import { on, once } from 'node:events';
import type { Socket } from 'node:net';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import type { Test } from 'tap';

/** Path of the built command line. */
export const main = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url));
const runnerPath = fileURLToPath(new URL('command-runner.mjs', import.meta.url));
const root = fileURLToPath(new URL('../..', import.meta.url));

/** The environment of a command beside PATH. */
export type Env = Readonly<NodeJS.ProcessEnv>;

/** How a command ended, and what it wrote. */
interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Starts `platen …` as a process of its own. @param stdin what it reads; nothing by default. */
export function start(env: Env, args: readonly string[], stdin: Uint8Array = Buffer.alloc(0)) {
  const child = spawn(process.execPath, [main, ...args], {
    env: { PATH: process.env.PATH, ...env },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  // It need not read it.
  child.stdin.on('error', () => {}).end(stdin);
  return child;
}

/** Runs `platen …` to its end, as a process of its own: for variables that Node reads when it starts, and to prove what it does alone. */
export async function runAlone(env: Env, ...args: string[]): Promise<Ended> {
  const child = start(env, args);
  const [stdout, stderr, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'exit') as Promise<[number | null]>,
  ]);
  return { code, stdout, stderr };
}

let runner: ChildProcess | undefined;
let last: Promise<unknown> = Promise.resolve();

/** Runs `platen …` to its end, in a process that other commands share: to load the packages takes longer than a command. */
export function run(env: Env, ...args: string[]): Promise<Ended> {
  const ended = last.then(() => runNext({ PATH: process.env.PATH, ...env }, args));
  last = ended.catch(() => {});
  return ended;
}

async function runNext(env: Env, args: readonly string[]): Promise<Ended> {
  const child = runner ?? startRunner();
  runner = child;
  child.channel?.ref();
  const ended = Promise.all([
    untilZero(child.stdout as Readable),
    untilZero(child.stderr as Readable),
    once(child, 'message') as Promise<[number]>,
  ]);
  child.send({ env, args });
  const [stdout, stderr, [code]] = await ended;
  child.channel?.unref();
  return { code, stdout, stderr };
}

/** It ends with this process, which does not wait for it. */
function startRunner(): ChildProcess {
  const child = fork(runnerPath, {
    cwd: root,
    execArgv: [],
    env: { PATH: process.env.PATH },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  child.unref();
  for (const stream of [child.stdout, child.stderr] as Socket[]) stream.setEncoding('utf8').unref();
  return child;
}

/** What a stream has up to a zero byte. */
async function untilZero(stream: Readable): Promise<string> {
  let text = '';
  for await (const [part] of on(stream, 'data', { close: ['end'] })) {
    text += part;
    if (text.endsWith('\0')) return text.slice(0, -1);
  }
  throw new Error(`the process of the commands ended: ${text}`);
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
