/** Limits the number of processes of a running server, and lifts the limit. */
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, rmdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Test } from 'tap';
import { kitOf } from '../../e2e/support/processes.ts';
import type { Server } from '../../support/server.ts';
import { until } from '../../support/until.ts';
import { enter } from './control-group.ts';

const run = promisify(execFile);
/** Where Linux shows its control groups, in versions 1 and 2. */
const PIDS_FOLDERS = ['/sys/fs/cgroup/pids', '/sys/fs/cgroup'];
/** A kit has fewer descriptors than MANY, and keeps the FIRST ones for itself. poll(2) takes no more than the limit. */
const [MANY_DESCRIPTORS, FIRST_DESCRIPTORS] = [1_024, 8];

interface ProcessLimit {
  /** Says what is limited. */
  readonly name: string;
  /** From now on a fork fails. */
  lower(): Promise<unknown>;
  raise(): Promise<unknown>;
}

/**
 * A control group if the test may create one; else the user's limit, which does not bind root; else that of
 * descriptors, without which a kit gets no child either.
 */
export async function limitProcesses(t: Test, server: Server): Promise<ProcessLimit> {
  const group = await controlGroup(t, server).catch(() => undefined);
  if (group) return group;
  const kit = String(kitOf(server));
  const limit = (value: string) => run('prlimit', ['--pid', kit, value]);
  if (process.getuid?.() !== 0) {
    return {
      name: 'RLIMIT_NPROC',
      lower: () => limit('--nproc=1:'),
      raise: () => limit('--nproc=unlimited:'),
    };
  }
  return {
    name: 'RLIMIT_NOFILE',
    lower: () => limit(`--nofile=${FIRST_DESCRIPTORS}:`),
    raise: () => limit(`--nofile=${MANY_DESCRIPTORS}:`),
  };
}

/** The server's own control group. Rejects where there is none to be had. */
async function controlGroup(t: Test, server: Server): Promise<ProcessLimit> {
  const parent = PIDS_FOLDERS.find((folder) => existsSync(join(folder, 'cgroup.procs'))) ?? '';
  const folder = join(parent, `platen-test-${process.pid}`);
  await mkdir(folder);
  t.teardown(() =>
    until('its processes are gone', () =>
      rmdir(folder).then(
        () => true,
        () => false,
      ),
    ),
  );
  const max = join(folder, 'pids.max');
  await writeFile(max, 'max');
  // Processes that are not in it yet may start more.
  const members = new Set<number>();
  for (let others = [server.pid]; others.length > 0; ) {
    for (const pid of others) {
      await enter(folder, pid);
      members.add(pid);
    }
    others = (await server.processes()).map(({ pid }) => pid).filter((pid) => !members.has(pid));
  }
  return { name: 'pids.max', lower: () => writeFile(max, '1'), raise: () => writeFile(max, 'max') };
}
