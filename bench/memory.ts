/** Memory: of the service when it is idle, and what a running child adds. */
import { readFile, readlink } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import type { BenchDocument } from './documents.ts';
import { childrenOf, kibibytes } from './processes.ts';
import type { BenchService } from './service.ts';
import { summary } from './statistics.ts';

/** How long a child runs between two samples. */
const STEP_MS = 1;

/** MiB. */
export type MemoryResult = Awaited<ReturnType<typeof measureMemory>>;

/** @param count conversions whose children are sampled; needs root, once they have a document. */
export async function measureMemory(service: BenchService, document: BenchDocument, count: number) {
  const idle = await idleMemory(service);
  if (process.getuid?.() !== 0) return { ...idle, childPrivateMiB: undefined };
  const peaks: number[] = [];
  for (let n = 0; n < count; n++) peaks.push(await privateMemory(service, document));
  return { ...idle, childPrivateMiB: summary(peaks) };
}

async function idleMemory(service: BenchService) {
  const { server, readers, kit } = await service.processes();
  const children = await childrenOf(kit);
  const share = async (pid: number) => kibibytes(await readFile(`/proc/${pid}/smaps_rollup`, 'utf8'), 'Pss');
  const resident = async (pid: number) => kibibytes(await readFile(`/proc/${pid}/status`, 'utf8'), 'VmRSS');
  // Proportional sizes count shared pages once.
  const shares = await Promise.all([kit, ...children].map(share));
  const kitKiB = shares.reduce((sum, each) => sum + each, 0);
  const nodes = await Promise.all([server, ...readers].map(share));
  const nodesKiB = nodes.reduce((sum, each) => sum + each, 0);
  return {
    serverMiB: mebibytes(await resident(server)),
    kitMiB: mebibytes(await resident(kit)),
    kitSharedOnceMiB: mebibytes(kitKiB),
    togetherSharedOnceMiB: mebibytes(kitKiB + nodesKiB),
  };
}

/**
 * The largest private memory of a conversion's child, in MiB. The child is stopped while it is sampled, so a sample
 * may take longer than a step.
 */
async function privateMemory(service: BenchService, document: BenchDocument): Promise<number> {
  const { kit } = service;
  const folder = await readlink(`/proc/${kit}/cwd`);
  let converted = false;
  const conversion = service.convert(document).finally(() => {
    converted = true;
  });
  let most = 0;
  while (!converted) {
    for (const child of await childrenOf(kit)) {
      if (await isRunning(child, folder)) most = Math.max(most, await look(child));
    }
    await delay(STEP_MS);
  }
  await conversion;
  if (most === 0) throw new Error('no child was seen at work');
  return most / 1024;
}

/** Whether it has a document: it has then left the kit's folder. */
async function isRunning(child: number, folder: string): Promise<boolean> {
  // It may be gone by now.
  return (await readlink(`/proc/${child}/cwd`).catch(() => folder)) !== folder;
}

/** Private memory in KiB: copied pages of the kit, and new ones. */
async function look(child: number): Promise<number> {
  try {
    process.kill(child, 'SIGSTOP');
    return kibibytes(await readFile(`/proc/${child}/smaps_rollup`, 'utf8'), 'Private_Clean', 'Private_Dirty');
  } catch (error) {
    if (isGone(error)) return 0;
    throw error;
  } finally {
    resume(child);
  }
}

function resume(child: number): void {
  try {
    process.kill(child, 'SIGCONT');
  } catch (error) {
    if (!isGone(error)) throw error;
  }
}

function isGone(error: unknown): boolean {
  return ['ESRCH', 'ENOENT'].includes((error as NodeJS.ErrnoException).code ?? '');
}

function mebibytes(kibibytes: number): number {
  return Math.round(kibibytes / 1024);
}
