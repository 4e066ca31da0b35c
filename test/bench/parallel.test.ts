/** Clients that convert at a time, and the queue that their times are held against. */
import t from 'tap';
import { levelsOf } from '../../bench/levels.ts';
import { queueAlone, runClients, shared } from '../../bench/parallel.ts';

/** A way to convert that ends when it is told to. */
class Way {
  running = 0;
  most = 0;
  readonly #ends: (() => void)[] = [];

  readonly convert = async () => {
    this.running++;
    this.most = Math.max(this.most, this.running);
    await new Promise<void>((resolve) => this.#ends.push(resolve));
    this.running--;
  };

  end(): void {
    this.#ends.shift()?.();
  }
}

/** Lets everything happen that waits for nothing else. */
const settle = () => new Promise((resolve) => setImmediate(resolve));

t.test('clients convert as many as they are told, each one at a time', async (t) => {
  const way = new Way();
  const run = runClients(way.convert, 3, 5);
  for (let n = 0; n < 5; n++) {
    await settle();
    way.end();
  }
  const { times, perSecond } = await run;
  t.equal(times.length, 5);
  t.equal(way.most, 3);
  t.ok(perSecond > 0);
});

t.test('ways that are shared take one document at a time, and whoever waits gets the next', async (t) => {
  const ways = [new Way(), new Way()];
  const convert = shared(ways.map((way) => way.convert));
  const run = runClients(convert, 4, 6);
  for (let n = 0; n < 3; n++) {
    await settle();
    for (const way of ways) {
      t.equal(way.running, 1);
      way.end();
    }
  }
  t.equal((await run).times.length, 6);
  t.strictSame(
    ways.map(({ most }) => most),
    [1, 1],
  );
});

t.test('a way that fails is free again', async (t) => {
  const convert = shared([() => Promise.reject(new Error('no'))]);
  await t.rejects(convert());
  await t.rejects(convert());
});

t.test('a queue alone makes clients wait for those before them', async (t) => {
  t.strictSame(queueAlone([10], { workers: 2, clients: 2, count: 4 }), [10, 10, 10, 10]);
  t.strictSame(
    queueAlone([10], { workers: 2, clients: 8, count: 12 }),
    [10, 10, 20, 20, 30, 30, 40, 40, 40, 40, 40, 40],
  );
});

t.test('a slow document holds up one worker, not the others', async (t) => {
  t.strictSame(queueAlone([30, 10], { workers: 2, clients: 2, count: 4 }), [30, 10, 30, 10]);
  t.strictSame(queueAlone([30, 10, 10, 10], { workers: 2, clients: 3, count: 4 }), [30, 10, 20, 20]);
});

t.test('the levels have the cores and four times as many among them', async (t) => {
  t.strictSame(levelsOf(2), { full: 2, crowded: 8, small: [1, 2, 4, 8, 16], heavy: [1, 2, 4, 8] });
  t.strictSame(levelsOf(6).small, [1, 2, 4, 6, 8, 16, 24]);
  t.strictSame(levelsOf(6).heavy, [1, 4, 6, 24]);
});
