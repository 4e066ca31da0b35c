/**
 * npm run bench:isolation: what a page costs where a process converts 1, 5 or 20 documents of one account, one after the other, beside
 * what converts without any isolation: loops in warm LibreOffices, and warm soffices with the fewest calls, one for each core. In turns
 * (ROUNDS, default 3) of COUNT pages (default 1,000). Prints Markdown: medians of CPU time and of pages a second.
 */
import { availableParallelism } from 'node:os';
import { type CpuResult, measureCpu } from './cpu.ts';
import { onePage } from './documents.ts';
import { type LineConverter, startAll } from './line-converter.ts';
import { startLoop } from './loop.ts';
import { runClients, shared } from './parallel.ts';
import { median, round } from './statistics.ts';
import { startWarmSoffice } from './warm-soffice.ts';

const ROUNDS = Number(process.env.ROUNDS ?? 3);
const COUNT = Number(process.env.COUNT ?? 1_000);
const CORES = availableParallelism();
const WARM_UPS = 40;
const settings = ['1', '5', '20'] as const;
const ways: Readonly<Record<string, () => Promise<LineConverter>>> = {
  loops: () => startLoop(),
  soffices: () => startWarmSoffice('fewest'),
};

const results = new Map<string, CpuResult[]>(settings.map((setting) => [setting, []]));
const rates = new Map<string, number[]>(Object.keys(ways).map((way) => [way, []]));
for (let turn = 1; turn <= ROUNDS; turn += 1) {
  for (const [setting, measured] of results) {
    const env = { DOCUMENTS_PER_CHILD: setting };
    measured.push(await measureCpu(onePage(), CORES, COUNT, env));
    console.error(`turn ${turn}, ${setting}: ${measured.at(-1)?.allMs} ms of CPU`);
  }
  for (const [way, measured] of rates) {
    measured.push(await rateOf(ways[way] as (typeof ways)[string]));
    console.error(`turn ${turn}, ${way}: ${measured.at(-1)} pages a second`);
  }
}

const ofKit = ({ kit, children }: CpuResult) =>
  kit.userMs + kit.systemMs + children.userMs + children.systemMs;
console.log('| documents a process | CPU, all processes, ms | kit and children, ms | pages a second |');
console.log('|---|---|---|---|');
for (const [setting, measured] of results) {
  const middle = (figure: (each: CpuResult) => number) => round(median(measured.map(figure)));
  const figures = [({ allMs }: CpuResult) => allMs, ofKit, ({ perSecond }: CpuResult) => perSecond];
  console.log(`| ${[setting, ...figures.map(middle)].join(' | ')} |`);
}
for (const [way, measured] of rates) console.log(`| ${CORES} ${way} | | | ${round(median(measured))} |`);

/** Pages a second of one for each core. */
async function rateOf(start: () => Promise<LineConverter>): Promise<number> {
  const converters = await startAll(CORES, start);
  try {
    const convert = shared(converters.map((each) => () => each.convert(onePage())));
    await runClients(convert, CORES, WARM_UPS);
    return (await runClients(convert, CORES, COUNT)).perSecond;
  } finally {
    await Promise.all(converters.map((each) => each.stop()));
  }
}
