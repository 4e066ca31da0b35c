/** Whether a series is flat: the rule of docs/soak.md. */
import { median } from '../statistics.ts';

/** A sample: documents so far, and what was measured. */
export type Point = readonly [documents: number, value: number];

/** Allowed growth of a series in a day of documents. */
export interface Bound {
  readonly name: string;
  readonly unit: string;
  readonly perDay: number;
}

export interface Verdict extends Bound {
  readonly samples: number;
  /** Of the samples that count. */
  readonly median: number;
  /** Growth in a day of documents, by the trend. */
  readonly growth: number;
  readonly isFlat: boolean;
}

/** Samples whose pairs are compared: beyond that, evenly chosen ones. */
const MOST_POINTS = 400;
/** Fewer say nothing. */
const LEAST_POINTS = 10;

/**
 * The median of the slopes of all pairs of points (Theil, Sen): outliers, of which a restart causes many, do not affect it.
 *
 * @returns units a document; NaN without two different numbers of documents.
 */
export function trend(points: readonly Point[]): number {
  const step = Math.max(1, Math.ceil(points.length / MOST_POINTS));
  const chosen = points.filter((_, n) => n % step === 0);
  const slopes: number[] = [];
  for (const [n, [x, y]] of chosen.entries()) {
    for (const [otherX, otherY] of chosen.slice(n + 1)) {
      if (otherX !== x) slopes.push((otherY - y) / (otherX - x));
    }
  }
  return slopes.length === 0 ? Number.NaN : median(slopes);
}

/** The last two thirds of the documents: growth in the first third is caches and heaps, not a leak. */
export function settledPart(points: readonly Point[]): Point[] {
  const [first = 0, last = 0] = [points[0]?.[0], points.at(-1)?.[0]];
  return points.filter(([x]) => x >= first + (last - first) / 3);
}

/** @param documentsADay to which the trend is projected. */
export function judge(bound: Bound, points: readonly Point[], documentsADay: number): Verdict {
  const settled = settledPart(points);
  const growth = trend(settled) * documentsADay;
  return {
    ...bound,
    samples: settled.length,
    median: settled.length === 0 ? Number.NaN : median(settled.map(([, y]) => y)),
    growth,
    isFlat: settled.length >= LEAST_POINTS && growth <= bound.perDay,
  };
}
