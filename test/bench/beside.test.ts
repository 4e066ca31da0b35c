/** The default beside plain soffice and the engine's own layout, for `npm run bench:fidelity -- --beside`. */
import t from 'tap';
import { type Beside, besideReport, isWorse } from '../../bench/fidelity/beside.ts';

const of = (ours: number, flow: number, place: number, cpuMs?: number): Beside => ({
  pages: { word: 2, ours, same: ours === 2 },
  flow,
  place,
  cpuMs,
});

t.test(
  'worse is another page count, or two per cent fewer words on their page or in their place',
  async (t) => {
    const engine = of(2, 0.9, 0.8);
    t.notOk(isWorse(of(2, 0.885, 0.785), engine));
    t.ok(isWorse(of(3, 1, 1), engine));
    t.notOk(isWorse(of(3, 1, 1), of(4, 0.9, 0.8)));
    t.ok(isWorse(of(2, 0.87, 0.9), engine));
    t.ok(isWorse(of(2, 1, 0.77), engine));
    t.notOk(isWorse(engine, undefined), 'than none');
  },
);

t.test('the report', async (t) => {
  const report = besideReport([
    {
      name: 'letter',
      ways: {
        'plain soffice': of(3, 0.5, 0.2),
        'layout=engine': of(2, 1, 0.9, 100),
        default: of(2, 0.9, 0.9, 200),
      },
    },
    { name: 'report', ways: { 'layout=engine': of(2, 0.5, 0.5, 300), default: of(2, 1, 1, 600) } },
  ]);
  t.match(report, /^letter +3\/2 50\.0 % 20\.0 % +2 100\.0 % 90\.0 % +100 +2 90\.0 % 90\.0 % +200$/m);
  t.match(report, /^report +failed +2 50\.0 % /m);
  t.match(
    report,
    /^overall \(2\) +0\.0 % 50\.0 % 20\.0 % +100\.0 % 75\.0 % 70\.0 % +200 +100\.0 % 95\.0 % 95\.0 % +400$/m,
  );
  t.match(report, /^worse than plain soffice: none$/m);
  t.match(report, /^worse than layout=engine: letter$/m);
});
