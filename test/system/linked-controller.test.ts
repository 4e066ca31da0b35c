import { getEventListeners, once } from 'node:events';
import t from 'tap';
import { Lifecycle } from '../../src/system/lifecycle.ts';
import { withLinkedController } from '../../src/system/linked-controller.ts';

const warnings: Error[] = [];
process.on('warning', (warning) => warnings.push(warning));
const listeners = ({ signal }: AbortController) => getEventListeners(signal, 'abort').length;

t.test('aborts with each of the two, for its reason', async (t) => {
  for (const index of [0, 1]) {
    const controllers = [new AbortController(), new AbortController()] as const;
    const [first, second] = controllers;
    const reason = new Error('enough');
    await withLinkedController([first.signal, second.signal], async ({ signal: either }) => {
      t.notOk(either.aborted);
      const aborted = once(either, 'abort');
      controllers[index]?.abort(reason);
      await aborted;
      t.equal(either.reason, reason);
    });
    // Before it begins.
    await withLinkedController([first.signal, second.signal], async ({ signal: either }) =>
      t.equal(either.reason, reason),
    );
    t.equal(listeners(first) + listeners(second), 0);
  }
});

t.test('leaves nothing at a signal that lives on, whatever comes of the task', async (t) => {
  const long = new AbortController();
  const ends: (() => void)[] = [];
  const tasks = Array.from({ length: 20 }, () =>
    withLinkedController(
      [new AbortController().signal, long.signal],
      () => new Promise<void>((end) => ends.push(end)),
    ),
  );
  t.equal(listeners(long), 20);
  for (const end of ends) end();
  await Promise.all(tasks);
  await t.rejects(
    withLinkedController([new AbortController().signal, long.signal], () => Promise.reject(new Error('no'))),
  );
  t.equal(listeners(long), 0);
});

t.test('many may wait for the end of a server, which is no leak', async (t) => {
  const { draining } = new Lifecycle();
  for (let i = 0; i < 20; i++) draining.addEventListener('abort', () => {});
  // A warning is told in the next turn.
  await new Promise(setImmediate);
  t.strictSame(warnings, []);
});
