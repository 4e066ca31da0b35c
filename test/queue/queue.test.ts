import { setTimeout as delay } from 'node:timers/promises';
import t, { type Test } from 'tap';
import type { PlatenError } from '../../src/errors.ts';
import { Queue } from '../../src/queue/queue.ts';
import { never } from '../support/kit.ts';
import { acme, runIn } from '../support/queue.ts';
import { Task } from '../support/tasks.ts';

/** Long enough that no test meets it. */
const FOREVER_MS = 60_000;

async function rejectsAsOverloaded(t: Test, promise: Promise<unknown>): Promise<PlatenError> {
  const error = (await t.rejects(promise, { code: 'OVERLOADED', status: 503 })) as unknown as PlatenError;
  t.ok(
    Number.isInteger(error.retryAfter) && Number(error.retryAfter) >= 1,
    `retryAfter is ${error.retryAfter}`,
  );
  return error;
}

t.test('runs as many tasks as there are workers, the others wait in their order', async (t) => {
  const queue = new Queue({ workers: 2, limit: 10, timeoutMs: FOREVER_MS });
  const tasks = Array.from({ length: 5 }, () => new Task());
  const order: number[] = [];
  const runs = tasks.map((task, i) =>
    runIn(
      queue,
      () => {
        order.push(i);
        return task.run();
      },
      never(),
    ),
  );
  await tasks[1]?.started;
  t.same(order, [0, 1]);
  t.equal(queue.running, 2);
  t.equal(queue.waiting, 3);
  for (const [i, task] of tasks.entries()) {
    await task.started;
    t.ok(queue.running <= 2);
    task.end();
    await runs[i];
  }
  t.same(order, [0, 1, 2, 3, 4]);
  t.equal(queue.running, 0);
  t.equal(queue.waiting, 0);
});

t.test('gives the result of the task and the time it waited', async (t) => {
  const queue = new Queue({ workers: 1, limit: 1, timeoutMs: FOREVER_MS });
  const first = new Task();
  const running = runIn(queue, first.run, never());
  const waited = runIn(queue, async (waitedMs) => waitedMs, never());
  first.end();
  await running;
  t.ok((await waited) > 0);
  t.equal(await runIn(queue, async () => 'result', never()), 'result');
});

t.test('refuses at once when every place is taken', async (t) => {
  const queue = new Queue({ workers: 1, limit: 1, timeoutMs: FOREVER_MS });
  const first = new Task();
  const second = new Task();
  const runs = [runIn(queue, first.run, never()), runIn(queue, second.run, never())];
  t.throws(() => queue.enter(acme).leave(), { code: 'OVERLOADED' });
  await rejectsAsOverloaded(
    t,
    runIn(queue, async () => t.fail('it ran'), never()),
  );
  first.end();
  await second.started;
  t.doesNotThrow(() => queue.enter(acme).leave(), 'a place is free again');
  second.end();
  await Promise.all(runs);
});

t.test('needs no place to wait when a worker is free', async (t) => {
  const queue = new Queue({ workers: 1, limit: 0, timeoutMs: FOREVER_MS });
  const task = new Task();
  const run = runIn(queue, task.run, never());
  await rejectsAsOverloaded(
    t,
    runIn(queue, async () => t.fail('it ran'), never()),
  );
  task.end();
  await run;
  await runIn(queue, async () => {}, never());
});

t.test('an abort ends the wait, frees the place, and leaves the others in line', async (t) => {
  const queue = new Queue({ workers: 1, limit: 2, timeoutMs: FOREVER_MS });
  const first = new Task();
  const last = new Task();
  const controller = new AbortController();
  const reason = new Error('the client is gone');
  const runs = [runIn(queue, first.run, never())];
  const aborted = runIn(queue, async () => t.fail('it ran'), controller.signal);
  runs.push(runIn(queue, last.run, never()));
  controller.abort(reason);
  t.equal(queue.waiting, 1);
  t.equal(await aborted.catch((error: unknown) => error), reason);
  first.end();
  await last.started;
  last.end();
  await Promise.all(runs);
  t.equal(queue.running, 0);
});

t.test('a signal that has aborted already takes no place', async (t) => {
  const queue = new Queue({ workers: 1, limit: 1, timeoutMs: FOREVER_MS });
  const reason = new Error('gone before');
  const run = runIn(queue, async () => t.fail('it ran'), AbortSignal.abort(reason));
  t.equal(await run.catch((error: unknown) => error), reason);
  t.equal(queue.running, 0);
});

t.test('an abort does not touch a running task', async (t) => {
  const queue = new Queue({ workers: 1, limit: 1, timeoutMs: FOREVER_MS });
  const task = new Task();
  const controller = new AbortController();
  const run = runIn(queue, task.run, controller.signal);
  controller.abort();
  t.equal(queue.running, 1, 'its worker is still at work');
  task.end();
  await run;
  t.equal(queue.running, 0);
});

t.test('a further document of a request waits for as long as its others take', async (t) => {
  const queue = new Queue({ workers: 1, limit: 2, timeoutMs: 20 });
  const [first, second] = [new Task(), new Task()];
  const place = queue.enter(acme);
  const further = place.another();
  const runs = [place.run(() => first.run(), 0, never()), further.run(() => second.run(), 0, never())];
  await first.started;
  await delay(60);
  t.equal(queue.waiting, 1, 'it is in the line like any other');
  t.match(queue.refusals, { timeout: 0 });
  first.end();
  await second.started;
  second.end();
  await Promise.all(runs);
  place.leave();
  further.leave();
  t.equal(queue.arriving, 0);
});

t.test('a wait ends with its budget', async (t) => {
  const queue = new Queue({ workers: 1, limit: 2, timeoutMs: 5 });
  const first = new Task();
  const run = runIn(queue, first.run, never());
  await rejectsAsOverloaded(
    t,
    runIn(queue, async () => t.fail('it ran'), never()),
  );
  t.equal(queue.waiting, 0);
  first.end();
  await run;
  t.equal(await runIn(queue, async () => 'free', never()), 'free');
});

t.test('a task that fails hands its worker over', async (t) => {
  const queue = new Queue({ workers: 1, limit: 2, timeoutMs: FOREVER_MS });
  const first = new Task();
  const failing = runIn(queue, first.run, never());
  const throwing = runIn(
    queue,
    () => {
      throw new Error('at once');
    },
    never(),
  );
  const last = runIn(queue, async () => 'its turn', never());
  first.fail(new Error('broken'));
  await t.rejects(failing, { message: 'broken' });
  await t.rejects(throwing, { message: 'at once' });
  t.equal(await last, 'its turn');
  t.equal(queue.running, 0);
});

t.test('refuses a wait that cannot end in time, with an honest Retry-After', async (t) => {
  const timeoutMs = 100;
  const queue = new Queue({ workers: 1, limit: 100, timeoutMs });
  // One run that takes longer than a wait may: the queue learns from it.
  await runIn(queue, () => new Promise((resolve) => setTimeout(resolve, 2 * timeoutMs)), never());
  t.doesNotThrow(() => queue.enter(acme).leave(), 'a free worker has no wait');
  const task = new Task();
  const run = runIn(queue, task.run, never());
  t.throws(() => queue.enter(acme).leave(), { code: 'OVERLOADED' });
  await rejectsAsOverloaded(
    t,
    runIn(queue, async () => t.fail('it ran'), never()),
  );
  t.equal(queue.waiting, 0);
  task.end();
  await run;
});

t.test('the more wait, the later the Retry-After', async (t) => {
  const limit = 30;
  const queue = new Queue({ workers: 1, limit, timeoutMs: FOREVER_MS });
  await runIn(queue, () => new Promise((resolve) => setTimeout(resolve, 100)), never());
  const clients = Array.from({ length: limit }, () => new AbortController());
  const task = new Task();
  const run = runIn(queue, task.run, never());
  const waiting = clients.map(({ signal }) => runIn(queue, async () => {}, signal));
  const error = await rejectsAsOverloaded(
    t,
    runIn(queue, async () => {}, never()),
  );
  // 31 runs of at least 100 ms, less the accuracy of a timer.
  t.ok(Number(error.retryAfter) >= 3, `${error.retryAfter} s`);
  for (const client of clients) client.abort();
  await Promise.allSettled(waiting);
  task.end();
  await run;
});
