import t from 'tap';
import { PoisonMemory, type SentDocument } from '../../src/convert/poison.ts';
import { type FailureReason, PlatenError } from '../../src/errors.ts';
import { log, recordingLog, startRedis } from '../redis/support.ts';

const SECONDS = 600;
const sha256 = 'a'.repeat(64);
const failure = (reason: FailureReason) => new PlatenError('CONVERSION_FAILED', { reason });

const byAccount = (account: string): SentDocument => ({ sender: { class: 'live', account }, sha256 });
const byNetwork = (network: string): SentDocument => ({ sender: { class: 'public', network }, sha256 });

const { server, client } = await startRedis(t);
const memory = new PoisonMemory(client, { seconds: SECONDS, log });

const budgets = [
  ['time', /took longer than a conversion may last/],
  ['cpu', /processor time/],
  ['memory', /memory/],
  ['file', /wrote more/],
] as const;

for (const [reason, message] of budgets) {
  t.test(`a document that failed for ${reason} is refused at once`, async (t) => {
    const document = byAccount(`account-${reason}`);
    t.equal(await memory.find(document), undefined);
    await memory.remember(document, failure(reason));
    t.match(await memory.find(document), { code: 'CONVERSION_FAILED', message, reason: 'poison' });
  });
}

t.test('so is one that took too long to read, with the code that it had', async (t) => {
  const document = byAccount('reader');
  await memory.remember(document, new PlatenError('CORRUPTED_FILE', { reason: 'damaged' }));
  t.equal(await memory.find(document), undefined, 'not what is damaged');
  await memory.remember(document, new PlatenError('CORRUPTED_FILE', { reason: 'time' }));
  t.match(await memory.find(document), {
    code: 'CORRUPTED_FILE',
    message: /took too long to read a moment ago.* 10 minutes/,
    reason: 'poison',
  });
});

// Who ends a kit takes the documents of others with it.
for (const reason of ['crash', 'kit'] as const) {
  t.test(`a document that failed for ${reason} is tried once more`, async (t) => {
    const document = byAccount(`twice-${reason}`);
    await memory.remember(document, failure(reason));
    t.equal(await memory.find(document), undefined);
    await memory.remember(document, failure(reason));
    t.match(await memory.find(document), { code: 'CONVERSION_FAILED', message: /crashed.* 10 minutes/ });
  });
}

t.test('an account has its own memory, which its keys share, and so has a public client', async (t) => {
  await memory.remember(byAccount('acme'), failure('time'));
  await memory.remember(byNetwork('2001:db8:0:1::/64'), failure('time'));
  t.ok(await memory.find(byAccount('acme')));
  t.ok(await memory.find({ sender: { class: 'test', account: 'acme' }, sha256 }));
  t.ok(await memory.find(byNetwork('2001:db8:0:1::/64')));
  t.equal(await memory.find(byAccount('other')), undefined);
  t.equal(await memory.find(byNetwork('2001:db8:0:2::/64')), undefined);
  t.equal(await memory.find({ ...byAccount('acme'), sha256: 'b'.repeat(64) }), undefined);
});

t.test('with other options a document is another', async (t) => {
  const document = byAccount('archive');
  await memory.remember({ ...document, work: 'pdfa=2b' }, failure('time'));
  t.ok(await memory.find({ ...document, work: 'pdfa=2b' }));
  t.equal(await memory.find({ ...document, work: 'pdfa=1b' }), undefined);
  t.equal(await memory.find(document), undefined);
});

t.test('what is not the fault of the document is not remembered', async (t) => {
  const document = byAccount('innocent');
  const { remembered } = memory;
  for (const error of [
    new Error('the client is gone'),
    new PlatenError('SERVICE_UNAVAILABLE', { reason: 'killed' }),
    new PlatenError('CORRUPTED_FILE', { reason: 'unloadable' }),
    new PlatenError('CONVERSION_FAILED'),
  ]) {
    await memory.remember(document, error);
  }
  t.equal(await memory.find(document), undefined);
  t.equal(memory.remembered, remembered);
  t.same(await client.keys('platen:{innocent}:*'), []);
});

t.test('the document of the probe is always tried', async (t) => {
  const document: SentDocument = { sender: { class: 'probe' }, sha256 };
  await memory.remember(document, failure('time'));
  t.equal(await memory.find(document), undefined);
});

t.test('it expires, and a refusal does not prolong it', async (t) => {
  const document = byAccount('expires');
  const key = `platen:{expires}:poison:${sha256}`;
  await memory.remember(document, failure('time'));
  const left = await client.ttl(key);
  t.ok(left > 0 && left <= SECONDS, `${left} s`);
  await client.expire(key, 100);
  t.ok(await memory.find(document));
  t.ok((await client.ttl(key)) <= 100);
  await client.expire(key, 0);
  t.equal(await memory.find(document), undefined);
});

t.test('without an answer in time the document is tried', async (t) => {
  const document = byAccount('patient');
  const { log, messages } = recordingLog();
  const other = new PoisonMemory(client, { seconds: SECONDS, log });
  await other.remember(document, failure('time'));
  t.teardown(() => process.kill(server.pid, 'SIGCONT'));
  // For as long as the memory waits, which is less than makes the client give Redis up.
  process.kill(server.pid, 'SIGSTOP');
  t.equal(await other.find(document), undefined);
  process.kill(server.pid, 'SIGCONT');
  await client.ping();
  t.ok(await other.find(document), 'it is asked again');
  client.disconnect();
  t.equal(await other.find(document), undefined);
  await other.remember(document, failure('time'));
  t.ok(
    messages.length >= 3 &&
      messages.every((text) => text === 'the list of poisoned documents cannot be read'),
  );
});
