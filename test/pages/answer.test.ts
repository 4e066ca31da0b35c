/** What the pages read of an answer that is no success. */
import t from 'tap';
import { readRefusal, refusalIn } from '../../src/pages/answer.ts';

const read = (body: string, headers: Readonly<Record<string, string>> = {}) =>
  readRefusal({ status: 503, header: (name) => headers[name] ?? null, text: async () => body });
const body = JSON.stringify({ code: 'OVERLOADED', message: 'Later.' });

t.test('an error of the service has a code and a message', async (t) => {
  const known = { code: 'OVERLOADED', message: 'Later.', status: 503 };
  t.same(await read(body), known);
  const headers = { 'x-request-id': 'req_1', 'retry-after': '7' };
  t.same(await read(body, headers), { ...known, requestId: 'req_1', retryAfter: 7 });
  t.same(await refusalIn(new Response(body, { status: 503, headers })), {
    ...known,
    requestId: 'req_1',
    retryAfter: 7,
  });
});

t.test('a time to wait is a number of seconds', async (t) => {
  for (const strange of ['', 'Fri, 31 Dec 1999 23:59:59 GMT', '-1', '0'])
    t.notHas(await read(body, { 'retry-after': strange }), { retryAfter: Number }, strange);
});

t.test('something in between answers in its own way', async (t) => {
  for (const other of ['<html>', '', '{"error":"x"}', '{"code":1,"message":"x"}', 'null'])
    t.same(await read(other, { 'x-request-id': 'req_1' }), {
      code: 'UNKNOWN',
      status: 503,
      requestId: 'req_1',
    });
});
