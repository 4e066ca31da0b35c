import { once } from 'node:events';
import t from 'tap';
import { filePartHead, openConnection } from '../../e2e/support/requests.ts';
import { Service } from '../../support/service.ts';
import { until } from '../../support/until.ts';

t.test('nothing waits for a client that has left after its refusal', async (t) => {
  const service = await Service.start(t);
  const running = new Set<unknown>();
  const { setTimeout: start, clearTimeout: clear } = globalThis;
  t.intercept(globalThis, 'setTimeout', {
    value: (...args: Parameters<typeof start>) => {
      const timer = start(...args);
      // Whatever else this process runs has timers, too.
      if (new Error().stack?.includes('core/unread-body.ts')) running.add(timer);
      return timer;
    },
  });
  t.intercept(globalThis, 'clearTimeout', {
    value: (timer: NodeJS.Timeout) => {
      running.delete(timer);
      clear(timer);
    },
  });
  const socket = openConnection(service);
  const type = 'Content-Type: multipart/form-data; boundary=test-boundary';
  const head = ['POST /v1/convert HTTP/1.1', 'Host: localhost', type, 'Content-Length: 1000000', '', ''];
  socket.write(Buffer.concat([Buffer.from(head.join('\r\n')), filePartHead]));
  const [answer] = await once(socket, 'data');
  t.match(String(answer), /^HTTP\/1\.1 401 .*MISSING_AUTH/s);
  t.equal(running.size, 2, 'it reads what the client still sends');
  socket.destroy();
  await until('its timers are cleared', () => running.size === 0, 5_000);
});
