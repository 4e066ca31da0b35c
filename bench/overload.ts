/**
 * node --import=tsx bench/overload.ts: ten times the load that the service can take, for a minute (SECONDS). The
 * clients run in this process and share the machine with the service, so their CPU time is printed, too.
 */
import { overload } from '../test/support/overload.ts';
import { median, percentile, round } from './statistics.ts';

const seconds = Number(process.env.SECONDS ?? 60);
const factor = Number(process.env.FACTOR ?? 10);
const result = await overload({
  peakMs: 10_000,
  overloadMs: seconds * 1000,
  factor,
  accounts: Number(process.env.ACCOUNTS ?? 4),
  recoveryMs: 5_000,
  // As in production: on a tmpfs if there is one.
  env: { WORK_DIR: '' },
});
try {
  const { answers, refusalMs, before, after } = result;
  const statuses: Record<string, number> = {};
  for (const { status, body } of answers) {
    const name = `${status} ${/"code":"(\w+)"/.exec(body)?.[1] ?? ''}`.trim();
    statuses[name] = (statuses[name] ?? 0) + 1;
  }
  const figures = {
    peakPerSecond: round(result.peakPerSecond),
    offeredPerSecond: round(result.offeredPerSecond),
    deliveredPerSecond: round(result.deliveredPerSecond),
    deliveredToPeak: round(result.deliveredPerSecond / result.peakPerSecond),
    statuses,
    retryAfter: [...new Set(answers.map(({ retryAfter }) => retryAfter))],
    refusalMs: {
      median: round(median(refusalMs)),
      p95: round(percentile(refusalMs, 0.95)),
      p99: round(percentile(refusalMs, 0.99)),
      most: round(percentile(refusalMs, 1)),
    },
    singleMs: { before: round(median(before)), after: round(median(after)) },
    memoryMiB: result.memory,
    cores: result.cores,
  };
  console.log(JSON.stringify(figures, null, 2));
} finally {
  await result.server.stop();
}
