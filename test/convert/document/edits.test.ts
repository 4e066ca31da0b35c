/** Edits of a text. */
import t from 'tap';
import { Edits, withEdits } from '../../../src/convert/document/edits.ts';

const LARGE = 2 ** 20;

t.test('edits in any order', async (t) => {
  const edits = [
    { start: 4, end: 5, text: 'E' },
    { start: 0, end: 1, text: 'A' },
    { start: 2, end: 2, text: 'first ' },
    { start: 2, end: 2, text: 'second ' },
  ];
  t.equal(withEdits('abcdef', edits), 'Abfirst second cdEf');
  t.equal(withEdits('abcdef', []), 'abcdef');
});

t.test('edits that are taken back', async (t) => {
  const edits = new Edits();
  for (let i = 0; i < 100; i += 1) edits.push({ start: i, end: i + 1, text: String(i) });
  edits.cut(1);
  edits.push({ start: 2, end: 3, text: 'C' });
  t.equal(edits.length, 2);
  t.equal(withEdits('abc', edits), '0bC');
});

t.test('large texts', async (t) => {
  for (const unit of ['abc', 'a\xffc', 'a字c']) {
    const text = unit.repeat(LARGE);
    const edits = Array.from({ length: 10_000 }, (_, i) => ({ start: 3 * i, end: 3 * i + 1, text: '\xc4' }));
    const long = { start: 3 * LARGE, end: 3 * LARGE, text: 'b'.repeat(LARGE) };
    const edited = `\xc4${unit.slice(1)}`.repeat(10_000) + unit.repeat(LARGE - 10_000) + long.text;
    t.ok(withEdits(text, [...edits, long]) === edited, unit);
    t.ok(
      withEdits(text, [{ start: 0, end: 0, text: '字' }]) === `字${text}`,
      `${unit} with other characters`,
    );
  }
});
