/** PDFs and archives whose clients leave or do not read, or that the storage does not give to their end. */
import { readdir, readlink } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import t, { type Test } from 'tap';
import type { Jobs } from '../../../src/jobs/jobs.ts';
import { jobKeys } from '../../../src/jobs/redis-keys.ts';
import { StorageError } from '../../../src/storage/object-store.ts';
import { isError } from '../../e2e/support/assertions.ts';
import { bearer } from '../../e2e/support/requests.ts';
import { Service, type ServiceOptions } from '../../support/service.ts';
import { until } from '../../support/until.ts';
import { ask, ended, filePart, post, readBody } from './support.ts';

/** More than the buffers of a connection. */
const LARGE_BYTES = 32 * 1_048_576;

/** A service with a job whose PDF is large. */
async function start(t: Test, env: ServiceOptions['env'] = {}) {
  const service = await Service.start(t, { env });
  const { key, account } = await service.createKey();
  const { storage, records } = service.services.jobs as Jobs;
  const { id } = readBody(await post(service, key, [filePart()]));
  await ended(service, key, id);
  const made = await records.made({ account, environment: 'live', id, n: 1 });
  const pdf = made?.key ?? '';
  await storage.put(pdf, Buffer.alloc(LARGE_BYTES));
  const result = JSON.stringify({ ...made, bytes: LARGE_BYTES });
  await service.services.redis.hset(jobKeys.job(account, 'live', id), '1:result', result);

  /** Reads the beginning of an answer, and the rest if asked to. */
  const beginReading = async (path: string) => {
    const client = new AbortController();
    const response = await fetch(`${service.url}/v1/jobs/${id}${path}`, {
      headers: bearer(key),
      signal: client.signal,
    });
    const reader = (response.body as ReadableStream<Uint8Array>).getReader();
    await reader.read();
    const readOn = async () => {
      while (!(await reader.read()).done);
    };
    return { leave: () => client.abort(), readOn };
  };
  /** How often this process has the PDF open. */
  const countOpen = async () => {
    const links = (await readdir('/proc/self/fd')).map((fd) =>
      readlink(`/proc/self/fd/${fd}`).catch(() => ''),
    );
    return (await Promise.all(links)).filter((path) => path.endsWith(pdf)).length;
  };
  return { service, key, id, storage, beginReading, countOpen };
}

/** The files that the service opens from now on. */
function watchOpened(t: Test, { storage }: Awaited<ReturnType<typeof start>>): Readable[] {
  const opened: Readable[] = [];
  const { open } = storage;
  t.teardown(() => Object.assign(storage, { open }));
  storage.open = async (key) => {
    const object = await open.call(storage, key);
    if (object) opened.push(object.stream);
    return object;
  };
  return opened;
}

const patient = await start(t);
const hasty = await start(t, { DELIVERY_TIMEOUT_MS: '1000' });
const paths = ['/files/1', '/archive'] as const;

for (const path of paths) {
  t.test(`${path} is closed when its client leaves`, async () => {
    const { beginReading, countOpen } = patient;
    const { leave } = await beginReading(path);
    await until('it is open', async () => (await countOpen()) === 1);
    leave();
    await until('it is closed', async () => (await countOpen()) === 0);
  });

  t.test(`${path} breaks off when its client does not read`, async (t) => {
    const { beginReading, countOpen } = hasty;
    // On a slow machine it may be closed before we can see it open.
    const opened = watchOpened(t, hasty);
    const { readOn } = await beginReading(path);
    await until('it is opened', () => opened.length === 1);
    await until('it is closed', async () => (await countOpen()) === 0);
    await t.rejects(readOn());
  });

  t.test(`${path} breaks off where the storage fails`, async (t) => {
    const opened = watchOpened(t, patient);
    const { readOn } = await patient.beginReading(path);
    await until('it is open', () => opened.length === 1);
    opened[0]?.destroy(new Error('the disk is gone'));
    await t.rejects(readOn());
  });
}

t.test('an archive whose first PDF the storage does not give', async (t) => {
  const { service, key, id, storage } = patient;
  storage.open = async () => undefined;
  t.match(isError(t, await ask(service, key, `/${id}/archive`), 'NOT_FOUND').message, 'were removed');
  storage.open = () => Promise.reject(new StorageError('the disk is gone'));
  isError(t, await ask(service, key, `/${id}/archive`), 'SERVICE_UNAVAILABLE');
});
