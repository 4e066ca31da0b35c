/** Line plots over the number of parallel documents or over time, as SVG for light and dark pages. */

/** Points of a line, `x` ascending. */
export interface Line {
  readonly label: string;
  readonly points: readonly (readonly [x: number, y: number])[];
}

/** One of several diagrams side by side. */
export interface Panel {
  readonly title: string;
  readonly lines: readonly Line[];
  /** An upper limit, drawn as a dashed line. */
  readonly limit?: { readonly label: string; readonly y: number };
}

const WIDTH = 400;
const HEIGHT = 300;
const LEFT = 48;
const RIGHT = 16;
const TOP = 64;
const BOTTOM = 48;
const COLOURS = ['#0969da', '#bc4c00', '#1a7f37'];
const DARK_COLOURS = ['#4493f8', '#f0883e', '#3fb950'];

/**
 * @param axis label of the horizontal axis, which is logarithmic, with a mark for each point.
 * @param isLinear whether it is linear instead, from zero, with lines of many points.
 */
export function plot(
  title: string,
  axis: string,
  panels: readonly Panel[],
  { isLinear = false } = {},
): string {
  const drawn = panels.map(
    (panel, n) => `<g transform="translate(${n * WIDTH} 0)">\n${draw(panel, axis, isLinear)}\n</g>`,
  );
  const dark = DARK_COLOURS.map((colour, n) => `.c${n} { color: ${colour} }`).join(' ');
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${panels.length * WIDTH} ${HEIGHT}" \
width="${panels.length * WIDTH}" height="${HEIGHT}" role="img">
<title>${escaped(title)}</title>
<style>
svg { font: 12px system-ui, sans-serif; color: #1f2328 }
text { fill: currentColor } .title { font-weight: 600 }
path { fill: none; stroke: currentColor; stroke-width: 2 } circle { fill: currentColor }
.grid { stroke: currentColor; stroke-width: 1; opacity: 0.15 } .limit { stroke-dasharray: 6 4; stroke-width: 1 }
${COLOURS.map((colour, n) => `.c${n} { color: ${colour} }`).join(' ')}
@media (prefers-color-scheme: dark) { svg { color: #e6edf3 } ${dark} }
</style>
${drawn.join('\n')}
</svg>
`;
}

function draw({ title, lines, limit }: Panel, axis: string, isLinear: boolean): string {
  const points = lines.flatMap((line) => line.points);
  const all = [...new Set(points.map(([x]) => x))].sort((a, b) => a - b);
  const xs = isLinear ? stepsTo(all.at(-1) ?? 0) : all;
  const [least = 1, most = 1] = [xs[0], xs.at(-1)];
  const share = (x: number) => (isLinear ? x / most : Math.log(x / least) / Math.log(most / least));
  const steps = stepsTo(Math.max(limit?.y ?? 0, ...points.map(([, y]) => y)));
  const top = steps.at(-1) ?? 1;
  const width = WIDTH - LEFT - RIGHT;
  const across = (x: number) => fixed(LEFT + (most > least ? share(x) : 0) * width);
  const up = (y: number) => fixed(HEIGHT - BOTTOM - (y / top) * (HEIGHT - TOP - BOTTOM));
  const right = WIDTH - RIGHT;
  return [
    text(LEFT, 16, title, 'class="title"'),
    ...lines.map((line, n) => text(LEFT + n * 80, 36, `● ${line.label}`, `class="c${n}"`)),
    ...steps.map((y) => `<path class="grid" d="M${LEFT} ${up(y)}H${right}"/>`),
    ...steps.map((y) => text(LEFT - 8, Number(up(y)) + 4, `${y}`, 'text-anchor="end"')),
    ...xs.map((x) => text(Number(across(x)), HEIGHT - BOTTOM + 18, `${x}`, 'text-anchor="middle"')),
    text(LEFT + width / 2, HEIGHT - 10, axis, 'text-anchor="middle"'),
    ...(limit
      ? [
          `<path class="limit" d="M${LEFT} ${up(limit.y)}H${right}"/>`,
          text(right, Number(up(limit.y)) - 6, limit.label, 'text-anchor="end"'),
        ]
      : []),
    ...lines.map((line, n) => {
      const places = line.points.map(([x, y]) => [across(x), up(y)] as const);
      const dots = isLinear ? '' : places.map(([x, y]) => `<circle cx="${x}" cy="${y}" r="3"/>`).join('');
      return `<g class="c${n}"><path d="M${places.map((place) => place.join(' ')).join('L')}"/>${dots}</g>`;
    }),
  ].join('\n');
}

/** Round numbers from 0 to at least `most`, four to ten of them. */
export function stepsTo(most: number): number[] {
  const rough = (most || 1) / 5;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = ([1, 2, 5].find((factor) => factor * power >= rough) ?? 10) * power;
  return Array.from({ length: Math.ceil((most || 1) / step) + 1 }, (_, n) =>
    Number((n * step).toPrecision(12)),
  );
}

function text(x: number, y: number, content: string, attributes: string): string {
  return `<text x="${fixed(x)}" y="${fixed(y)}" ${attributes}>${escaped(content)}</text>`;
}

function fixed(value: number): string {
  return String(Math.round(value * 10) / 10);
}

function escaped(content: string): string {
  return content.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}
