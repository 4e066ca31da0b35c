import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Puts a process into the control group of this folder, unless it has ended. What it forks from then on is in it, too. */
export async function enter(folder: string, pid: number): Promise<void> {
  await writeFile(join(folder, 'cgroup.procs'), String(pid)).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ESRCH') throw error;
  });
}
