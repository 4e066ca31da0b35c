/** Where the CPU time of a document goes, process by process. */
import type { BenchDocument } from './documents.ts';
import { runClients } from './parallel.ts';
import { sumOf, type Use, used, useOf } from './processes.ts';
import { BenchService } from './service.ts';
import { round } from './statistics.ts';

/** As many as V8 needs to optimise the server's code: customers meet a server that has run for a while. */
const WARM_UPS = 1_000;

/** Milliseconds and page faults per document. */
export type CpuResult = Awaited<ReturnType<typeof measureCpu>>;

/**
 * Converts the document `count` times, with one client per core, in a service that keeps its kit: the cost of a new
 * kit every few hundred documents is left out.
 */
export async function measureCpu(
  document: BenchDocument,
  cores: number,
  count: number,
  env: NodeJS.ProcessEnv = {},
) {
  const service = await BenchService.start({ KIT_MAX_DOCUMENTS: '1000000', ...env });
  try {
    const convert = () => service.convert(document);
    await runClients(convert, cores, WARM_UPS);
    const { server, readers, kit, redis } = await service.processes();
    const read = async () => ({
      server: (await useOf(server)).own,
      readers: sumOf(await Promise.all(readers.map(async (pid) => (await useOf(pid)).own))),
      redis: (await useOf(redis)).own,
      kit: (await useOf(kit)).own,
      children: (await useOf(kit)).children,
      client: (await useOf(process.pid)).own,
    });
    const before = await read();
    const { perSecond } = await runClients(convert, cores, count);
    const after = await read();
    const each = (name: keyof typeof before) => perDocument(used(before[name], after[name]), count);
    const uses = {
      server: each('server'),
      readers: each('readers'),
      redis: each('redis'),
      kit: each('kit'),
      children: each('children'),
      client: each('client'),
    };
    const all = Object.values(uses).reduce((sum, { userMs, systemMs }) => sum + userMs + systemMs, 0);
    return {
      count,
      perSecond: round(perSecond),
      ...uses,
      allMs: round(all),
      /** Share of the cores' time that these processes used, in per cent. */
      busy: round((all * perSecond) / (10 * cores)),
    };
  } finally {
    await service.stop();
  }
}

function perDocument({ userMs, systemMs, pageFaults }: Use, count: number): Use {
  return {
    userMs: round(userMs / count),
    systemMs: round(systemMs / count),
    pageFaults: Math.round(pageFaults / count),
  };
}
