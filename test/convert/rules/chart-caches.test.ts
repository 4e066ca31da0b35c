/** That LibreOffice finds the number of a chart's values. */
import t from 'tap';
import { withCountedCaches } from '../../../src/convert/rules/chart-caches.ts';

const NAMESPACE = 'http://schemas.openxmlformats.org/drawingml/2006/chart';
const part = (inner: string, c = 'c:') =>
  `<${c}chartSpace xmlns${c && `:${c.slice(0, -1)}`}="${NAMESPACE}">${inner}</${c}chartSpace>`;
const count = (value: string | number, c = 'c:') => `<${c}ptCount val="${value}"/>`;
const values = (indices: readonly (string | number)[], c = 'c:', pt = 'pt') =>
  indices.map((index) => `<${c}${pt} idx="${index}"><${c}v>1</${c}v></${c}${pt}>`).join('');

t.test('a missing or impossible number is counted', async (t) => {
  for (const c of ['c:', 'q:', '']) {
    for (const cache of ['numCache', 'strCache', 'numLit', 'strLit']) {
      const of = (inner: string) => part(`<${c}${cache}>${inner}</${c}${cache}>`, c);
      for (const before of [
        '',
        ...['', 'many', '-7', '2147483647', '0', '1e9'].map((value) => count(value, c)),
      ])
        t.equal(
          withCountedCaches(of(before + values([0, 2], c))),
          of(count(3, c) + values([0, 2], c)),
          before,
        );
    }
  }
  const levels = (before: string) =>
    part(
      `<c:multiLvlStrCache>${before}<c:lvl>${values([0, 1])}</c:lvl><c:lvl>${values([0])}</c:lvl></c:multiLvlStrCache>`,
    );
  t.equal(withCountedCaches(levels('')), levels(count(2)));
  t.equal(withCountedCaches(part('<c:numCache></c:numCache>')), part(`<c:numCache>${count(0)}</c:numCache>`));
});

t.test('a value without a place is left out', async (t) => {
  const of = (inner: string) => part(`<c:numCache>${count(2)}${inner}</c:numCache>`);
  for (const index of [2, 2147483647, 'x', '']) {
    t.equal(
      withCountedCaches(of(values([0, index]))),
      of(values([0]) + values([index], 'c:', '_t')),
      `${index}`,
    );
  }
});

t.test('an element that lacks its values is left out', async (t) => {
  const of = (inner: string) => part(`<c:ser><c:idx val="0"/>${inner}</c:ser>`);
  for (const holder of ['val', 'cat', 'xVal', 'yVal', 'bubbleSize', 'plus', 'minus']) {
    const out = `_${holder.slice(1)}`;
    t.equal(withCountedCaches(of(`<c:${holder}/>`)), of(`<c:${out}/>`), holder);
    t.equal(
      withCountedCaches(of(`<c:${holder}><c:extLst></c:extLst></c:${holder}>`)),
      of(`<c:${out}><c:extLst></c:extLst></c:${out}>`),
    );
    for (const held of ['numRef', 'strRef', 'numLit', 'strLit', 'multiLvlStrRef']) {
      const whole = of(`<c:${holder}><c:${held}/></c:${holder}>`);
      t.equal(withCountedCaches(whole), whole);
    }
  }
});

t.test('long labels are cut between characters', async (t) => {
  const of = (label: string) =>
    part(`<c:strCache>${count(1)}<c:pt idx="0"><c:v>${label}</c:v></c:pt></c:strCache>`);
  const bytes = (label: string) => Buffer.from(label).toString('latin1');
  const cut = (label: string) => withCountedCaches(of(bytes(label)));
  const long = 'a'.repeat(499);
  t.equal(cut(`${long}bc`), of(`${long}b`));
  t.equal(cut(`${long}b`), of(`${long}b`));
  t.equal(cut(`${long}äöü`), of(long));
  t.equal(cut(`${long}&amp;b`), of(long));
  t.equal(cut(`${'a'.repeat(496)}&amp;bc`), of('a'.repeat(496)));
  t.equal(cut(`${'ä'.repeat(300)}`), of(bytes('ä'.repeat(249))));
});

t.test('nothing else changes', async (t) => {
  for (const each of [
    part(`<c:numCache><c:formatCode>General</c:formatCode>${count(2)}${values([0, 1])}</c:numCache>`),
    part(`<c:numCache/>${values([5])}${count('x')}`),
    part(`<c:numCache>${values([0])}`),
    `<w:document xmlns:w="x"><w:strCache>${values([0])}</w:strCache></w:document>`,
    '',
  ]) {
    t.equal(withCountedCaches(each), each);
  }
});
