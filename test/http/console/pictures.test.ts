/** Pictures of a job in the console: for members of its account alone, and nothing else that a key gets. */
import { Buffer } from 'node:buffer';
import { PNG } from 'pngjs';
import t from 'tap';
import type { Jobs } from '../../../src/jobs/jobs.ts';
import { jobKeys } from '../../../src/jobs/redis-keys.ts';
import { StorageError } from '../../../src/storage/object-store.ts';
import { Service } from '../../support/service.ts';
import { ask, ended, filePart, post, readBody } from '../jobs/support.ts';
import { MemberPage } from './support.ts';

const service = await Service.start(t);
await service.createAccount('acme', 'enterprise');
await service.createAccount('other', 'enterprise');
const { key } = await service.createKey({ account: 'acme' });
const member = await MemberPage.join(service, 'acme', 'developer');
const stranger = await MemberPage.join(service, 'other', 'owner');
const { storage, records } = service.services.jobs as Jobs;

const take = async (parts = [filePart()], query = '?format=png&width=40') => {
  const { id } = readBody(await post(service, key, parts, { query }));
  await ended(service, key, id);
  return id;
};
const place = (job: string, file: string | number = 1) => `jobs/${job}/files/${file}/picture`;
const MISSING =
  'There is no such picture: a job with `format=png` has one of each file that succeeded, until its results are removed.';
const isMissing = { status: 404, body: { code: 'NOT_FOUND', message: MISSING } };

const job = await take([filePart(undefined, 'salaries.docx'), filePart(Buffer.from('no document'))]);

t.test('a picture is that of the API', async (t) => {
  const { cookie } = member;
  const answer = await fetch(`${service.url}/account/v1/${place(job)}`, { headers: { cookie } });
  const picture = Buffer.from(await answer.arrayBuffer());
  t.equal(answer.status, 200);
  t.strictSame(picture, (await ask(service, key, `/${job}/files/1`)).body);
  t.equal(PNG.sync.read(picture).width, 40);
  t.match(Object.fromEntries(answer.headers), {
    'content-type': /^image\/png$/,
    'content-length': String(picture.length),
    'content-disposition': `attachment; filename="${job}-1.png"`,
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    'cross-origin-resource-policy': 'same-origin',
  });
});

t.test('what is no picture of the account is not found', async (t) => {
  t.match(await member.ask('GET', place(job, 2)), isMissing, 'a file that failed');
  t.match(await member.ask('GET', place(job, 3)), isMissing, 'a file that there is not');
  t.match(await member.ask('GET', place(await take(undefined, ''))), isMissing, 'a PDF');
  t.match(await member.ask('GET', place(await take(undefined, '?combine=true'))), isMissing, 'a PDF of all');
  for (const [page, id] of [
    [stranger, job],
    [member, `job_${'0'.repeat(32)}`],
  ] as const)
    t.match(await page.ask('GET', place(id)), { status: 404, body: { code: 'NOT_FOUND' } });
  for (const file of ['0', '01', '1000', 'x'])
    t.match(await member.ask('GET', place(job, file)), { status: 400, body: { code: 'INVALID_PARAMETER' } });
});

t.test('a picture is there once it is made, and until it is removed', async (t) => {
  const release = service.engine.hold();
  t.teardown(release);
  const { id } = readBody(await post(service, key, [filePart()], { query: '?format=png&width=40' }));
  t.match(await member.ask('GET', place(id)), isMissing);
  release();
  await ended(service, key, id);
  t.equal((await member.ask('GET', place(id))).status, 200);
  const ref = { account: 'acme', environment: 'live', id } as const;
  await storage.remove(`jobs/${id}/`);
  t.match(await member.ask('GET', place(id)), isMissing, 'gone just before its record says so');
  await service.services.redis.hset(jobKeys.job('acme', 'live', id), 'expiresAt', 1);
  t.equal(await records.expire(ref, { code: 'INTERNAL_ERROR', message: '' }), true);
  t.match((await member.ask('GET', `jobs/${id}`)).body, { state: 'expired' });
  t.match(await member.ask('GET', place(id)), isMissing);
});

t.test('a storage that fails may work again later', async (t) => {
  const { open } = storage;
  t.teardown(() => Object.assign(storage, { open }));
  storage.open = () => Promise.reject(new StorageError('it does not answer'));
  t.match(await member.ask('GET', place(job)), { status: 503, body: { code: 'SERVICE_UNAVAILABLE' } });
});
