/** Which of an account's lists a request is kept in, on a real Redis. */
import t from 'tap';
import type { RequestOutcome } from '../../../src/http/core/request-outcome.ts';
import { OperatorRecords } from '../../../src/http/operator/records.ts';
import { RecentRequests } from '../../../src/operator/requests.ts';
import { Statistics } from '../../../src/operator/statistics.ts';
import { log, redisClient } from '../../redis/support.ts';

const client = await redisClient(t);

function outcome(number: number, fields: Partial<RequestOutcome>): RequestOutcome {
  return {
    requestId: `req_${number.toString(16).padStart(32, '0')}`,
    traceId: undefined,
    key: { account: 'acme', id: 'key_1', environment: 'live' },
    admitted: true,
    converts: true,
    method: 'POST',
    route: '/v1/convert',
    status: 200,
    code: 'success',
    reason: undefined,
    message: undefined,
    class: 'live',
    conversion: undefined,
    ms: 1,
    ...fields,
  };
}

t.test('requests without an admission count as refused, however they ended', async (t) => {
  const requests = new RecentRequests(client, log);
  const records = new OperatorRecords(new Statistics(client, log), requests);
  records.ended(outcome(1, { converts: false }));
  records.ended(outcome(2, { converts: false, status: undefined, code: 'client_left' }));
  records.ended(outcome(3, { converts: false, admitted: false, status: 429, code: 'RATE_LIMIT_EXCEEDED' }));
  // Also if the client does not wait for the refusal.
  records.ended(outcome(4, { converts: false, admitted: false, status: undefined, code: 'client_left' }));
  await requests.close();
  const numbers = async (list: 'admitted' | 'refused') =>
    (await requests.list('acme', { limit: 10, list })).requests.map(({ requestId }) =>
      Number(`0x${requestId.slice(4)}`),
    );
  t.strictSame(await numbers('admitted'), [2, 1]);
  t.strictSame(await numbers('refused'), [4, 3]);
});
