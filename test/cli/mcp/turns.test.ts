/** Conversions of a client take turns. */
import t from 'tap';
import { Turns } from '../../../src/cli/mcp/turns.ts';

const never = new AbortController().signal;

/** Work that ends when it is told to, and notes its beginning. */
function work(name: string, begun: string[]) {
  let end = () => {};
  const promise = new Promise<string>((resolve) => {
    end = () => resolve(name);
  });
  const run = () => {
    begun.push(name);
    return promise;
  };
  return { run, end: () => end() };
}

const settled = () => new Promise((resolve) => setImmediate(resolve));

t.test('so many go on at a time, in order of arrival, and so many wait', async (t) => {
  const turns = new Turns(2, 2);
  const begun: string[] = [];
  const works = ['a', 'b', 'c', 'd'].map((name) => work(name, begun));
  const taken = works.map(({ run }) => turns.take(run, never));
  await settled();
  t.strictSame(begun, ['a', 'b']);
  await t.rejects(
    turns.take(async () => t.fail(), never),
    { code: 'OVERLOADED', message: '2 conversions wait already. Call again when some have ended.' },
  );
  works[0]?.end();
  works[1]?.end();
  await settled();
  t.strictSame(begun, ['a', 'b', 'c', 'd']);
  works[2]?.end();
  works[3]?.end();
  t.strictSame(await Promise.all(taken), ['a', 'b', 'c', 'd']);
  t.equal(await turns.take(async () => 'e', never), 'e', 'places are free again');
});

t.test('one that fails or leaves gives its turn to the next', async (t) => {
  const turns = new Turns(1, 2);
  const begun: string[] = [];
  const first = work('first', begun);
  const leaving = new AbortController();
  const failing = turns.take(async () => {
    await first.run();
    throw new Error('it failed');
  }, never);
  const left = turns.take(async () => t.fail(), leaving.signal);
  const last = turns.take(work('last', begun).run, never);
  leaving.abort(new Error('gone'));
  await t.rejects(left, { message: 'gone' });
  await t.rejects(
    turns.take(async () => t.fail(), leaving.signal),
    { message: 'gone' },
  );
  first.end();
  await t.rejects(failing, { message: 'it failed' });
  await settled();
  t.strictSame(begun, ['first', 'last']);
  last.catch(() => {});
});
