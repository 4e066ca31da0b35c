import t from 'tap';
import { Queue } from '../../src/queue/queue.ts';
import type { Sender } from '../../src/queue/sender.ts';
import { runIn } from '../support/queue.ts';

const signal = new AbortController().signal;
const file: Sender = { class: 'job', account: 'acme', environment: 'live' };
const customer: Sender = { class: 'live', account: 'beta' };
const guest: Sender = { class: 'public', network: '192.0.2.0' };

/** A task that runs until it is told to end. */
function held() {
  let end = () => {};
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  return { end, run: () => ended };
}

const queueOf = (workers: number) => new Queue({ workers, limit: 10, timeoutMs: 60_000 });

t.test('whoever waits at a connection goes before a file of a job', async (t) => {
  const queue = queueOf(1);
  const first = held();
  const order: string[] = [];
  const note = (name: string) => async () => {
    order.push(name);
  };
  const running = runIn(queue, first.run, signal, customer);
  const waiting = [
    runIn(queue, note('file'), signal, file),
    runIn(queue, note('guest'), signal, guest),
    runIn(queue, note('customer'), signal, customer),
  ];
  t.match(queue.waitingByClass, { live: 1, public: 1, job: 1 });
  first.end();
  await Promise.all([running, ...waiting]);
  t.equal(order.at(-1), 'file');
});

t.test('a worker is spare if nobody waits for it and no file is about to take it', async (t) => {
  const queue = queueOf(2);
  t.equal(queue.hasSpareWorker, true);
  const one = queue.enter(file);
  t.equal(queue.hasSpareWorker, true);
  const two = queue.enter(file);
  t.equal(queue.hasSpareWorker, false, 'both are about to be taken');
  let isTold = false;
  const told = queue.spareWorker(signal).then(() => {
    isTold = true;
  });
  const first = held();
  const running = one.run(first.run, 0, signal);
  await new Promise(setImmediate);
  t.equal(isTold, false);
  two.leave();
  await told;
  t.equal(queue.hasSpareWorker, true);
  const second = held();
  const other = runIn(queue, second.run, signal, customer);
  t.equal(queue.hasSpareWorker, false);
  const again = queue.spareWorker(signal);
  first.end();
  await again;
  second.end();
  await Promise.all([running, other]);
});

t.test('who waits for a spare worker can stop', async () => {
  const queue = queueOf(1);
  const first = held();
  const running = runIn(queue, first.run, signal, customer);
  const stop = new AbortController();
  const spare = queue.spareWorker(stop.signal);
  stop.abort();
  await spare;
  first.end();
  await running;
});

t.test('files of jobs have no limit of places, and accounts take turns', async (t) => {
  const queue = new Queue({ workers: 1, limit: 1, timeoutMs: 60_000 });
  const first = held();
  const order: string[] = [];
  const running = runIn(queue, first.run, signal, customer);
  const senders = ['acme', 'acme', 'acme', 'gamma'];
  const waiting = senders.map((account) =>
    runIn(queue, async () => void order.push(account), signal, {
      class: 'job',
      account,
      environment: 'live',
    }),
  );
  first.end();
  await Promise.all([running, ...waiting]);
  t.same(order, ['acme', 'gamma', 'acme', 'acme']);
});

t.test('an account that is limited to half of the workers is so for its jobs', async (t) => {
  const queue = queueOf(2);
  const place = queue.enter(file);
  place.restrain();
  place.leave();
  const [one, other] = [held(), held()];
  const running = runIn(queue, one.run, signal, file);
  const waiting = runIn(queue, other.run, signal, file);
  t.equal(queue.running, 1);
  t.equal(queue.waiting, 1);
  one.end();
  other.end();
  await Promise.all([running, waiting]);
});

t.test('a file that waits too long is no refusal of the service', async (t) => {
  const queue = new Queue({ workers: 1, limit: 1, timeoutMs: 1 });
  const first = held();
  const running = runIn(queue, first.run, signal, customer);
  await t.rejects(
    runIn(queue, async () => {}, signal, file),
    { code: 'OVERLOADED' },
  );
  t.equal(queue.refusals.timeout, 0);
  first.end();
  await running;
});

t.test('an upload for later is not refused because documents wait', async (t) => {
  const queue = new Queue({ workers: 1, limit: 0, timeoutMs: 60_000, uploads: 2 });
  const first = held();
  const running = runIn(queue, first.run, signal, customer);
  t.throws(() => queue.enter(customer), { code: 'OVERLOADED' });
  const places = [1, 2].map(() => queue.enter(customer, { isForLater: true }));
  t.throws(() => queue.enter(customer, { isForLater: true }), { code: 'OVERLOADED' });
  for (const place of places) place.leave();
  first.end();
  await running;
});

t.test('nobody waits for a file of a job: one document may run beside it', async (t) => {
  const queue = queueOf(1);
  const [ofJob, beside] = [held(), held()];
  const running = runIn(queue, ofJob.run, signal, file);
  const order: string[] = [];
  const note = (name: string, run: () => Promise<void>) => async () => {
    order.push(name);
    await run();
  };
  const nothing = async () => {};
  const documents = [
    runIn(queue, note('first', beside.run), signal, customer),
    runIn(queue, note('second', nothing), signal, customer),
    runIn(queue, note('file', nothing), signal, file),
  ];
  await new Promise(setImmediate);
  t.strictSame(order, ['first'], 'one, and no other');
  t.equal(queue.running, 2);
  t.equal(queue.hasSpareWorker, false);
  beside.end();
  await documents[1];
  t.strictSame(order, ['first', 'second']);
  ofJob.end();
  await Promise.all([running, ...documents]);
  t.equal(order.at(-1), 'file');
  t.equal(queue.running, 0);
});
