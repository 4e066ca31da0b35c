import { once } from 'node:events';
import Fastify from 'fastify';
import t from 'tap';
import { onAnswerEnd } from '../../../src/http/core/answer-end.ts';

t.test(
  'all who wait for the end of an answer are told once, in their order, and no emitter complains',
  async (t) => {
    const warnings: Error[] = [];
    const warned = (warning: Error) => warnings.push(warning);
    process.on('warning', warned);
    t.teardown(() => process.off('warning', warned));
    const app = Fastify();
    t.teardown(() => app.close());
    const told: string[] = [];
    app.get('/', async (request, reply) => {
      for (let n = 0; n < 20; n += 1) onAnswerEnd(request, reply, (whole) => told.push(`${n} ${whole}`));
      reply.raw.once('close', () => app.server.emit('answered'));
      // Fastify waits for its end as well.
      setImmediate(() => reply.send('whole'));
      return reply;
    });
    const answered = once(app.server, 'answered');
    const response = await fetch(await app.listen());
    t.equal(await response.text(), 'whole');
    await answered;
    t.same(
      told,
      Array.from({ length: 20 }, (_, n) => `${n} true`),
    );
    // Warnings are told in a turn of their own.
    await new Promise(setImmediate);
    t.same(warnings, []);
  },
);

t.test('an answer that can no longer be sent is reported at once', async (t) => {
  const app = Fastify();
  t.teardown(() => app.close());
  const told: boolean[] = [];
  app.get('/', async (request, reply) => {
    reply.raw.destroy();
    onAnswerEnd(request, reply, (whole) => told.push(whole));
    t.same(told, [false]);
    return reply;
  });
  await t.rejects(fetch(await app.listen()));
});
