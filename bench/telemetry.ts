/**
 * node --import=tsx bench/telemetry.ts: what telemetry costs. The same one-page document in four services that take turns, round
 * by round: without telemetry, with 10 % and with all of the requests sampled, and once more without, which shows the noise. The
 * collector and the clients share the machine. ROUNDS (default 20) makes it longer.
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { cpus } from 'node:os';
import { onePage } from './documents.ts';
import { runClients } from './parallel.ts';
import { used, useOf } from './processes.ts';
import { BenchService } from './service.ts';
import { median, percentile, round } from './statistics.ts';

const ROUNDS = Number(process.env.ROUNDS ?? 20);
/** Of each way in a round, and before the first. */
const DOCUMENTS = 80;
const WARM_UPS = 200;

const cores = cpus().length;
const sink = fork(new URL('otlp-sink.ts', import.meta.url), { execArgv: ['--import=tsx'] });
const [collector] = (await once(sink, 'message')) as [string];
const sampled = (share: string) => ({
  OTEL_EXPORTER_OTLP_ENDPOINT: collector,
  OTEL_TRACES_SAMPLER: 'parentbased_traceidratio',
  OTEL_TRACES_SAMPLER_ARG: share,
});
const environments = { off: {}, '10 %': sampled('0.1'), all: sampled('1'), 'off again': {} } as const;
type Way = keyof typeof environments;
const names = Object.keys(environments) as Way[];

interface Measured {
  readonly perSecond: number;
  /** CPU time of the server a document, in milliseconds. */
  readonly cpuMs: number;
}

const services = new Map<Way, BenchService>();
const results = new Map<Way, Measured[]>(names.map((name) => [name, []]));
try {
  for (const name of names) {
    // Renewals of kits at different moments would be noise.
    services.set(name, await BenchService.start({ ...environments[name], KIT_MAX_DOCUMENTS: '1000000' }));
  }
  const { content } = onePage();
  const convert = async (name: Way) => services.get(name)?.convert({ content });
  for (const name of names) await runClients(() => convert(name), cores, WARM_UPS);
  for (let n = 0; n < ROUNDS; n++) {
    // Each comes first as often as the others.
    const order = names.map((_, index) => names[(index + n) % names.length] as Way);
    for (const name of order) results.get(name)?.push(await measure(name, () => convert(name)));
  }
} finally {
  await Promise.all([...services.values()].map((service) => service.stop()));
  sink.disconnect();
}

const figures = names.map((name) => {
  const all = results.get(name) ?? [];
  return {
    name,
    perSecond: round(median(all.map(({ perSecond }) => perSecond))),
    cpuMs: round(median(all.map(({ cpuMs }) => cpuMs))),
    /** To the same round without telemetry, in per cent. */
    throughput: change(all, ({ perSecond }) => perSecond),
    cpu: change(all, ({ cpuMs }) => cpuMs),
  };
});
console.log(
  `Median of ${ROUNDS} rounds with ${DOCUMENTS} documents, ${cores} at a time; quartiles in brackets.\n`,
);
console.log('| telemetry | documents a second | change, % | CPU of the server a document, ms | change, % |');
console.log('|---|---|---|---|---|');
for (const { name, perSecond, throughput, cpuMs, cpu } of figures) {
  console.log(`| ${name} | ${perSecond} | ${throughput} | ${cpuMs} | ${cpu} |`);
}

async function measure(name: Way, convert: () => Promise<unknown>): Promise<Measured> {
  const processes = await services.get(name)?.processes();
  const pid = processes?.server ?? Number.NaN;
  const before = (await useOf(pid)).own;
  const { perSecond } = await runClients(convert, cores, DOCUMENTS);
  const { userMs, systemMs } = used(before, (await useOf(pid)).own);
  return { perSecond, cpuMs: (userMs + systemMs) / DOCUMENTS };
}

/** Of the figure of each round against `off` in that round. */
function change(all: readonly Measured[], figure: (measured: Measured) => number): string {
  const off = results.get('off') ?? [];
  const changes = all.map((each, n) => (figure(each) / figure(off[n] as Measured) - 1) * 100);
  const [low, middle, high] = [0.25, 0.5, 0.75].map((p) => percentile(changes, p).toFixed(1));
  return `${middle} (${low} to ${high})`;
}
