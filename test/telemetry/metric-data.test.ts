import { Counter, Gauge, Histogram, Registry } from 'prom-client';
import t from 'tap';
import { metricData } from '../../src/telemetry/metric-data.ts';

t.test('counters, gauges and histograms keep their names, labels and values', async (t) => {
  const registers = [new Registry()];
  const [registry] = registers;
  const requests = new Counter({
    name: 'requests_total',
    help: 'Requests.',
    labelNames: ['code'],
    registers,
  });
  requests.inc({ code: 'success' }, 3);
  requests.inc({ code: 'NOT_FOUND' });
  new Gauge({ name: 'ready', help: 'Ready.', registers }).set(1);
  const labelNames = ['route'];
  const times = new Histogram({ name: 'seconds', help: 'Times.', labelNames, buckets: [0.1, 1], registers });
  for (const seconds of [0.05, 0.1, 0.5, 7]) times.observe({ route: '/a' }, seconds);
  times.observe({ route: '/b' }, 2);
  const at = Date.now();
  const found = metricData((await registry?.getMetricsAsJSON()) ?? [], at);
  t.match(found, [
    {
      descriptor: { name: 'requests_total', description: 'Requests.' },
      isMonotonic: true,
      dataPoints: [
        { attributes: { code: 'success' }, value: 3 },
        { attributes: { code: 'NOT_FOUND' }, value: 1 },
      ],
    },
    { descriptor: { name: 'ready' }, isMonotonic: undefined, dataPoints: [{ attributes: {}, value: 1 }] },
    {
      descriptor: { name: 'seconds' },
      dataPoints: [
        {
          attributes: { route: '/a' },
          value: { buckets: { boundaries: [0.1, 1], counts: [2, 1, 1] }, sum: 7.65, count: 4 },
        },
        {
          attributes: { route: '/b' },
          value: { buckets: { boundaries: [0.1, 1], counts: [0, 0, 1] }, sum: 2, count: 1 },
        },
      ],
    },
  ]);
  const points = found.flatMap(
    ({ dataPoints }) => dataPoints as { startTime: number[]; endTime: number[] }[],
  );
  for (const { startTime, endTime } of points) {
    t.equal(startTime[0], Math.trunc(performance.timeOrigin / 1_000), 'from the start of the process');
    t.equal(endTime[0], Math.trunc(at / 1_000));
  }
});
