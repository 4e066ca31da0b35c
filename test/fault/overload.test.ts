/** More than the server can take, for a second; overload.soak.ts does it for a minute and measures. */
import t from 'tap';
import { endsCleanly } from '../e2e/support/assertions.ts';
import { get } from '../e2e/support/requests.ts';
import { count, overload } from '../support/overload.ts';
import { until } from '../support/until.ts';

const { answers, peak, server } = await overload({
  peakMs: 450,
  overloadMs: 1_350,
  factor: 10,
  accounts: 2,
  recoveryMs: 100,
  env: { QUEUE_LIMIT: '20', UPLOAD_LIMIT: '20' },
});

t.test('every request gets a PDF, or a 503 that says when to come again', async (t) => {
  const [delivered, refused] = [count(answers, 200), count(answers, 503)];
  t.comment(`${delivered} of ${answers.length}`);
  t.equal(delivered + refused, answers.length);
  t.ok(refused > delivered, 'most are refused');
  t.ok(delivered > count(peak, 200), 'in three times the time of the peak, more PDFs than at the peak');
  const others = answers.filter(({ status, body }) => status === 503 && !body.includes('"OVERLOADED"'));
  t.same(others, [], 'as OVERLOADED');
  t.notOk(
    answers.some(({ status, retryAfter = 0 }) => status === 503 && retryAfter < 1),
    'Retry-After',
  );
});

t.test('all customers get their share', async (t) => {
  const shares = [0, 1].map((n) =>
    count(
      answers.filter(({ which }) => which === n),
      200,
    ),
  );
  t.comment(shares.join(', '));
  t.ok(shares.every((share) => share > 0));
});

t.test('nothing is left', async (t) => {
  await until('the folders are gone', async () => (await server.jobs()).length === 0);
  t.equal((await get(server, '/health')).status, 200);
  await endsCleanly(t, server);
});
