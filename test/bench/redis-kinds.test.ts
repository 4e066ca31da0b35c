/** Keys of Redis, by kind. */
import t from 'tap';
import { kindOf } from '../../bench/soak/redis-kinds.ts';
import { limitKeys } from '../../src/accounts/billing/redis-keys.ts';
import { redisKeys } from '../../src/accounts/keys/redis-keys.ts';
import { jobKeys } from '../../src/jobs/redis-keys.ts';
import { operatorKeys } from '../../src/operator/redis-keys.ts';
import { webhookKeys } from '../../src/webhooks/redis-keys.ts';

const account = 'acc_0f1e2d3c4b5a6978';
const job = `job_${'1a'.repeat(16)}`;
const request = `req_${'2b'.repeat(16)}`;
const message = `msg_${'3c'.repeat(16)}`;

t.test('a kind has the name of its keys without what varies', async (t) => {
  const kinds = {
    [limitKeys.ledger(account, '2026-11')]: 'platen:{ACCOUNT}:ledger:DATE',
    [limitKeys.conversion(account, 'live', request)]: 'platen:{ACCOUNT}:live:conversion:REQUEST',
    [limitKeys.done(account, 'live', 'an order: 4711')]: 'platen:{ACCOUNT}:live:idempotency:KEY:done',
    [jobKeys.job(account, 'live', job)]: 'platen:{ACCOUNT}:live:job:JOB',
    [limitKeys.job(account, 'test', 'x')]: 'platen:{ACCOUNT}:test:idempotency:KEY:job',
    [operatorKeys.requestPlace(request)]: 'platen:request:REQUEST',
    [operatorKeys.statistics(60, 1_700_000_040)]: 'platen:{statistics}:60:TIME',
    [webhookKeys.told(account, 'live', message)]: 'platen:{ACCOUNT}:live:webhook-told:MESSAGE',
    [webhookKeys.delivery(account, 'live', job, message)]:
      'platen:{ACCOUNT}:live:webhook:JOB:deliveries:MESSAGE',
    [redisKeys.locator('ab'.repeat(32))]: 'platen:locator:SHA256',
    [redisKeys.accounts]: 'platen:accounts',
    'platen:{egress}:counts': 'platen:{egress}:counts',
    [`platen:{jobs}:files:${job}.1`]: 'platen:{jobs}:files:JOB',
  };
  for (const [key, kind] of Object.entries(kinds)) t.equal(kindOf(key), kind);
});
