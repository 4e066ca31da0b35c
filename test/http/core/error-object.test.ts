import t from 'tap';
import { catalogue, type ErrorCode, PlatenError } from '../../../src/errors.ts';
import { defaultRetryAfter, errorAnswer } from '../../../src/http/core/error-object.ts';

const codes = Object.keys(catalogue) as ErrorCode[];

t.test('every code has its status, its texts and the id of the request', async (t) => {
  for (const code of codes) {
    const { status, headers, body } = errorAnswer(new PlatenError(code, { reason: 'full' }), 'req_1');
    t.equal(status, catalogue[code].status, code);
    t.match(body, { code, message: catalogue[code].message, requestId: 'req_1' });
    t.not(body.error, 'Error', 'the text of a status that HTTP knows');
    t.equal(new Date(body.timestamp).toISOString(), body.timestamp);
    t.equal(headers['www-authenticate'], status === 401 ? 'Bearer' : undefined, code);
  }
});

t.test('the body has nothing but what the contract names', async (t) => {
  const error = new PlatenError('INTERNAL_ERROR', { cause: new Error('/secret/path') });
  const { body } = errorAnswer(error, 'req_1');
  t.same(Object.keys(body), ['code', 'error', 'message', 'requestId', 'timestamp']);
  t.notMatch(JSON.stringify(body), /secret/);
});

t.test('429 says when to retry in the header and the body, 409 and 503 in the header', async (t) => {
  const limited = errorAnswer(new PlatenError('RATE_LIMIT_EXCEEDED', { retryAfter: 17 }), 'req_1');
  t.equal(limited.headers['retry-after'], '17');
  t.equal(limited.body.retryAfter, 17);
  for (const code of ['REQUEST_IN_PROGRESS', 'OVERLOADED', 'SERVICE_UNAVAILABLE'] as const) {
    const { headers, body } = errorAnswer(new PlatenError(code, { reason: 'full', retryAfter: 3 }), 'req_1');
    t.equal(headers['retry-after'], '3');
    t.notOk('retryAfter' in body);
    t.equal(
      errorAnswer(new PlatenError(code, { reason: 'full' }), 'req_1').headers['retry-after'],
      `${defaultRetryAfter[catalogue[code].status]}`,
    );
  }
});

t.test('a time to retry is in whole seconds, at least one', async (t) => {
  for (const [given, sent] of [
    [0, 1],
    [-5, 1],
    [0.2, 1],
    [1.01, 2],
  ] as const) {
    const { body } = errorAnswer(new PlatenError('RATE_LIMIT_EXCEEDED', { retryAfter: given }), 'req_1');
    t.equal(body.retryAfter, sent);
  }
});

t.test('no other status says when to retry', async (t) => {
  for (const code of codes.filter((name) => ![409, 429, 503].includes(catalogue[name].status))) {
    const { headers, body } = errorAnswer(new PlatenError(code, { reason: 'full', retryAfter: 3 }), 'req_1');
    t.notOk('retry-after' in headers, code);
    t.notOk('retryAfter' in body, code);
  }
});
