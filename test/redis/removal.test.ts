/** The end of an account whose data are on several nodes of a Redis Cluster, and in S3. */
import { CreateMultipartUploadCommand, S3Client } from '@aws-sdk/client-s3';
import { Cluster } from 'ioredis';
import t from 'tap';
import { redisKeys } from '../../src/accounts/keys/redis-keys.ts';
import type { Jobs } from '../../src/jobs/jobs.ts';
import { deleteAccount } from '../../src/operations/accounts.ts';
import { S3Store } from '../../src/storage/s3-store.ts';
import { startRedisCluster } from '../e2e/support/redis-cluster.ts';
import { ended, filePart, post, readBody } from '../http/jobs/support.ts';
import { everything, leavesItsLedger, makeDue } from '../operator/removal.ts';
import { awsCredentials } from '../storage/contract.ts';
import { S3Server } from '../support/s3-server.ts';
import { Service } from '../support/service.ts';
import { until } from '../support/until.ts';

const cluster = await startRedisCluster(t);
const s3 = await S3Server.start(t);
awsCredentials(t, s3.credentials);
const place = { endpoint: s3.endpoint, region: 'us-east-1' };
const storage = new S3Store({ ...place, bucket: s3.bucket, pathStyle: true, redirect: true });
const service = await Service.start(t, { redis: cluster.url, storage });
const { redis, removal, keys } = service.services;
const { signal } = new AbortController();

t.test('nothing is left but the rows of its ledger', (t) => leavesItsLedger(t, service, redis));

t.test('accounts of every node', async (t) => {
  t.ok(redis instanceof Cluster && redis.nodes('master').length > 1);
  const ids = Array.from({ length: 12 }, (_, i) => `node-${i}`);
  for (const id of ids) {
    await service.createAccount(id, 'pro');
    await service.createKey({ account: id });
    await service.perform(deleteAccount, { account: id });
    await makeDue(redis, id);
  }
  for (let time = 0; time < 2; time++) await removal.pass(signal);
  t.strictSame(
    (await everything(redis)).filter((each) => each.includes('node-')),
    [],
  );
});

t.test(
  'while S3 is away the account stays, and goes with a later pass, also what a dead server left',
  async (t) => {
    const account = 'stored';
    await service.createAccount(account, 'pro');
    const { key } = await service.createKey({ account });
    const { id } = readBody(await post(service, key, [filePart()]));
    await ended(service, key, id);
    const client = new S3Client({ ...place, forcePathStyle: true });
    t.teardown(() => client.destroy());
    const Key = `jobs/${id}/out/1/dead/result.pdf`;
    await client.send(new CreateMultipartUploadCommand({ Bucket: s3.bucket, Key }));
    t.equal((await s3.uploads()).size, 1);
    await service.perform(deleteAccount, { account: account });
    await makeDue(redis, account);
    s3.intercept = (_request, response) => response.writeHead(403).end();
    for (let time = 0; time < 2; time++) await removal.pass(signal);
    t.equal(await redis.exists(redisKeys.account(account)), 1);
    s3.intercept = (_request, _response, pass) => pass();
    // The service writes requests and messages within a second: each such write costs one more pass.
    await until('a pass found nothing', async () => {
      await removal.pass(signal);
      return (await redis.exists(redisKeys.account(account))) === 0;
    });
    t.equal(await keys.getAccount(account), undefined);
    t.equal((await s3.uploads()).size, 0);
    const { storage } = service.services.jobs as Jobs;
    for await (const name of storage.list('jobs/')) t.notOk(name.includes(id), name);
  },
);
