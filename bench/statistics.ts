/** Figures of a sample. */

/** The value below which the share `p` (0 to 1) of the sample lies, by nearest rank. */
export function percentile(sample: readonly number[], p: number): number {
  if (sample.length === 0) throw new RangeError('a percentile of nothing');
  const sorted = [...sample].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.max(0, Math.ceil(p * sorted.length) - 1))] as number;
}

export function median(sample: readonly number[]): number {
  return percentile(sample, 0.5);
}

/** In the sample's unit. */
export interface Summary {
  readonly median: number;
  readonly p95: number;
  readonly p99: number;
  readonly most: number;
  readonly count: number;
}

/** Median, 95th and 99th percentile and the greatest, rounded to hundredths. */
export function summary(sample: readonly number[]): Summary {
  return {
    median: round(median(sample)),
    p95: round(percentile(sample, 0.95)),
    p99: round(percentile(sample, 0.99)),
    most: round(percentile(sample, 1)),
    count: sample.length,
  };
}

export function round(value: number): number {
  return Math.round(value * 100) / 100;
}
