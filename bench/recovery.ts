/** Time to the next PDF after the kit was killed. */
import { setTimeout as delay } from 'node:timers/promises';
import type { BenchDocument } from './documents.ts';
import { BenchService, NotConverted } from './service.ts';
import { summary } from './statistics.ts';

/** Documents between two deaths: a kit that converted nothing counts as one that does not start. */
const BETWEEN = 12;
const PAUSE_MS = 10;

/** Milliseconds from the kit's death to the PDF of a document that is sent right after. */
export type RecoveryResult = Awaited<ReturnType<typeof measureRecovery>>;

/** @param count deaths of an idle kit, and of one that one client per core keeps busy. */
export async function measureRecovery(document: BenchDocument, cores: number, count: number) {
  const service = await BenchService.start();
  try {
    const idle: number[] = [];
    for (let n = 0; n < count; n++) {
      for (let i = 0; i < BETWEEN; i++) await service.convert(document);
      idle.push(await afterDeath(service, document));
    }
    const load = new Load(service, document, cores);
    const busy: number[] = [];
    for (let n = 0; n < count; n++) {
      await load.moreConverted(BETWEEN);
      busy.push(await afterDeath(service, document));
    }
    await load.stop();
    return { idle: summary(idle), busy: summary(busy), failures: load.failures };
  } finally {
    await service.stop();
  }
}

async function afterDeath(service: BenchService, document: BenchDocument): Promise<number> {
  process.kill(service.kit, 'SIGKILL');
  const died = performance.now();
  while (!(await isConverted(service, document))) await delay(PAUSE_MS);
  return performance.now() - died;
}

async function isConverted(service: BenchService, document: BenchDocument): Promise<boolean> {
  try {
    await service.convert(document);
    return true;
  } catch (error) {
    if (error instanceof NotConverted) return false;
    throw error;
  }
}

/** Clients that send documents one by one. */
class Load {
  /** Documents that were not converted. */
  failures = 0;
  #converted = 0;
  #stopping = false;
  readonly #clients: Promise<unknown>;

  constructor(service: BenchService, document: BenchDocument, clients: number) {
    const client = async () => {
      while (!this.#stopping) {
        if (await isConverted(service, document)) this.#converted++;
        else this.failures++;
      }
    };
    this.#clients = Promise.all(Array.from({ length: clients }, client));
  }

  async moreConverted(count: number): Promise<void> {
    const goal = this.#converted + count;
    while (this.#converted < goal) await Promise.race([delay(PAUSE_MS), this.#clients]);
  }

  async stop(): Promise<void> {
    this.#stopping = true;
    await this.#clients;
  }
}
