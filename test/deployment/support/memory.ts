/** What a server may use of memory at most. docs/deployment.md, "Size", adds a reserve. */
import type { Config } from '../../../src/config.ts';

const MEBIBYTE = 2 ** 20;
const UNITS: Readonly<Record<string, number>> = {
  m: MEBIBYTE,
  mb: MEBIBYTE,
  g: 1024 * MEBIBYTE,
  mi: MEBIBYTE,
  gi: 1024 * MEBIBYTE,
};

/** Bytes of `512m` and `7g` (compose), `3500Mi` and `7Gi` (Kubernetes), `256mb` (Redis). */
export function bytesOf(size: string): number {
  const [, number, unit = ''] = /^(\d+)([a-zA-Z]+)$/.exec(size) ?? [];
  const factor = UNITS[unit.toLowerCase()];
  if (number === undefined || factor === undefined) throw new Error(`no size: ${size}`);
  return Number(number) * factor;
}

/** Node and two kits: half of it was measured with one kit, idle. */
const PROCESSES = 600 * MEBIBYTE;
/** What a conversion shares with the kit, of `JOB_MEMORY_MB` (docs/configuration.md). */
const SHARED = 170 * MEBIBYTE;

/**
 * The queue may run one document beyond the workers. What the kit converts to prove its health is small.
 *
 * @param documents size of the folder of the documents, in bytes, which is in memory
 * @returns bytes
 */
export function serverBytes({ workers, jobMemoryBytes }: Config, documents: number): number {
  return PROCESSES + (workers + 1) * (jobMemoryBytes - SHARED) + documents;
}
