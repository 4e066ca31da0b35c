/** The password of a document, in front of a stub engine: where it is not, and what a failure is remembered by. */
import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { encrypt } from 'officecrypto-tool';
import t from 'tap';
import { PlatenError } from '../../../src/errors.ts';
import { isDelivered, isError } from '../../e2e/support/assertions.ts';
import { send } from '../../e2e/support/requests.ts';
import { patientClient } from '../../redis/support.ts';
import { docx } from '../../support/documents.ts';
import { form } from '../../support/server.ts';
import { Service } from '../../support/service.ts';
import { until } from '../../support/until.ts';

const PASSWORD = 'Geheim7Qx';
const service = await Service.start(t, { env: { LOG_LEVEL: 'trace' } });
const { key } = await service.createKey();
// In the way that takes fewer hashes.
const document = encrypt(docx(), { password: PASSWORD, type: 'standard' });

function convert(password?: string, data: Uint8Array = document) {
  const body = form(data);
  if (password !== undefined) body.append('password', password);
  return send(service, '/v1/convert', { key, body });
}

t.test('opens the document', async (t) => {
  isDelivered(t, await convert(PASSWORD));
  isDelivered(t, await convert(PASSWORD, docx()));
  t.match(isError(t, await convert('other'), 'PASSWORD_PROTECTED').message, /is wrong/);
  t.match(isError(t, await convert(), 'PASSWORD_PROTECTED').message, /the form field "password"/);
});

t.test('passwords that no Word document has', async (t) => {
  for (const password of ['', 'a\tb', 'x'.repeat(256)]) {
    const { message } = isError(t, await convert(password), 'INVALID_PARAMETER');
    t.equal(
      message,
      'password must have 1 to 255 characters, without control characters, or be left out.',
      password,
    );
  }
  // Longer in UTF-8 than a password of a PDF may be.
  t.match(isError(t, await convert('€'.repeat(255)), 'PASSWORD_PROTECTED').message, /is wrong/);
});

t.test('it is in no file of the job, and in no log', async (t) => {
  const end = service.engine.hold();
  const answer = convert(PASSWORD);
  await until('the engine has it', () => service.engine.status().children.running === 1);
  const [job = ''] = await service.jobs();
  const folder = join(service.dataDir, 'jobs');
  await until('all of the upload has been read', async () => {
    return (await readdir(folder, { recursive: true })).every((name) => basename(name) !== 'upload');
  });
  let files = 0;
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const bytes = await readFile(join(entry.parentPath, entry.name));
    for (const secret of [Buffer.from(PASSWORD), Buffer.from(PASSWORD, 'utf16le')]) {
      t.notOk(bytes.includes(secret), entry.name);
    }
    if (bytes.subarray(0, 2).toString() === 'PK') files += 1;
  }
  t.not(job, '');
  t.ok(files > 0, 'it has been looked at: the document is open');
  end();
  isDelivered(t, await answer);
  t.notMatch(JSON.stringify(service.log), PASSWORD);
});

t.test('a failure is remembered by what was sent', async (t) => {
  service.engine.failure = new PlatenError('CONVERSION_FAILED', { reason: 'time' });
  isError(t, await convert(PASSWORD), 'CONVERSION_FAILED');
  service.engine.failure = undefined;
  const { message } = isError(t, await convert(PASSWORD), 'CONVERSION_FAILED');
  t.match(message, /took longer than a conversion may last a moment ago/);
  const redis = patientClient(t, { socketPath: service.redis });
  const keys = await redis.keys('*');
  const sha256 = createHash('sha256').update(document).digest('hex');
  t.ok(keys.some((each) => each.endsWith(`:poison:${sha256}`)));
  for (const each of keys) {
    const value = (await redis.dump(each))?.toString() ?? '';
    t.notOk(each.includes(PASSWORD) || value.includes(PASSWORD), each);
  }
});
