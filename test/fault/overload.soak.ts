/**
 * Ten times the load that the server can take, for a minute, with asserted figures. Also poison beside an
 * honest customer. Needs an otherwise idle machine: the clients share it with the server.
 *
 * OVERLOAD_SECONDS makes it shorter or longer.
 */
import t from 'tap';
import { median, percentile } from '../../bench/statistics.ts';
import { endsCleanly } from '../e2e/support/assertions.ts';
import { get } from '../e2e/support/requests.ts';
import { noisyNeighbour } from '../support/noisy-neighbour.ts';
import { count, overload } from '../support/overload.ts';

const seconds = Number(process.env.OVERLOAD_SECONDS ?? 60);

t.test('ten times the capacity', { timeout: (seconds + 120) * 1000 }, async (t) => {
  const result = await overload({
    peakMs: 10_000,
    overloadMs: seconds * 1000,
    factor: 10,
    accounts: 4,
    recoveryMs: 5_000,
  });
  const { answers, refusalMs, peakPerSecond, deliveredPerSecond, memory, before, after, server } = result;
  const p99 = percentile(refusalMs, 0.99);
  t.comment(JSON.stringify({ peakPerSecond, deliveredPerSecond, p99, memory, cores: result.cores }));
  t.equal(count(answers, 200) + count(answers, 503), answers.length, 'PDFs and 503, nothing else');
  t.ok(deliveredPerSecond >= 0.8 * peakPerSecond, 'PDFs a second within 20% of the peak');
  t.ok(p99 < 100, `refusals take ${p99} ms (p99)`);
  t.ok(memory.most < memory.before + 200, `${memory.most} MiB at most`);
  t.ok(median(after) < 1.5 * median(before), `${median(before)} ms before, ${median(after)} ms after`);
  t.same(await server.jobs(), [], 'no folder is left');
  t.equal((await get(server, '/health')).status, 200);
  await endsCleanly(t, server);
});

t.test('one customer sends poison, another does not notice', { timeout: 120_000 }, async (t) => {
  const { alone, together, poison } = await noisyNeighbour({
    milliseconds: 30_000,
    parallel: 20,
    env: { CONVERT_TIMEOUT_MS: '5000' },
  });
  t.equal(count(together, 200), together.length, 'all PDFs');
  t.equal(count(poison, 200), 0, 'and none for the poison');
  const [baseline, p95] = [alone, together].map((answers) =>
    percentile(
      answers.map(({ ms }) => ms),
      0.95,
    ),
  ) as [number, number];
  t.ok(p95 <= 2 * baseline, `p95 is ${p95} ms, ${baseline} ms alone`);
});
