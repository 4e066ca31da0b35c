/** Metrics of prom-client as OpenTelemetry has them, by the same names (OpenTelemetry, "Prometheus and OpenMetrics Compatibility"). */
import { type HrTime, ValueType } from '@opentelemetry/api';
import { core, metrics } from '@opentelemetry/sdk-node';
import type { MetricObjectWithValues, MetricValue } from 'prom-client';

const { AggregationTemporality, DataPointType } = metrics;

/** prom-client declares its type as a number, and gives the word. */
type Metric = MetricObjectWithValues<MetricValue<string> & { readonly metricName?: string }>;
type Point<T> = Pick<metrics.DataPoint<T>, 'attributes' | 'value'>;

/**
 * Counters become sums, and histograms keep their buckets; there are no summaries.
 *
 * @param at when they were read, in milliseconds since the epoch.
 */
export function metricData(found: readonly Metric[], at: number): metrics.MetricData[] {
  const times = { startTime: hrTime(performance.timeOrigin), endTime: hrTime(at) };
  const timed = <T>(points: readonly Point<T>[]) => points.map((point) => ({ ...point, ...times }));
  return found.map((metric): metrics.MetricData => {
    const { name, help: description, values } = metric;
    const base = {
      descriptor: { name, description, unit: '', valueType: ValueType.DOUBLE },
      aggregationTemporality: AggregationTemporality.CUMULATIVE,
    };
    const type = String(metric.type);
    if (type === 'histogram') {
      return { ...base, dataPointType: DataPointType.HISTOGRAM, dataPoints: timed(histograms(metric)) };
    }
    const dataPoints = timed(values.map(({ labels, value }) => ({ attributes: labels, value })));
    return type === 'counter'
      ? { ...base, dataPointType: DataPointType.SUM, isMonotonic: true, dataPoints }
      : { ...base, dataPointType: DataPointType.GAUGE, dataPoints };
  });
}

/** One for each set of labels: prom-client has a value for each bucket, which counts the smaller ones too, the sum and the count. */
function histograms({ name, values }: Metric): Point<metrics.Histogram>[] {
  const byLabels = new Map<string, Point<metrics.Histogram & { sum: number }> & { counted: number }>();
  for (const {
    metricName,
    labels: { le, ...labels },
    value,
  } of values) {
    const id = JSON.stringify(labels);
    const point = byLabels.get(id) ?? {
      attributes: labels,
      value: { buckets: { boundaries: [], counts: [] }, sum: 0, count: 0 },
      counted: 0,
    };
    byLabels.set(id, point);
    if (metricName === `${name}_sum`) point.value.sum = value;
    else if (metricName === `${name}_count`) point.value.count = value;
    else {
      const { boundaries, counts } = point.value.buckets;
      if (le !== '+Inf') boundaries.push(Number(le));
      counts.push(value - point.counted);
      point.counted = value;
    }
  }
  return [...byLabels.values()].map(({ attributes, value }) => ({ attributes, value }));
}

function hrTime(ms: number): HrTime {
  return core.millisToHrTime(ms);
}
