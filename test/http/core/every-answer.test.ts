/** What every answer carries, on a real socket. */
import { once } from 'node:events';
import { type AddressInfo, connect } from 'node:net';
import { text } from 'node:stream/consumers';
import Fastify from 'fastify';
import t from 'tap';
import { PlatenError } from '../../../src/errors.ts';
import { ClientErrors } from '../../../src/http/core/client-errors.ts';
import { answerFrameworkError, errorHandling } from '../../../src/http/core/errors.ts';
import { everyAnswerHeaders } from '../../../src/http/core/every-answer.ts';
import { newRequestId } from '../../../src/http/core/request-id.ts';
import { log } from '../../redis/support.ts';

t.test('a request id, "nosniff" and "no-store", whatever is answered', async (t) => {
  const clientErrors = new ClientErrors(log);
  const app = Fastify({
    genReqId: newRequestId,
    frameworkErrors: answerFrameworkError,
    clientErrorHandler: (error, socket) => clientErrors.answer(error, socket),
  });
  t.teardown(() => app.close());
  await app.register(everyAnswerHeaders);
  await app.register(errorHandling);
  app.get('/', async () => 'done');
  app.get('/away', (_request, reply) => reply.redirect('/', 308));
  app.get('/unchanged', (_request, reply) => reply.code(304).send());
  app.get('/failure', async () => {
    throw new PlatenError('INTERNAL_ERROR');
  });
  await app.listen({ host: '127.0.0.1', port: 0 });
  const { port } = app.server.address() as AddressInfo;

  for (const [line, status] of [
    ['GET / HTTP/1.1', 200],
    ['HEAD / HTTP/1.1', 200],
    ['GET /away HTTP/1.1', 308],
    ['GET /unchanged HTTP/1.1', 304],
    ['GET /nowhere HTTP/1.1', 404],
    ['POST / HTTP/1.1', 405],
    ['OPTIONS / HTTP/1.1', 405],
    ['GET /failure HTTP/1.1', 500],
    ['GET /%E0%A4%A HTTP/1.1', 400],
    ['no request', 400],
    [`GET /${'x'.repeat(20_000)} HTTP/1.1`, 431],
  ] as const) {
    const socket = connect(port, '127.0.0.1');
    await once(socket, 'connect');
    socket.write(`${line}\r\nHost: test\r\nConnection: close\r\n\r\n`);
    const [head = ''] = (await text(socket)).split('\r\n\r\n');
    const what = line.slice(0, 30);
    t.match(head, `HTTP/1.1 ${status} `, what);
    t.match(head, /\r\nx-request-id: req_[0-9a-f]{32}(\r|$)/, what);
    t.match(head, /\r\nx-content-type-options: nosniff(\r|$)/, what);
    t.match(head, /\r\ncache-control: no-store(\r|$)/, what);
  }
});
