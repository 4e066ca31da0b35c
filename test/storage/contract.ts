/** What every store of objects does. */
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { PassThrough, Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import type { Test } from 'tap';
import type { ObjectStore } from '../../src/storage/object-store.ts';

interface Opened {
  readonly store: ObjectStore;
  /** All that the store has, also what nobody can read. */
  all(): Promise<readonly string[]>;
}

/** More than one part of an upload to S3. */
export const large = randomBytes(6_000_000);

export const readAll = async (store: ObjectStore, key: string): Promise<Buffer | undefined> => {
  const found = await store.open(key);
  return found && buffer(found.stream);
};

export const keysOf = async (store: ObjectStore, prefix = 'jobs/'): Promise<readonly string[]> => {
  const keys: string[] = [];
  for await (const key of store.list(prefix)) keys.push(key);
  return keys.sort();
};

/** Sets what the AWS SDK reads from the environment, until the test ends. */
export function awsCredentials(t: Test, credentials: Readonly<Record<string, string>>): void {
  for (const [name, value] of Object.entries(credentials)) {
    const before = process.env[name];
    process.env[name] = value;
    t.teardown(() => {
      if (before === undefined) delete process.env[name];
      else process.env[name] = before;
    });
  }
}

/** Runs the tests on stores of one kind. */
export async function keepsTheContract(t: Test, open: (t: Test) => Promise<Opened>): Promise<void> {
  await t.test('an object is what was put in', async (t) => {
    const { store } = await open(t);
    const contents = {
      'jobs/1/bytes': Buffer.from('some bytes'),
      'jobs/1/empty': Buffer.alloc(0),
      'jobs/1/large.pdf': large,
      'jobs/1/2/deeper/a_b-c.docx': new Uint8Array([0, 255]),
    };
    for (const [key, content] of Object.entries(contents)) {
      await store.put(key, content, { type: 'application/pdf' });
      await store.put(`${key}.stream`, Readable.from(pieces(content)));
      for (const name of [key, `${key}.stream`]) {
        t.equal((await store.open(name).then(closed))?.bytes, content.length, name);
        t.ok((await readAll(store, name))?.equals(content), name);
      }
    }
    await store.put('jobs/1/nothing', Readable.from([]));
    t.equal((await readAll(store, 'jobs/1/nothing'))?.length, 0);
  });

  await t.test('another object takes its place as a whole, and readers keep theirs', async (t) => {
    const { store } = await open(t);
    await store.put('jobs/1/pdf', large);
    const before = await store.open('jobs/1/pdf');
    await store.put('jobs/1/pdf', Buffer.from('new'));
    t.equal(String(await readAll(store, 'jobs/1/pdf')), 'new');
    t.ok(before && (await buffer(before.stream)).equals(large));
    const contents = ['first', 'second', 'third'].map((name) => Buffer.from(name.repeat(100_000)));
    await Promise.all(contents.map((content) => store.put('jobs/1/pdf', Readable.from(pieces(content)))));
    const last = await readAll(store, 'jobs/1/pdf');
    t.ok(contents.some((content) => last?.equals(content)));
  });

  await t.test('what is not there', async (t) => {
    const { store } = await open(t);
    await store.put('jobs/1/2/pdf', Buffer.from('x'));
    for (const key of ['jobs/1/pdf', 'jobs/2/pdf', 'other']) t.equal(await store.open(key), undefined, key);
    t.strictSame(await keysOf(store, 'jobs/2/'), []);
    await store.remove('jobs/2/');
    await store.remove('jobs/2/3/');
    t.strictSame(await keysOf(store), ['jobs/1/2/pdf']);
  });

  await t.test('removes all below a prefix and nothing else', async (t) => {
    const { store, all } = await open(t);
    const keys = ['jobs/a/1/input', 'jobs/a/1/result', 'jobs/a/2', 'jobs/ab/1', 'jobs/b'];
    for (const key of keys) await store.put(key, Buffer.from(key));
    t.strictSame(await keysOf(store), keys);
    t.strictSame(await keysOf(store, 'jobs/a/1/'), keys.slice(0, 2));
    await store.remove('jobs/a/');
    await store.remove('jobs/a/');
    t.strictSame(await keysOf(store), keys.slice(3));
    t.equal(await store.open('jobs/a/2'), undefined);
    await store.remove('jobs/');
    t.strictSame(await all(), []);
  });

  for (const sent of [0, 1_000, large.length]) {
    await t.test(`a put that ends after ${sent} bytes leaves all as it was`, async (t) => {
      const { store, all } = await open(t);
      await store.put('jobs/1/pdf', Buffer.from('old'));
      const before = await all();
      const problem = new Error('the client is gone');
      const ends: readonly [string, (content: PassThrough, controller: AbortController) => void, unknown][] =
        [
          ['it fails', (content) => content.destroy(problem), problem],
          ['it is destroyed', (content) => content.destroy(), { code: 'ERR_STREAM_PREMATURE_CLOSE' }],
          ['the put is aborted', (_content, controller) => controller.abort(problem), problem],
        ];
      for (const key of ['jobs/1/pdf', 'jobs/1/new']) {
        for (const [name, end, error] of ends) {
          const content = new PassThrough();
          const controller = new AbortController();
          const put = store.put(key, content, { signal: controller.signal });
          const failed = t.rejects(put, error as Error, `${name}, ${key}`);
          if (sent > 0 && !content.write(large.subarray(0, sent))) await once(content, 'drain');
          t.equal(String(await readAll(store, key)), key === 'jobs/1/pdf' ? 'old' : 'undefined', 'meanwhile');
          end(content, controller);
          await failed;
          t.ok(content.destroyed);
          t.strictSame(await all(), before, name);
        }
      }
      t.equal(String(await readAll(store, 'jobs/1/pdf')), 'old');
    });
  }

  await t.test('a signal that was aborted before, a stream that ended before', async (t) => {
    const { store, all } = await open(t);
    const signal = AbortSignal.abort(new Error('too late'));
    const content = new PassThrough();
    await t.rejects(store.put('jobs/1/pdf', content, { signal }), { message: 'too late' });
    t.ok(content.destroyed);
    await t.rejects(store.open('jobs/1/pdf', { signal }), { message: 'too late' });
    await t.rejects(store.put('jobs/1/pdf', new PassThrough().destroy()), {
      code: 'ERR_STREAM_PREMATURE_CLOSE',
    });
    t.strictSame(await all(), []);
  });

  await t.test('a reader that leaves', async (t) => {
    const { store } = await open(t);
    await store.put('jobs/1/pdf', large);
    const left = await store.open('jobs/1/pdf');
    left?.stream.destroy();
    const controller = new AbortController();
    const found = await store.open('jobs/1/pdf', { signal: controller.signal });
    const aborted = t.rejects(buffer(found?.stream ?? Readable.from([])), { name: 'AbortError' });
    controller.abort();
    await aborted;
    t.ok((await readAll(store, 'jobs/1/pdf'))?.equals(large));
  });

  await t.test('no key leads elsewhere', async (t) => {
    const { store, all } = await open(t);
    const bad = [
      '',
      '/',
      '.',
      '..',
      '../x',
      'jobs/../../x',
      '/etc/passwd',
      'jobs//x',
      './x',
      'jobs/.x',
      'jobs/',
      'jobs/x/',
    ];
    bad.push(
      'Jobs/x',
      'jobs/ä',
      'jobs\\x',
      'jobs/x\0',
      'jobs/x\n',
      'a b',
      '%2e%2e/x',
      'x'.repeat(101),
      `${'a/'.repeat(8)}x`,
    );
    for (const key of bad) {
      const name = JSON.stringify(key);
      const content = new PassThrough();
      await t.rejects(store.put(key, content), TypeError, name);
      t.ok(content.destroyed, name);
      await t.rejects(store.open(key), TypeError, name);
      if (store.shared)
        await t.rejects(store.address(key, { disposition: 'attachment', seconds: 1 }), TypeError);
    }
    for (const prefix of ['', '/', './', '../', 'jobs', 'jobs/../', 'jobs//', '/jobs/', 'jobs/.x/']) {
      await t.rejects(store.remove(prefix), TypeError, JSON.stringify(prefix));
      await t.rejects(keysOf(store, prefix), TypeError, JSON.stringify(prefix));
    }
    t.strictSame(await all(), []);
  });
}

/** In pieces as streams have them. */
function* pieces(content: Uint8Array): Generator<Uint8Array> {
  for (let from = 0; from < content.length; from += 65_536) yield content.subarray(from, from + 65_536);
}

/** An object that nobody reads. */
function closed<T extends { readonly stream: Readable } | undefined>(found: T): T {
  found?.stream.destroy();
  return found;
}
