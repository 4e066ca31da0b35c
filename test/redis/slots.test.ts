/** Who runs, and who is next, of entries that a test makes. Of a real queue: test/webhooks/deliver.test.ts, test/egress. */
import t, { type Test } from 'tap';
import { Slots } from '../../src/redis/slots.ts';
import { until } from '../support/until.ts';

/** Slots of ten places: five for an account, four for one of its hosts. */
function testSlots(t: Test, wakeMs = 600_000) {
  const running: string[] = [];
  const promoted: string[] = [];
  const gone = new Set<string>();
  const ends = new Map<string, () => void>();
  const slots = new Slots({
    places: 10,
    bounds: { account: 5, host: 4 },
    parkedPriority: 7,
    wakeMs,
    promote: async (id) => {
      if (!gone.has(id)) promoted.push(id);
      return !gone.has(id);
    },
  });
  t.teardown(() => slots.close());
  return {
    running,
    promoted,
    gone,
    /** Starts an entry named by its account, host and number, such as `a1.1`. Returns whether it runs. */
    async begin(id: string): Promise<boolean> {
      let delayedTo = 0;
      const entry = {
        id,
        priority: 1,
        changePriority: async ({ priority = 0 }) => void Object.assign(entry, { priority }),
        moveToDelayed: async (time: number) => {
          delayedTo = time;
        },
      };
      const lanes = [`account ${id.slice(0, 1)}`, `host ${id.slice(0, 2)}`];
      const work = () => new Promise<void>((resolve) => ends.set(id, resolve));
      const run = slots.run(entry, 'token', lanes, work);
      if (ends.has(id)) {
        running.push(id);
        return true;
      }
      await t.rejects(run, { name: 'DelayedError' });
      t.equal(entry.priority, 7);
      t.ok(delayedTo > Date.now());
      return false;
    },
    /** Ends an entry, so that the next one is promoted. */
    async end(id: string): Promise<void> {
      const before = promoted.length;
      ends.get(id)?.();
      ends.delete(id);
      running.splice(running.indexOf(id), 1);
      await until('the next is promoted', () => promoted.length > before);
    },
  };
}

const several = (name: string, count: number) =>
  Array.from({ length: count }, (_, index) => `${name}.${index + 1}`);

t.test('there is a place for whoever comes later', async (t) => {
  const { running, begin } = testSlots(t);
  for (const lane of ['a1', 'a2', 'b1', 'c1', 'd1']) {
    for (const id of several(lane, 12)) await begin(id);
  }
  const of = (lane: string) => running.filter((id) => id.startsWith(lane)).length;
  t.same(['a1', 'a2', 'b', 'c', 'd'].map(of), [4, 1, 2, 2, 1]);
});

t.test('what waits follows in turn, first where the fewest run', async (t) => {
  const { begin, end, promoted, gone } = testSlots(t);
  for (const lane of ['a1', 'a2', 'a3', 'a4']) {
    for (const id of several(lane, 5)) await begin(id);
  }
  await end('a1.1');
  t.same(promoted, ['a3.1'], 'a host of which none runs');
  t.equal(await begin('a3.1'), true);
  gone.add('a4.1');
  await end('a1.2');
  t.equal(promoted.at(-1), 'a4.2', 'what was cancelled takes the turn of nobody');
  t.equal(await begin('b1.1'), true, 'another account waits for none of them');
  t.equal(await begin('a4.2'), true);
  t.equal(await begin('a3.2'), false, 'what comes back by itself waits on');
  await end('a1.3');
  t.equal(promoted.at(-1), 'a1.5');
  await end('b1.1');
  t.equal(promoted.at(-1), 'a2.2', 'places of another account are free for this one');
  t.equal(await begin('a1.5'), true);
  await begin('a3.6');
  await end('a1.5');
  t.equal(promoted.at(-1), 'a3.2', 'what came back by itself kept its turn');
});

t.test('what waits follows, also if the one before ran in another process', async (t) => {
  const { begin, end, promoted } = testSlots(t, 1);
  for (const id of several('a1', 6)) await begin(id);
  await end('a1.1');
  await until('all are promoted', () => promoted.length === 2);
});
