/** Options of uPlot: the page's colours, and minimal decoration. */
import uPlot from 'uplot';

interface PlotSeries {
  readonly label: string;
  /** A custom property of the style sheet. */
  readonly color: `--${string}`;
  /** Bars stand on those of the series that follow. */
  readonly kind: 'bars' | 'line';
  /** One for each time; null where there is none. */
  readonly values: readonly (number | null)[];
}

export interface PlotData {
  /** Seconds since the epoch, at which the steps begin. */
  readonly times: readonly number[];
  readonly series: readonly PlotSeries[];
  /** Time zone of the axis; that of the viewer where it is left out. */
  readonly timeZone?: 'UTC';
  /** A time, in full. */
  readonly formatTime: (seconds: number) => string;
  /** A time at the axis. */
  readonly formatTick: (seconds: number) => string;
  readonly format: (value: number) => string;
}

const HEIGHT = 180;
const AXIS_FONT = '12px system-ui, "Liberation Sans", sans-serif';

/** @param latest the newest data: the plot lives longer than its first. */
export function optionsOf(latest: () => PlotData, width: number): uPlot.Options {
  const { series, timeZone } = latest();
  return {
    width,
    height: HEIGHT,
    ...(timeZone === 'UTC' && {
      tzDate: (seconds: number) => uPlot.tzDate(new Date(seconds * 1_000), 'UTC'),
    }),
    cursor: { drag: { x: false, y: false }, points: { show: false }, y: false },
    legend: {
      live: true,
      markers: { width: 0, fill: (_, index) => colorOf(series[index - 1]?.color ?? '--faint') },
    },
    scales: {
      // The last step has its place as well.
      x: { range: (self, min, max) => [min, max + stepOf(self)] },
      y: { range: (_, __, max) => [0, max > 0 ? max * 1.1 : 1] },
    },
    axes: [
      axis({
        size: 30,
        space: 64,
        values: (_, splits) => splits.map((seconds) => latest().formatTick(seconds)),
      }),
      axis({
        size: 64,
        space: 36,
        values: (_, splits) => splits.map((value) => latest().format(value)),
      }),
    ],
    series: [
      { label: 'Time', value: (_, seconds) => (seconds === null ? '' : latest().formatTime(seconds)) },
      ...series.map((each, index) => seriesOf(each, index, latest)),
    ],
  };
}

function stepOf({ data: [times] }: uPlot): number {
  const [first = 0, second = first + 1] = times;
  return second - first;
}

function axis(more: uPlot.Axis): uPlot.Axis {
  return {
    font: AXIS_FONT,
    stroke: () => colorOf('--faint'),
    grid: { stroke: () => colorOf('--line'), width: 1 },
    ticks: { show: false },
    ...more,
  };
}

function seriesOf({ label, color, kind }: PlotSeries, index: number, latest: () => PlotData): uPlot.Series {
  const value = (_: uPlot, __: number, ___: number, step: number | null) => {
    const raw = step === null ? undefined : latest().series[index]?.values[step];
    return typeof raw === 'number' ? latest().format(raw) : '';
  };
  const paint = () => colorOf(color);
  if (kind === 'line') {
    return {
      label,
      value,
      stroke: paint,
      width: 2,
      points: { show: true, size: 6, fill: paint, filter: lonely },
    };
  }
  const paths = uPlot.paths.bars?.({ size: [0.75, 48], align: 1 });
  return {
    label,
    value,
    stroke: paint,
    fill: paint,
    width: 0,
    points: { show: false },
    ...(paths && { paths }),
  };
}

/** The steps that no line reaches: their neighbours have no figure. */
function lonely({ data }: uPlot, index: number): number[] {
  const values = data[index] ?? [];
  const isThere = (step: number) => typeof values[step] === 'number';
  return Array.from(values, (_, step) => step).filter(
    (step) => isThere(step) && !isThere(step - 1) && !isThere(step + 1),
  );
}

function colorOf(property: string): string {
  return getComputedStyle(document.documentElement).getPropertyValue(property);
}
