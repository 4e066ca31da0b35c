/** The queue between several senders. */
import t, { type Test } from 'tap';
import { Queue, type QueueOptions } from '../../src/queue/queue.ts';
import type { Sender } from '../../src/queue/sender.ts';
import { WorkerShares } from '../../src/queue/worker-shares.ts';
import { never } from '../support/kit.ts';
import { stall } from '../support/stalls.ts';
import { settled, Task } from '../support/tasks.ts';
import { until } from '../support/until.ts';

/** Long enough that no test meets it. */
const FOREVER_MS = 60_000;

const live = (account: string): Sender => ({ class: 'live', account });
const test = (account: string): Sender => ({ class: 'test', account });
const passerBy = (network: string): Sender => ({ class: 'public', network });
const probe: Sender = { class: 'probe' };

/** A queue whose tasks run until they are told to end, and what became of them. */
class Bench {
  readonly queue: Queue;
  /** Names of the tasks in the order of their start. */
  readonly started: string[] = [];
  /** Names of those that were refused. */
  readonly refused: string[] = [];
  readonly #running = new Map<string, Task>();
  readonly #all: Promise<void>[] = [];

  constructor(options: Partial<QueueOptions>) {
    this.queue = new Queue({ workers: 1, limit: 100, timeoutMs: FOREVER_MS, ...options });
  }

  /** Sends a task; resolves when it has started, waits or is refused. */
  async send(name: string, sender: Sender, signal = never(), bytes = 0): Promise<void> {
    this.#all.push(this.#send(name, sender, signal, bytes));
    await settled();
  }

  /** Ends the task and lets the next start. */
  async end(name: string): Promise<void> {
    this.#running.get(name)?.end();
    await settled();
  }

  /** Ends one task after the other until none is left. Returns the order in which those that waited started. */
  async drain(): Promise<string[]> {
    const before = this.started.length;
    for (let [name] = this.#running.keys(); name !== undefined; [name] = this.#running.keys()) {
      await this.end(name);
    }
    await Promise.all(this.#all);
    return this.started.slice(before);
  }

  async #send(name: string, sender: Sender, signal: AbortSignal, bytes: number): Promise<void> {
    const task = new Task();
    try {
      await this.queue.enter(sender).run(
        () => {
          this.started.push(name);
          this.#running.set(name, task);
          return task.run();
        },
        bytes,
        signal,
      );
    } catch (error) {
      if ((error as { code?: string }).code !== 'OVERLOADED') throw error;
      this.refused.push(name);
    } finally {
      this.#running.delete(name);
    }
  }
}

/** Asserts that nothing is left in the queue. */
function isEmpty(t: Test, queue: Queue): void {
  const { running, waiting, arriving, oldestWaitMs } = queue;
  t.strictSame(
    { running, waiting, arriving, oldestWaitMs },
    { running: 0, waiting: 0, arriving: 0, oldestWaitMs: 0 },
  );
}

t.test('accounts take turns, whatever each has queued', async (t) => {
  const bench = new Bench({});
  for (const n of [1, 2, 3, 4]) await bench.send(`a${n}`, live('a'));
  for (const n of [1, 2]) await bench.send(`b${n}`, live('b'));
  await bench.send('c1', live('c'));
  t.same(bench.started, ['a1']);
  t.same(await bench.drain(), ['a2', 'b1', 'c1', 'a3', 'b2', 'a4']);
  isEmpty(t, bench.queue);
});

t.test('the clients of the public endpoint have one turn together, and take turns in it', async (t) => {
  const bench = new Bench({});
  await bench.send('first', test('a'));
  for (const n of [1, 2]) await bench.send(`x${n}`, passerBy('192.0.2.1'));
  await bench.send('y1', passerBy('192.0.2.2'));
  for (const n of [1, 2, 3]) await bench.send(`a${n}`, test('a'));
  t.same(await bench.drain(), ['x1', 'a1', 'y1', 'a2', 'x2', 'a3']);
});

t.test(
  'guests use all workers, and give those that become free to live work beyond their half',
  async (t) => {
    const bench = new Bench({ workers: 4 });
    for (const n of [1, 2, 3, 4, 5, 6]) await bench.send(`g${n}`, passerBy(`192.0.2.${n}`));
    t.equal(bench.queue.running, 4, 'all workers');
    for (const n of [1, 2, 3]) await bench.send(`l${n}`, live('a'));
    t.strictSame(bench.queue.waitingByClass, { live: 3, test: 0, public: 2, job: 0, probe: 0 });
    await bench.end('g1');
    await bench.end('g2');
    t.same(bench.started.slice(4), ['l1', 'l2'], 'until half of the workers are left to guests');
    await bench.end('g3');
    t.same(bench.started.slice(6), ['g5'], 'then they take turns');
    await bench.end('l1');
    t.same(bench.started.slice(7), ['l3']);
    await bench.end('g4');
    t.same(bench.started.slice(8), ['g6']);
    await bench.drain();
    isEmpty(t, bench.queue);
  },
);

t.test('of a single worker guests have every other turn', async (t) => {
  const bench = new Bench({});
  for (const n of [1, 2, 3]) await bench.send(`g${n}`, test('a'));
  for (const n of [1, 2, 3, 4]) await bench.send(`l${n}`, live('a'));
  t.same(await bench.drain(), ['l1', 'g2', 'l2', 'g3', 'l3', 'l4']);
});

t.test('who ran out of a budget keeps to half of the workers, and the others find theirs free', async (t) => {
  const bench = new Bench({ workers: 4 });
  const place = bench.queue.enter(live('poisoner'));
  place.restrain();
  place.leave();
  for (const n of [1, 2, 3]) await bench.send(`p${n}`, live('poisoner'));
  t.same(bench.started, ['p1', 'p2']);
  t.equal(bench.queue.waiting, 1, 'although two workers are free');
  await bench.send('a1', live('a'));
  t.same(bench.started, ['p1', 'p2', 'a1'], 'at once');
  await bench.end('p2');
  t.same(bench.started.slice(3), ['p3']);
  await bench.drain();
  isEmpty(t, bench.queue);
});

t.test('one more runs when no worker has become free for a while', async (t) => {
  const bench = new Bench({ workers: 2, patienceMs: 20 });
  for (const n of [1, 2, 3]) await bench.send(`a${n}`, live('a'));
  await bench.send('g1', test('b'));
  const b1 = new Task();
  const b2 = new Task();
  const runs = [b1, b2].map((task) => bench.queue.enter(live('b')).run(task.run, 0, never()));
  await b1.started;
  t.same(bench.started, ['a1', 'a2'], 'not of an account that has some running, and not of guests');
  t.equal(bench.queue.running, 3);
  b1.end();
  await b2.started;
  t.equal(bench.queue.running, 3, 'one at a time');
  b2.end();
  await Promise.all(runs);
  await bench.drain();
  isEmpty(t, bench.queue);
});

t.test('one more runs also if it becomes due while the queue looks for it', async (t) => {
  for (const looks of [0, 1, 2, 3, 4]) {
    const bench = new Bench({ workers: 1, patienceMs: 20 });
    await bench.send('a1', live('a'));
    let looked = 0;
    t.intercept(WorkerShares.prototype, 'stuckMs', { get: () => (looked++ < looks ? 19 : 21) });
    await bench.send('b1', live('b'));
    await until('it runs', () => bench.started.includes('b1'), 5_000);
    await bench.drain();
  }
});

t.test('the probe runs beside the one more, and needs no place', async (t) => {
  const bench = new Bench({ workers: 1, limit: 1, patienceMs: 5 });
  await bench.send('a1', live('a'));
  const b1 = new Task();
  const run = bench.queue.enter(live('b')).run(b1.run, 0, never());
  await b1.started;
  await bench.send('a2', live('a'));
  t.same(bench.refused, ['a2'], 'every place is taken');
  t.equal(await bench.queue.enter(probe).run(async () => 'probed', 0, never()), 'probed');
  t.equal(bench.queue.running, 2, 'and nobody has taken its worker');
  b1.end();
  await run;
  await bench.drain();
  isEmpty(t, bench.queue);
});

t.test('the probe is first in line', async (t) => {
  const bench = new Bench({});
  for (const n of [1, 2]) await bench.send(`a${n}`, live('a'));
  await bench.send('probe', probe);
  t.same(await bench.drain(), ['probe', 'a2']);
});

t.test('an account with fewer places takes one from the account with the most', async (t) => {
  const bench = new Bench({ limit: 4 });
  for (const n of [1, 2, 3, 4, 5, 6]) await bench.send(`a${n}`, live('a'));
  t.same(bench.refused, ['a6'], 'an account cannot push out its own');
  for (const n of [1, 2, 3]) await bench.send(`b${n}`, live('b'));
  t.same(bench.refused, ['a6', 'a5', 'a4', 'b3'], 'the newest of the one with more, until both have as many');
  await bench.send('c1', live('c'));
  t.equal(bench.refused.length, 5);
  t.strictSame(bench.queue.refusals, { full: 2, late: 0, timeout: 0, displaced: 3, uploads: 0, stalled: 0 });
  t.equal(bench.queue.waiting, 4);
  await bench.drain();
  t.ok(bench.started.includes('c1'));
});

t.test('guests leave live work its half of the places, and never take any of it', async (t) => {
  const bench = new Bench({ limit: 4 });
  await bench.send('first', live('z'));
  for (const n of [1, 2, 3, 4]) await bench.send(`g${n}`, passerBy(`192.0.2.${n}`));
  for (const n of [1, 2, 3]) await bench.send(`l${n}`, live('a'));
  t.same(bench.refused, ['g4', 'g3', 'l3'], 'from the last to be served');
  await bench.send('g5', test('b'));
  t.equal(bench.queue.waitingByClass.live, 2, 'guests push out guests alone');
  await bench.drain();
  isEmpty(t, bench.queue);
});

t.test('uploads under way count, for their accounts', async (t) => {
  const queue = new Queue({ workers: 1, limit: 10, timeoutMs: FOREVER_MS, uploads: 2 });
  const [first, second] = [queue.enter(live('a')), queue.enter(live('a'))];
  t.throws(() => queue.enter(live('a')), { code: 'OVERLOADED', reason: 'uploads' });
  const other = queue.enter(live('b'));
  t.equal(queue.arriving, 2);
  t.notOk(first.signal.aborted);
  const taken = { code: 'OVERLOADED', status: 503, reason: 'displaced', retryAfter: 2 };
  t.match(
    second.signal.reason,
    taken,
    'the newest upload ends, and is told when one of its account may give way',
  );
  await t.rejects(
    second.run(async () => t.fail('it ran'), 0, never()),
    { code: 'OVERLOADED' },
  );
  for (const place of [first, second, other]) place.leave();
  isEmpty(t, queue);
});

t.test('an upload that stands still gives way to the next of its account', async (t) => {
  const queue = new Queue({
    workers: 1,
    limit: 10,
    timeoutMs: FOREVER_MS,
    uploads: 2,
    uploadTimeoutMs: 120_000,
  });
  const [first, second] = [queue.enter(live('a')), queue.enter(live('a'))];
  t.throws(() => queue.enter(live('a')), { code: 'OVERLOADED', reason: 'uploads', retryAfter: 2 });
  t.throws(() => queue.enter(test('a')), { code: 'OVERLOADED', reason: 'uploads', retryAfter: 10 });
  stall(first.progress, 1_000);
  t.throws(() => queue.enter(live('a')), { code: 'OVERLOADED', reason: 'uploads', retryAfter: 1 });
  stall(first.progress, 4_000);
  stall(second.progress, 3_000);
  t.throws(() => queue.enter(test('a')), { code: 'OVERLOADED', retryAfter: 6 }, 'others wait longer');
  const next = queue.enter(live('a'));
  t.match(first.signal.reason, { code: 'OVERLOADED', reason: 'stalled', message: /stalled/ });
  t.notOk(second.signal.aborted);
  stall(second.progress, 0);
  t.throws(() => queue.enter(live('a')), { code: 'OVERLOADED' }, 'it goes on');
  for (const place of [first, second, next]) place.leave();
  isEmpty(t, queue);
});

t.test('an upload that is about to end has a place already', async (t) => {
  const queue = new Queue({ workers: 1, limit: 1, timeoutMs: FOREVER_MS });
  const places = [queue.enter(live('a')), queue.enter(live('a'))];
  t.throws(() => queue.enter(live('a')), { code: 'OVERLOADED', reason: 'full' });
  places[0]?.leave();
  places.push(queue.enter(live('a')));
  for (const place of places) place.leave();
  isEmpty(t, queue);
});

t.test('a wait is foreseen from the documents that go before, not from those of others', async (t) => {
  const timeoutMs = 100;
  const queue = new Queue({ workers: 1, limit: 100, timeoutMs });
  const slow = () => new Promise<void>((resolve) => setTimeout(resolve, 2 * timeoutMs));
  await queue.enter(live('slow')).run(slow, 0, never());
  await queue.enter(live('quick')).run(async () => {}, 0, never());
  const task = new Task();
  const run = queue.enter(live('slow')).run(task.run, 0, never());
  t.throws(() => queue.enter(live('slow')), { code: 'OVERLOADED', reason: 'late' });
  const quick = queue.enter(live('quick'));
  quick.leave();
  task.end();
  await run;
});

t.test('of one account’s documents small ones go first, and no large one waits for ever', async (t) => {
  const bench = new Bench({});
  const send = (name: string, account: string, bytes: number) =>
    bench.send(name, live(account), never(), bytes);
  await send('running', 'a', 1);
  await send('large', 'a', 900);
  for (const n of [1, 2, 3, 4, 5]) await send(`small ${n}`, 'a', 10);
  await send('smaller', 'a', 9);
  await send('of another', 'b', 5_000);
  t.same(await bench.drain(), [
    'smaller',
    'of another',
    'small 1',
    'small 2',
    'large',
    'small 3',
    'small 4',
    'small 5',
  ]);
});
