/** The plot of docs/performance.md. */
import { SaxesParser, type SaxesTagPlain } from 'saxes';
import t from 'tap';
import { type Panel, plot, stepsTo } from '../../bench/plot.ts';

const panel: Panel = {
  title: 'speed & <more>',
  lines: [
    {
      label: 'Platen',
      points: [
        [1, 20],
        [2, 40],
        [4, 30],
      ],
    },
  ],
  limit: { label: 'the limit', y: 50 },
};

/** The elements and the texts of well-formed XML. */
function read(svg: string) {
  const elements: SaxesTagPlain[] = [];
  const texts: string[] = [];
  const parser = new SaxesParser();
  parser.on('opentag', (tag) => elements.push(tag));
  parser.on('text', (text) => texts.push(text));
  parser.on('error', (error) => {
    throw error;
  });
  parser.write(svg).close();
  const named = (name: string) =>
    elements.filter((element) => element.name === name).map(({ attributes }) => attributes);
  return { named, texts };
}

t.test('the plot is well-formed and says what it shows', async (t) => {
  const { named, texts } = read(plot('A title', 'at a time', [panel, { ...panel, title: 'times' }]));
  t.strictSame(
    named('svg').map(({ viewBox }) => viewBox),
    ['0 0 800 300'],
  );
  for (const text of ['A title', 'speed & <more>', 'times', '● Platen', 'the limit', 'at a time'])
    t.ok(texts.includes(text), text);
  t.match(texts.join(''), /prefers-color-scheme: dark/);
});

t.test('twice as many lie as far to the right as four times as many from those', async (t) => {
  const dots = read(plot('A title', 'at a time', [panel])).named('circle');
  const [one = 0, two = 0, four = 0] = dots.map(({ cx }) => Number(cx));
  t.ok(one < two && two < four);
  t.ok(Math.abs(two - one - (four - two)) < 0.2);
});

t.test('higher values lie higher, from zero on, and below the limit', async (t) => {
  const { named } = read(plot('A title', 'at a time', [panel]));
  const [twenty = 0, forty = 0] = named('circle').map(({ cy }) => Number(cy));
  const limit = named('path').find((path) => path.class === 'limit')?.d ?? '';
  const fifty = Number(/M\d+ ([\d.]+)H/.exec(limit)?.[1]);
  t.ok(Math.abs((twenty - forty) / 2 - (forty - fifty)) < 0.2, `${twenty} ${forty} ${fifty}`);
});

t.test('a linear axis begins at zero; twice the time lies twice as far to the right', async (t) => {
  const points = [0, 10, 20].map((x) => [x, x] as const);
  const { named, texts } = read(
    plot('A title', 'minutes', [{ title: '', lines: [{ label: '', points }] }], { isLinear: true }),
  );
  t.equal(named('circle').length, 0);
  const line = named('path').at(-1)?.d ?? '';
  const [zero = 0, ten = 0, twenty = 0] = [...line.matchAll(/[ML]([\d.]+)/g)].map(([, x]) => Number(x));
  t.ok(Math.abs(twenty - ten - (ten - zero)) < 0.2 && ten > zero);
  t.ok(texts.includes('15'), 'between the points are marks');
});

t.test('one point and no point can be drawn', async (t) => {
  const points = [[2, 0]] as const;
  t.notMatch(plot('A title', '', [{ title: '', lines: [{ label: '', points }] }]), /NaN|Infinity/);
});

t.test('the steps are round and reach the greatest value', async (t) => {
  t.strictSame(stepsTo(47), [0, 10, 20, 30, 40, 50]);
  t.strictSame(stepsTo(1), [0, 0.2, 0.4, 0.6, 0.8, 1]);
  t.strictSame(stepsTo(600), [0, 200, 400, 600]);
  t.equal(stepsTo(0).at(-1), 1);
});
