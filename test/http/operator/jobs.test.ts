/** The jobs of accounts, as the operator sees and cancels them. */
import t from 'tap';
import { isError } from '../../e2e/support/assertions.ts';
import { signIn } from '../../e2e/support/operator-session.ts';
import { Service } from '../../support/service.ts';
import { StubEngine } from '../../support/stub-engine.ts';
import { until } from '../../support/until.ts';
import { ended, field, filePart, post, readBody } from '../jobs/support.ts';

const engine = new StubEngine();
const service = await Service.start(t, { engine, env: { WORKERS: '1' } });
const { id: account } = await service.createAccount('acme', 'pro');
const { key, id: keyId } = await service.createKey({ account });
const session = await signIn(service);
const secrets = ['salaries.docx', 'order-4711'];
const parts = [
  filePart(undefined, secrets[0]),
  filePart(Buffer.from('no document')),
  field('metadata', JSON.stringify({ order: secrets[1] })),
];

interface Seen {
  readonly id: string;
  readonly state: string;
}

const list = (query = '') =>
  session.read<{ jobs: Seen[]; next: string | null }>(`/operator/v1/accounts/${account}/jobs${query}`);

t.test('a job, without what its owner wrote about it', async (t) => {
  const { id } = readBody(await post(service, key, parts));
  await ended(service, key, id);
  const { jobs, next } = await list();
  t.match(jobs, [{ id, account, key: keyId, state: 'completed', counts: { succeeded: 1, failed: 1 } }]);
  t.equal(next, null);
  const job = await session.read<{ files: object[] }>(`/operator/v1/jobs/${id}`);
  t.match(job, {
    id,
    account,
    key: keyId,
    environment: 'live',
    files: [
      { number: 1, state: 'succeeded', pages: 1, libreOffice: '25.2', warnings: [], error: null },
      { number: 2, state: 'failed', pages: null, bytesOut: null, error: 'INVALID_FILE_TYPE' },
    ],
  });
  for (const secret of secrets) t.notOk(JSON.stringify([job, jobs]).includes(String(secret)));
});

t.test('pages, states and environments', async (t) => {
  const second = readBody(await post(service, key, [filePart()]));
  await ended(service, key, second.id);
  const first = await list('?limit=1');
  t.match(first.jobs, [{ id: second.id }]);
  t.equal((await list(`?limit=1&after=${first.next}`)).jobs.length, 1);
  t.same((await list('?state=canceled')).jobs, []);
  t.same((await list('?environment=test')).jobs, []);
  for (const query of ['?after=1', '?limit=51', '?state=done', '?environment=prod']) {
    isError(
      t,
      await session.ask('GET', `/operator/v1/accounts/${account}/jobs${query}`),
      'INVALID_PARAMETER',
    );
  }
});

t.test('cancelling a job', async (t) => {
  const release = engine.hold();
  const { id } = readBody(await post(service, key, [filePart(), filePart()]));
  await until('a file runs', async () => (await list('?state=running')).jobs.length === 1);
  const canceled = await session.ask('POST', `/operator/v1/jobs/${id}/cancel`);
  t.equal(canceled.status, 200);
  t.match(JSON.parse(String(canceled.body)), { state: 'canceled', counts: { canceled: 2 } });
  release();
  const { entries } = await session.read<{ entries: object[] }>('/operator/v1/audit');
  t.match(entries[0], { action: 'job.canceled', account, details: { job: id } });
});

t.test('a job that there is not', async (t) => {
  const unknown = `/operator/v1/jobs/job_${'0'.repeat(32)}`;
  isError(t, await session.ask('GET', unknown), 'NOT_FOUND');
  isError(t, await session.ask('POST', `${unknown}/cancel`), 'NOT_FOUND');
  isError(t, await session.ask('GET', '/operator/v1/jobs/job_1'), 'INVALID_PARAMETER');
});
