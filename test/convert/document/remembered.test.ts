import t from 'tap';
import { Remembered } from '../../../src/convert/document/remembered.ts';

t.test('what was made of a text is made once, of some of very many', async (t) => {
  const remembered = new Remembered<string>();
  let made = 0;
  const read = (text: string) =>
    remembered.of(text, () => {
      made += 1;
      return `${text}!`;
    });
  t.strictSame([read('a'), read('b'), read('a')], ['a!', 'b!', 'a!']);
  t.equal(made, 2);
  const many = Array.from({ length: 5_000 }, (_, i) => String(i));
  for (const text of [...many, ...many]) t.ok(read(text) === `${text}!`);
  t.ok(made > many.length && made < 2 * many.length, 'only some of them are kept');
});
