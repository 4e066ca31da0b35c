/** A plot over time, with an accessible table of the same figures. */
import { useEffect, useRef, useState } from 'preact/hooks';
import uPlot from 'uplot';
import { optionsOf, type PlotData } from './plot-options.ts';

interface PlotProps extends PlotData {
  readonly title: string;
  /** Text over an empty plot. */
  readonly empty: string;
}

export function Plot(props: PlotProps) {
  const { title, empty, series, times, formatTime, format } = props;
  const place = useRef<HTMLDivElement>(null);
  const plot = useRef<uPlot | null>(null);
  const latest = useRef(props);
  latest.current = props;
  const [isTableOpen, setTableOpen] = useState(false);
  const isEmpty = series.every(({ values }) => values.every((value) => value === null || value === 0));

  useEffect(() => {
    const parent = place.current;
    if (!parent) return;
    const created = new uPlot(
      optionsOf(() => latest.current, parent.clientWidth),
      drawn(latest.current),
      parent,
    );
    plot.current = created;
    const observer = new ResizeObserver(() => {
      created.setSize({ width: parent.clientWidth, height: created.height });
    });
    observer.observe(parent);
    const dark = matchMedia('(prefers-color-scheme: dark)');
    const redraw = () => created.redraw(false);
    dark.addEventListener('change', redraw);
    return () => {
      dark.removeEventListener('change', redraw);
      observer.disconnect();
      created.destroy();
    };
  }, []);

  useEffect(() => plot.current?.setData(drawn(latest.current)), [times, series]);

  return (
    <figure class="plot">
      <figcaption>{title}</figcaption>
      <div class="plot-area">
        <div ref={place} aria-hidden="true" />
        {isEmpty && (
          <p class="plot-empty">
            <span>{empty}</span>
          </p>
        )}
      </div>
      <details onToggle={({ currentTarget }) => setTableOpen(currentTarget.open)}>
        <summary>As a table</summary>
        {isTableOpen && (
          <div class="figures">
            <table>
              <thead>
                <tr>
                  <th scope="col">Time</th>
                  {series.map(({ label }) => (
                    <th key={label} scope="col" class="number">
                      {label}
                    </th>
                  ))}
                </tr>
              </thead>
              <tbody>
                {times.map((time, index) => (
                  <tr key={time}>
                    <th scope="row">{formatTime(time)}</th>
                    {series.map(({ label, values }) => (
                      <td key={label} class="number">
                        {textOf(values[index], format)}
                      </td>
                    ))}
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
        )}
      </details>
    </figure>
  );
}

function textOf(value: number | null | undefined, format: (value: number) => string): string {
  return typeof value === 'number' ? format(value) : '–';
}

/** The data that uPlot draws. Bars are stacked on those of the series after them. */
function drawn({ times, series }: PlotData): uPlot.AlignedData {
  return [
    [...times],
    ...series.map(({ kind, values }, index) =>
      values.map((value, i) => {
        if (kind === 'line' || value === null) return value;
        const below = series.slice(index + 1).map((other) => other.values[i] ?? 0);
        return value + below.reduce((sum, each) => sum + each, 0);
      }),
    ),
  ];
}
