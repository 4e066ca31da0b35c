import t from 'tap';
import type { JobRef } from '../../src/jobs/job.ts';
import { jobKeys } from '../../src/jobs/redis-keys.ts';
import { seal, unseal } from '../../src/jobs/secrets.ts';
import { filesOf, take, testRecords } from './support.ts';

const secrets = { password: 'pässwort', userPassword: 'user' };

t.test('secrets are read with their key, for their job only, and as they were', (t) => {
  const sealed = seal('job_1', secrets);
  if (!sealed) throw new Error('nothing sealed');
  t.strictSame(unseal('job_1', sealed), secrets);
  const other = seal('job_1', secrets);
  t.not(sealed.key, other?.key);
  t.throws(() => unseal('job_2', sealed));
  t.throws(() => unseal('job_1', { ...sealed, key: String(other?.key) }));
  const changed = Buffer.from(sealed.text, 'base64');
  changed[changed.length - 1] = ~Number(changed.at(-1)) & 0xff;
  t.throws(() => unseal('job_1', { ...sealed, text: changed.toString('base64') }));
  t.throws(() => unseal('job_1', { ...sealed, text: sealed.text.slice(0, 20) }));
  t.equal(seal('job_1', {}), undefined);
  t.end();
});

t.test('the key goes with the job, however that ends', async (t) => {
  const { redis, records } = await testRecords(t);
  const job = () => take(records, { files: filesOf(1), secretsKey: 'key' });
  const failure = { code: 'CORRUPTED_FILE', message: 'damaged' } as const;
  const ends = {
    'its last file ends': async (job: JobRef) => {
      await records.end({ ...job, n: 1 }, failure);
    },
    'it is cancelled': (job: JobRef) => records.cancel(job),
    'it expires': async (job: JobRef) => {
      await redis.hset(jobKeys.job('acme', 'live', job.id), 'expiresAt', 1);
      t.equal(await records.expire(job, failure), true);
    },
    'it is removed': (job: JobRef) => records.remove(job),
  };
  for (const [name, end] of Object.entries(ends)) {
    const one = await job();
    t.equal(await records.secretsKey(one), 'key');
    await end(one);
    t.equal(await records.secretsKey(one), undefined, name);
  }
});
