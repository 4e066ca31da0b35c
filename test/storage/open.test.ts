import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { openObjectStore } from '../../src/storage/open.ts';
import { RecordingLog, temporaryFolder } from '../support/kit.ts';
import { S3Server } from '../support/s3-server.ts';
import { awsCredentials, keysOf } from './contract.ts';

async function s3Settings(t: Test, s3: S3Server) {
  awsCredentials(t, s3.credentials);
  return { bucket: s3.bucket, endpoint: s3.endpoint, region: 'us-east-1', pathStyle: true, redirect: true };
}

t.test('a folder in the data folder, of which nothing is left by the check', async (t) => {
  const dataDir = await temporaryFolder(t);
  const store = await openObjectStore({ dataDir, s3: undefined }, new RecordingLog().log);
  t.equal(store.shared, false);
  await store.put('jobs/1/pdf', Buffer.from('x'));
  t.strictSame(await keysOf(store), ['jobs/1/pdf']);
  t.strictSame(await keysOf(store, 'check/'), []);
  t.strictSame((await readdir(join(dataDir, 'objects'))).sort(), ['check', 'jobs']);
});

t.test('a bucket', async (t) => {
  const s3 = await S3Server.start(t);
  const { log, lines } = new RecordingLog();
  const dataDir = await temporaryFolder(t);
  const store = await openObjectStore({ dataDir, s3: await s3Settings(t, s3) }, log);
  t.teardown(() => store.close());
  t.equal(store.shared, true);
  t.strictSame(await keysOf(store, 'check/'), []);
  t.strictSame(await readdir(dataDir), []);
  t.match(lines, [{ message: 'jobs are stored in S3', fields: { bucket: 'jobs', endpoint: s3.endpoint } }]);
});

t.test('what cannot be used is for the operator', async (t) => {
  const dataDir = await temporaryFolder(t);
  const { log } = new RecordingLog();
  await writeFile(join(dataDir, 'objects'), '');
  await t.rejects(openObjectStore({ dataDir, s3: undefined }, log), {
    name: 'OperatorError',
    message: /^the folder .*objects \(in DATA_DIR\) cannot be used: .*EEXIST/,
  });
  const s3 = await S3Server.start(t);
  const settings = await s3Settings(t, s3);
  await t.rejects(openObjectStore({ dataDir, s3: { ...settings, bucket: 'another' } }, log), {
    name: 'OperatorError',
    message: /^the bucket another \(S3_BUCKET\) cannot be used: .*NoSuchBucket/,
  });
  s3.intercept = (request, response, pass) => {
    if (request.method === 'GET' && request.url?.includes('/check/')) response.end('something else');
    else pass();
  };
  await t.rejects(openObjectStore({ dataDir, s3: settings }, log), {
    name: 'OperatorError',
    message: /does not give back what was put in/,
  });
});
