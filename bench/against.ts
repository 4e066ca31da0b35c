/**
 * npm run bench:against -- CHECKOUT [FILE.docx]: the built service beside that of another checkout, such as the last release's.
 * Converts one page, or the file, with each, one after the other, in turns of BATCH (default 100), ROUNDS (default 10) times.
 * Prints Markdown: CPU time of all processes and milliseconds at the client, for a document, and the medians of the differences.
 * A turn during which other programs were busy is measured again, as they slow down both processes and cores.
 * Build the other checkout first: node scripts/setup.mjs --bench in it.
 */
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { onePage } from './documents.ts';
import { busyMs, cpuMs, useBelow, useOf } from './processes.ts';
import { BenchService } from './service.ts';
import { median, round } from './statistics.ts';

const ROUNDS = Number(process.env.ROUNDS ?? 10);
const BATCH = Number(process.env.BATCH ?? 100);
/** As many as V8 needs to optimise the code. */
const WARM_UPS = 700;
/** Most that other programs may take of a core during a turn. */
const MOST_OF_OTHERS = 0.1;
/** Turns that may be measured again, for each round. */
const REPEATS = Number(process.env.REPEATS ?? 20);
/** So that no kit is replaced meanwhile. */
const environment = { KIT_MAX_DOCUMENTS: '1000000' };

/** Milliseconds for a document, a value for each round. */
interface Times {
  readonly cpu: number[];
  readonly client: number[];
}

const [checkout, file] = process.argv.slice(2);
if (checkout === undefined) {
  console.error('usage: npm run bench:against -- CHECKOUT [FILE.docx]');
  process.exit(2);
}
const content = file === undefined ? onePage().content : await readFile(file);
const other = (await import(pathToFileURL(resolve(checkout, 'bench/service.ts')).href)) as {
  readonly BenchService: typeof BenchService;
};
const services = [
  await other.BenchService.start(environment),
  await BenchService.start(environment),
] as const;
try {
  for (const service of services) for (let n = 0; n < WARM_UPS; n++) await service.convert({ content });
  const [before, after] = services.map((): Times => ({ cpu: [], client: [] })) as [Times, Times];
  for (let n = 0; n < ROUNDS; n++) {
    const turns = [() => measure(services[0], before), () => measure(services[1], after)];
    for (const turn of n % 2 === 0 ? turns : turns.reverse()) await turn();
  }
  console.log('| ms for a document, median | the other | this | difference |\n|---|---|---|---|');
  console.log(row('CPU time of all processes', before.cpu, after.cpu));
  console.log(row('at the client', before.client, after.client));
} finally {
  for (const service of services) await service.stop();
}

async function measure(service: BenchService, { cpu, client }: Times): Promise<void> {
  const { server } = await service.processes();
  const used = async () => cpuMs((await useOf(server)).own) + cpuMs(await useBelow(server));
  for (let repeats = 0; ; repeats++) {
    const [before, busyBefore, client0, startedAt] = [
      await used(),
      await busyMs(),
      process.cpuUsage(),
      performance.now(),
    ];
    const times: number[] = [];
    for (let n = 0; n < BATCH; n++) times.push((await service.convert({ content })).totalMs);
    const own = (await used()) - before;
    const { user, system } = process.cpuUsage(client0);
    const others = (await busyMs()) - busyBefore - own - (user + system) / 1000;
    if (others > MOST_OF_OTHERS * (performance.now() - startedAt)) {
      if (repeats < REPEATS) continue;
      throw new Error('the machine is too busy to measure');
    }
    cpu.push(own / BATCH);
    client.push(median(times));
    return;
  }
}

function row(name: string, before: readonly number[], after: readonly number[]): string {
  const differences = after.map((ms, n) => ms - (before[n] ?? 0));
  return `| ${name} | ${round(median(before))} | ${round(median(after))} | ${round(median(differences))} |`;
}
