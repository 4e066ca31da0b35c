/**
 * node --import=tsx bench/fairness.ts: measures a customer who sends one document after the other, while another one
 * sends documents that exhaust their budget, 20 at a time (PARALLEL), for SECONDS each.
 */
import { noisyNeighbour } from '../test/support/noisy-neighbour.ts';
import { summary } from './statistics.ts';

const { alone, together, poison } = await noisyNeighbour({
  milliseconds: Number(process.env.SECONDS ?? 30) * 1000,
  parallel: Number(process.env.PARALLEL ?? 20),
  env: { WORK_DIR: '', CONVERT_TIMEOUT_MS: process.env.CONVERT_TIMEOUT_MS ?? '5000' },
});
const times = (answers: typeof alone) => summary(answers.map(({ ms }) => ms));
const failed = (answers: typeof alone) => answers.filter(({ status }) => status !== 200).length;
const codes: Record<string, number> = {};
for (const { status } of poison) codes[status] = (codes[status] ?? 0) + 1;
console.log(
  JSON.stringify(
    {
      alone: { ...times(alone), failed: failed(alone) },
      together: {
        ...times(together),
        failed: failed(together),
        slowest: Math.max(...together.map(({ ms }) => ms)),
      },
      poison: codes,
    },
    null,
    2,
  ),
);
