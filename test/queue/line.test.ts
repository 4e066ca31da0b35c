/** A line in which small ones go first. */
import fc from 'fast-check';
import t from 'tap';
import { Line, PASSES } from '../../src/queue/line.ts';

function taken(line: Line<string>): string[] {
  const items: string[] = [];
  for (let item = line.take(); item !== undefined; item = line.take()) items.push(item);
  return items;
}

t.test('those of the same size go in order of arrival', async (t) => {
  const line = new Line<string>();
  for (const name of ['a', 'b', 'c', 'd', 'e']) line.add(name, 7);
  t.equal(line.length, 5);
  t.equal(line.items.at(-1), 'e');
  t.same(taken(line), ['a', 'b', 'c', 'd', 'e']);
  t.equal(line.length, 0);
  t.equal(line.items.at(-1), undefined);
});

t.test('smaller ones go first', async (t) => {
  const line = new Line<string>();
  for (const [name, size] of Object.entries({ large: 3, small: 1, middle: 2 })) line.add(name, size);
  t.same(taken(line), ['small', 'middle', 'large']);
});

t.test('overtaking an item that left does not count for the next one', async (t) => {
  const line = new Line<string>();
  for (const [name, size] of Object.entries({ oldest: 9, old: 8, a: 1, b: 1, c: 1, d: 1, e: 1 }))
    line.add(name, size);
  t.same([line.take(), line.take(), line.take()], ['a', 'b', 'c']);
  t.equal(line.delete('oldest'), true);
  t.equal(line.delete('oldest'), false);
  t.same(taken(line), ['d', 'e', 'old']);
});

t.test('whatever comes, the one that has waited longest is passed by a few', async () => {
  const steps = fc.array(fc.oneof(fc.nat(5), fc.constant('take' as const)), { maxLength: 80, size: 'max' });
  fc.assert(
    fc.property(steps, (all) => {
      const line = new Line<number>();
      const waiting: number[] = [];
      let passes = 0;
      for (const [n, step] of all.entries()) {
        if (step !== 'take') {
          line.add(n, step);
          waiting.push(n);
          continue;
        }
        const item = line.take();
        if (item === undefined) continue;
        passes = item === waiting[0] ? 0 : passes + 1;
        waiting.splice(waiting.indexOf(item), 1);
        if (passes > PASSES) return false;
      }
      return line.length === waiting.length;
    }),
  );
});
