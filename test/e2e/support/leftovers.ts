/** What a command that converts on this machine leaves behind. */
import { existsSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Test } from 'tap';

/** The environment of a command. It must leave its jobs folder as it was, see {@link leftovers}. */
export async function environment(t: Test) {
  const folder = await mkdtemp(join(tmpdir(), 'platen-convert-'));
  t.teardown(() => rm(folder, { recursive: true, force: true }));
  return { WORK_DIR: join(folder, 'jobs'), WORKERS: '2' };
}

/** What a command left: folders of documents, and processes that name the jobs folder. */
export async function leftovers({ WORK_DIR }: { readonly WORK_DIR: string }): Promise<string[]> {
  return [...(await subfolders(WORK_DIR)), ...(await processesWith(WORK_DIR))];
}

async function subfolders(folder: string): Promise<string[]> {
  // A command that never started an engine made none.
  const entries = existsSync(folder) ? await readdir(folder, { withFileTypes: true }) : [];
  return entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
}

/** Process ids, each with its command line, of processes that have this on it. */
export async function processesWith(part: string): Promise<string[]> {
  const found: string[] = [];
  for (const pid of (await readdir('/proc')).filter((name) => /^\d+$/.test(name))) {
    const command = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
    if (command.includes(part)) found.push(`${pid} ${command.replaceAll('\0', ' ')}`);
  }
  return found;
}
