/** Memory that processes share: a control group that is too small for what they may use. */
import { existsSync } from 'node:fs';
import { mkdir, readFile, rmdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Test } from 'tap';
import { until } from '../../support/until.ts';
import { enter } from './control-group.ts';

/** Where Linux shows its control groups, and how their files are called, in versions 1 and 2. */
const VERSIONS = [
  { parent: '/sys/fs/cgroup/memory', limit: 'memory.limit_in_bytes', peak: 'memory.max_usage_in_bytes' },
  { parent: '/sys/fs/cgroup', limit: 'memory.max', peak: 'memory.peak' },
] as const;

/** A control group. */
interface MemoryLimit {
  /** Puts processes into it, with all that they fork from now on. */
  add(pids: readonly number[]): Promise<void>;
  /** The most that its processes used so far, in bytes. */
  peak(): Promise<number>;
  /** Sets the limit; if its processes need more, the kernel's OOM killer kills one of them. */
  set(bytes: number): Promise<void>;
}

/**
 * Creates one that ends with the test; register the end of its processes after this call. Undefined if this
 * machine does not allow it.
 */
export async function limitMemory(t: Test): Promise<MemoryLimit | undefined> {
  const version = VERSIONS.find(({ parent }) => existsSync(join(parent, 'cgroup.procs')));
  if (!version) return undefined;
  const folder = join(version.parent, `platen-test-${process.pid}`);
  const [limit, peak] = [join(folder, version.limit), join(folder, version.peak)];
  try {
    await mkdir(folder);
  } catch {
    return undefined;
  }
  t.teardown(() =>
    until('its processes are gone', () =>
      rmdir(folder).then(
        () => true,
        () => false,
      ),
    ),
  );
  if (!existsSync(limit) || !existsSync(peak)) return undefined;
  return {
    async add(pids) {
      for (const pid of pids) await enter(folder, pid);
    },
    peak: async () => Number(await readFile(peak, 'utf8')),
    set: (bytes) => writeFile(limit, String(Math.round(bytes))),
  };
}
