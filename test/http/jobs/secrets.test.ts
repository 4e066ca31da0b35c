/** The passwords of a job while it runs: neither the storage nor Redis tells them. */
import { readdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { encrypt } from 'officecrypto-tool';
import t, { type Test } from 'tap';
import { objectNames } from '../../../src/jobs/job-objects.ts';
import { jobKeys } from '../../../src/jobs/redis-keys.ts';
import { multipart, send } from '../../e2e/support/requests.ts';
import { patientClient, startRedis } from '../../redis/support.ts';
import { docx } from '../../support/documents.ts';
import { Service } from '../../support/service.ts';
import { StubEngine } from '../../support/stub-engine.ts';
import { until } from '../../support/until.ts';
import { ended, field, filePart, post, readBody } from './support.ts';

const passwords = {
  password: 'Geheim7Qx-doc',
  userPassword: 'Geheim7Qx-user',
  ownerPassword: 'Geheim7Qx-own',
};
const { server } = await startRedis(t);
const redis = patientClient(t, server);
const engine = new StubEngine();
const service = await Service.start(t, { engine, redis: server.socketPath, env: { WORKERS: '2' } });
const { key, account } = await service.createKey();
const objects = join(service.dataDir, 'objects');
// In the way that takes fewer hashes.
const document = encrypt(docx(), { password: passwords.password, type: 'standard' });
const parts = [
  filePart(document),
  ...Object.entries(passwords).map(([name, password]) => field(name, password)),
];

/** The content of all files below a folder; Redis appends every command that it was sent to one. */
async function contentOf(folder: string): Promise<Buffer> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  return Buffer.concat(await Promise.all(files.map((file) => readFile(join(file.parentPath, file.name)))));
}

/** A password in the forms in which it might be kept; in base64, without the bytes that depend on what is before and after it. */
function formsOf(password: string): Buffer[] {
  const bytes = Buffer.from(password);
  const base64 = [0, 1, 2].map((before) => {
    return Buffer.concat([Buffer.alloc(before), bytes])
      .toString('base64')
      .slice(4, -4);
  });
  const texts = [...base64, bytes.toString('hex')].map((text) => Buffer.from(text));
  return [bytes, Buffer.from(password, 'utf16le'), ...texts];
}

async function tellsNothing(t: Test, folder: string, proof: string): Promise<void> {
  const content = await contentOf(folder);
  t.ok(content.includes(proof), 'it has been looked at');
  for (const password of Object.values(passwords)) {
    t.ok(
      formsOf(password).every((form) => !content.includes(form)),
      password,
    );
  }
}

t.test('neither the storage nor Redis tells the passwords of a job', async (t) => {
  const release = engine.hold();
  const answers = [
    await post(service, key, parts),
    // The same, of a conversion that has begun.
    await send(service, '/v1/convert', {
      ...{ key, ...multipart(parts) },
      headers: { ...multipart(parts).headers, prefer: 'respond-async, wait=0' },
    }),
  ];
  t.strictSame(
    answers.map(({ status }) => status),
    [202, 202],
  );
  const ids = answers.map((answer) => readBody(answer).id);
  await until('both are converted', () => engine.status().children.running === 2);
  const keyOf = (id: string) => redis.hget(jobKeys.job(account, 'live', id), 'secretsKey');
  const stored = await contentOf(objects);
  for (const id of ids) {
    t.match(await readFile(join(objects, objectNames.request(id)), 'utf8'), /"secrets":"[\w+/=]{80,}"/);
    const secretsKey = String(await keyOf(id));
    t.equal(Buffer.from(secretsKey, 'base64').length, 32);
    t.notOk(stored.includes(secretsKey) || stored.includes(Buffer.from(secretsKey, 'base64')));
  }
  await tellsNothing(t, objects, '"secrets":');
  await tellsNothing(t, dirname(server.socketPath), 'secretsKey');
  release();
  for (const id of ids) {
    t.match((await ended(service, key, id)).files, [{ state: 'succeeded' }], 'its document was opened');
    t.equal(await keyOf(id), null, 'the key goes with the job');
  }
});
