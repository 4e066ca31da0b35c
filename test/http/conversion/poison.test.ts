/** Documents that exhaust their budget are remembered, and only their senders wait. */
import { once } from 'node:events';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import t from 'tap';
import { type Conversion, INPUT_NAME, type Job } from '../../../src/engine/engine.ts';
import { isDelivered, isError } from '../../e2e/support/assertions.ts';
import { answerTo, convert, filePartHead, formEnd, openUpload } from '../../e2e/support/requests.ts';
import { patientClient } from '../../redis/support.ts';
import { docx } from '../../support/documents.ts';
import { Service } from '../../support/service.ts';
import { StubEngine } from '../../support/stub-engine.ts';
import { until } from '../../support/until.ts';

const POISON_BYTES = 20_000;

/** Never finishes larger documents, and converts the others. */
class SlowEngine extends StubEngine {
  override async convert(job: Job, signal: AbortSignal): Promise<Conversion> {
    const { size } = await stat(join(job.folder, INPUT_NAME));
    if (size > POISON_BYTES) await once(signal, 'abort');
    return super.convert(job, signal);
  }
}
/** The same number gives the same document. */
const poisonous = (n = 0) => docx({ paddingBytes: POISON_BYTES + n });

const env = { WORKERS: '2', CONVERT_TIMEOUT_MS: '1500', PUBLIC_PER_SECOND: '100' };
const service = await Service.start(t, { env, engine: new SlowEngine() });
const forgetful = await Service.start(t, {
  env: { ...env, POISON_MEMORY_SECONDS: '0' },
  engine: new SlowEngine(),
  redis: service.redis,
});
const redis = patientClient(t, { socketPath: service.redis });

let accounts = 0;

/** A key of an account of its own. */
async function newKey(): Promise<string> {
  const { id } = await service.createAccount(`account-${++accounts}`, 'enterprise');
  return (await service.createKey({ account: id })).key;
}

const [poisoner, customer] = [await newKey(), await newKey()];

/** How many documents a server has given to its engine. */
const tried = ({ engine }: Service) => engine.status().documents;

t.test(
  'CONVERSION_FAILED: a document that burned its budget is not tried again for the same sender',
  async (t) => {
    const poison = poisonous();
    isError(t, await convert(service, poisoner, poison), 'CONVERSION_FAILED');
    const before = tried(service);
    const { message } = isError(t, await convert(service, poisoner, poison), 'CONVERSION_FAILED');
    t.match(message, /took longer than a conversion may last a moment ago.*10 minutes/);
    t.equal(tried(service), before, 'the engine was not asked');
    isDelivered(t, await convert(service, poisoner, docx()));
    t.equal(tried(service), before + 1, 'another document of theirs is tried');
    isError(t, await convert(service, customer, poison), 'CONVERSION_FAILED');
    t.equal(tried(service), before + 2, 'so is theirs when another account sends it');
    isError(t, await convert(service, undefined, poison), 'CONVERSION_FAILED');
    t.equal(tried(service), before + 3, 'or a public client');
    isError(t, await convert(service, undefined, poison), 'CONVERSION_FAILED');
    t.equal(tried(service), before + 3, 'who is remembered as well');
    isError(t, await convert(forgetful, poisoner, poison), 'CONVERSION_FAILED');
    t.equal(tried(forgetful), 2, 'with the memory off it is tried: the probe, and this');
  },
);

t.test('the memory ends by itself', async (t) => {
  const keys = await redis.keys('platen:*poison*');
  t.equal(keys.length, 3, 'three documents');
  for (const key of keys) {
    const left = await redis.ttl(key);
    t.ok(left > 0 && left <= 600, `${left} s`);
    await redis.expire(key, 0);
  }
  const before = tried(service);
  isError(t, await convert(service, poisoner, poisonous()), 'CONVERSION_FAILED');
  t.equal(tried(service), before + 1);
});

t.test('nor is a copy whose upload outlasts the conversion of the first', async (t) => {
  // Of an account that has no poison yet.
  const key = await newKey();
  const poison = poisonous(7);
  const upload = openUpload(service, '/v1/convert', { key });
  upload.write(filePartHead);
  await until('it has been admitted', async () => (await service.jobs()).length === 1);
  isError(t, await convert(service, key, poison), 'CONVERSION_FAILED');
  const before = tried(service);
  upload.end(Buffer.concat([poison, formEnd]));
  const { message } = isError(t, await answerTo(upload), 'CONVERSION_FAILED');
  t.match(message, /a moment ago/);
  t.equal(tried(service), before);
});

t.test('copies that wait are not tried either', async (t) => {
  const before = tried(service);
  const poison = poisonous(1);
  const answers = await Promise.all(Array.from({ length: 8 }, () => convert(service, poisoner, poison)));
  for (const answer of answers) isError(t, answer, 'CONVERSION_FAILED');
  t.ok(tried(service) - before <= 3, `${tried(service) - before} of 8`);
});

t.test('one account that sends poison in parallel does not keep another waiting', async (t) => {
  let burning = 4;
  const poison = Array.from({ length: burning }, async (_, n) => {
    const answer = await convert(service, poisoner, poisonous(n + 2));
    burning--;
    return answer;
  });
  for (let n = 1; n <= 3; n++) {
    isDelivered(t, await convert(service, customer, docx({ paragraphs: [`Number ${n}`] })));
  }
  t.ok(burning > 0, `${burning} of theirs still burn or wait`);
  for (const answer of await Promise.all(poison)) {
    const { status } = answer;
    isError(t, answer, status === 503 ? 'OVERLOADED' : 'CONVERSION_FAILED');
  }
  t.same([await service.jobs(), await forgetful.jobs()], [[], []], 'nothing is left of them');
});
