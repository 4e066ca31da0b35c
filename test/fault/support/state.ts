/** The resources of a server, seen from outside, to compare before and after. */
import { readFile } from 'node:fs/promises';
import { kitOf, openFiles } from '../../e2e/support/processes.ts';
import { loadsDictionaries } from '../../support/dictionary-loader.ts';
import type { Server } from '../../support/server.ts';
import { until } from '../../support/until.ts';

interface State {
  readonly jobs: number;
  /** The server, its kit and children, its Redis; not the one that loads dictionaries. */
  readonly processes: number;
  /** Descriptors of the server, without what the kernel opens for it by the way. */
  readonly files: number;
  readonly filesOfKit: number;
}

/** The children of a kit, except for the one that loads dictionaries; none when it is gone. */
export async function childrenOf(pid: number): Promise<number[]> {
  const text = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8').catch(() => '');
  return text
    .trim()
    .split(' ')
    .filter(Boolean)
    .map(Number)
    .filter((child) => !loadsDictionaries(child));
}

/** Equal readings in a row after which all work that follows an answer is over. */
const SAME_LOOKS = 5;

/** What a server holds at rest. */
export async function restingState(server: Server): Promise<State> {
  let state = await stateOf(server);
  let same = 0;
  await until('it rests', async () => {
    const now = await stateOf(server);
    same = now.jobs === 0 && JSON.stringify(now) === JSON.stringify(state) ? same + 1 : 0;
    state = now;
    return same === SAME_LOOKS;
  });
  return state;
}

async function stateOf(server: Server): Promise<State> {
  return {
    jobs: (await server.jobs()).length,
    processes: (await server.processes()).filter(({ pid }) => !loadsDictionaries(pid)).length,
    files: openFiles(server.pid).length,
    filesOfKit: openFiles(kitOf(server)).length,
  };
}

/** Waits until a server holds no more and no less than it did. */
export async function untilAs(before: State, server: Server): Promise<void> {
  const expected = JSON.stringify(before);
  let now = '';
  await until('all is as before', async () => {
    // The kit may be replaced while we look.
    now = JSON.stringify(await stateOf(server).catch(() => undefined));
    return now === expected;
  }).catch((error: Error) => {
    throw new Error(`${error.message}: ${now} is not ${expected}`);
  });
}

/** Resident size of a process, in bytes. */
export async function residentBytes(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1]) * 1024;
}
