/** The cost of a document's sandbox: the kit with and without it, in turns. */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pino } from 'pino';
import { workFolders } from '../src/convert/workspace.ts';
import { INPUT_NAME } from '../src/engine/engine.ts';
import { KitEngine } from '../src/engine/kit-engine.ts';
import { allLayers, buildOpenKit } from '../test/support/kit-build.ts';
import type { BenchDocument } from './documents.ts';
import { median, round, summary } from './statistics.ts';

const WARM_UPS = 20;
const never = new AbortController().signal;

/** Times in milliseconds; `cost` is the median of the differences between consecutive conversions. */
export type SandboxCost = Awaited<ReturnType<typeof measureSandboxCost>>;

/** Converts the document `count` times in each of two kits that differ only in their sandbox. */
export async function measureSandboxCost(document: BenchDocument, count: number) {
  const folder = await mkdtemp(join(await jobsFolder(), 'bench-'));
  const engines: KitEngine[] = [];
  try {
    const { program } = await buildOpenKit(folder, 'libreoffice', '-O2');
    for (const layers of [0, allLayers]) {
      const engine = new KitEngine({
        folder: join(folder, `kit-${layers}`),
        workers: 1,
        jobMemoryBytes: 1_073_741_824,
        jobCpuMs: 60_000,
        maxDocuments: Number.MAX_SAFE_INTEGER,
        log: pino({ level: 'warn' }),
        binary: await program(layers),
      });
      engines.push(engine);
      await engine.start();
    }
    const times: number[][] = engines.map(() => []);
    for (let n = -WARM_UPS; n < count; n++) {
      // The order alternates, as the previous child may still be ending.
      for (const i of n % 2 === 0 ? [0, 1] : [1, 0]) {
        const ms = await convert(engines[i] as KitEngine, join(folder, `job-${i}-${n}`), document);
        if (n >= 0) times[i]?.push(ms);
      }
    }
    const [open = [], sandboxed = []] = times;
    return {
      open: summary(open),
      sandboxed: summary(sandboxed),
      cost: round(median(sandboxed.map((ms, n) => ms - (open[n] ?? 0)))),
    };
  } finally {
    await Promise.all(engines.map((engine) => engine.stop()));
    await rm(folder, { recursive: true, force: true });
  }
}

/** The default folder of the service's jobs. */
async function jobsFolder(): Promise<string> {
  const [folder] = await workFolders({ dataDir: '.platen', workDir: undefined });
  await mkdir(folder, { recursive: true, mode: 0o700 });
  return folder;
}

async function convert(engine: KitEngine, folder: string, document: BenchDocument): Promise<number> {
  await mkdir(folder);
  await writeFile(join(folder, INPUT_NAME), document.content);
  const id = folder.slice(folder.lastIndexOf('/') + 1);
  const started = performance.now();
  await engine.convert({ id, folder }, never);
  const ms = performance.now() - started;
  await rm(folder, { recursive: true });
  return ms;
}
