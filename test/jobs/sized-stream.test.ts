/** Streams whose length is known. */
import { once } from 'node:events';
import { PassThrough } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import t from 'tap';
import { endingAfter } from '../../src/jobs/sized-stream.ts';

t.test('it ends with its last byte, whether or not its source has ended', async (t) => {
  const source = new PassThrough();
  source.write('he');
  source.write('llo');
  t.equal(String(await buffer(endingAfter(source, 5))), 'hello');
  t.ok(source.destroyed);
});

t.test('a source that is too short, or fails, fails it', async (t) => {
  const short = new PassThrough();
  short.end('he');
  await t.rejects(buffer(endingAfter(short, 5)), { message: 'a stream lacks its last 3 bytes' });
  const empty = new PassThrough();
  empty.end();
  await t.rejects(buffer(endingAfter(empty, 5)), { message: /last 5 bytes/ });
  const failing = new PassThrough();
  failing.write('he');
  const content = buffer(endingAfter(failing, 5));
  failing.destroy(new Error('the store is away'));
  await t.rejects(content, { message: 'the store is away' });
});

t.test('whoever ends it ends its source, even one that stands still', async (t) => {
  const source = new PassThrough();
  source.write('he');
  const stream = endingAfter(source, 5);
  const closed = new Promise((resolve) => source.once('close', resolve));
  await once(stream, 'readable');
  stream.destroy();
  await closed;
  t.ok(source.destroyed);
});
