/** Queues of BullMQ on the service's client. */
import t from 'tap';
import { openQueue } from '../../src/redis/work-queue.ts';
import { redisClient } from './support.ts';

const redis = await redisClient(t);

t.test('a queue that is opened while Redis is away works once Redis is back', async (t) => {
  // The client itself asks for it when it connects.
  await redis.ping();
  const { info } = redis;
  redis.info = () => Promise.reject(new Error('Command timed out'));
  const queue = await openQueue<number>(redis, 'platen:{test}', 'numbers');
  t.teardown(() => queue.close());
  await queue.add('first', 1).catch(() => {});
  redis.info = info;
  await queue.add('second', 2);
  t.ok((await queue.getWaiting()).some(({ data }) => data === 2));
});
