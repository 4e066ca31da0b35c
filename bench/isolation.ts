/**
 * npm run bench:isolation: what a page costs where a process converts 1, 5 or 20 documents of one account, one after the other, in
 * turns (ROUNDS, default 3) of COUNT pages (default 1,000). Prints Markdown: medians of CPU time and of pages a second.
 */
import { availableParallelism } from 'node:os';
import { type CpuResult, measureCpu } from './cpu.ts';
import { onePage } from './documents.ts';
import { median, round } from './statistics.ts';

const ROUNDS = Number(process.env.ROUNDS ?? 3);
const COUNT = Number(process.env.COUNT ?? 1_000);
const settings = ['1', '5', '20'] as const;

const results = new Map<string, CpuResult[]>(settings.map((setting) => [setting, []]));
for (let turn = 1; turn <= ROUNDS; turn += 1) {
  for (const [setting, measured] of results) {
    const env = { DOCUMENTS_PER_CHILD: setting };
    measured.push(await measureCpu(onePage(), availableParallelism(), COUNT, env));
    console.error(`turn ${turn}, ${setting}: ${measured.at(-1)?.allMs} ms of CPU`);
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
