import { once } from 'node:events';
import { fstatSync, openSync, statSync } from 'node:fs';
import { truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PassThrough, Readable, Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import t, { type Test } from 'tap';
import { pdfBody, pdfStream } from '../../src/system/pdf-stream.ts';
import { TailReader } from '../../src/system/tail-reader.ts';
import { temporaryFolder } from '../redis/support.ts';

const CHUNK_BYTES = 65_536;

/** An open file of that size, whose bytes tell where they are from. */
async function openFile(t: Test, size: number): Promise<{ path: string; fd: number; content: Buffer }> {
  const path = join(await temporaryFolder(t), 'output.pdf');
  const content = Buffer.from(Array.from({ length: size }, (_, index) => (index * 31 + (index >> 8)) & 0xff));
  await writeFile(path, content);
  return { path, fd: openSync(path, 'r'), content };
}

/** Whether the file is no longer open as `fd`, which may stand for another by now. */
function isClosed(fd: number, path: string): boolean {
  try {
    return fstatSync(fd).ino !== statSync(path).ino;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EBADF';
  }
}

t.test('passes the file on, byte for byte, and closes it', async (t) => {
  for (const size of [
    1,
    CHUNK_BYTES - 1,
    CHUNK_BYTES,
    CHUNK_BYTES + 1,
    3 * CHUNK_BYTES + 5,
    20 * CHUNK_BYTES,
  ]) {
    const { fd, path, content } = await openFile(t, size);
    const taken: Buffer[] = [];
    const stream = pdfStream(fd, TailReader.over(fd));
    await pipeline(
      stream,
      new Writable({
        write(chunk: Buffer, _encoding, callback) {
          taken.push(chunk);
          setImmediate(callback);
        },
      }),
    );
    t.ok(Buffer.concat(taken).equals(content), `${size} bytes`);
    t.equal(isClosed(fd, path), true);
  }
});

t.test('the body of an answer: a small file as a whole, a large one as a stream', async (t) => {
  const small = await openFile(t, 2 * CHUNK_BYTES);
  const body = pdfBody(small.fd, TailReader.over(small.fd));
  t.ok(Buffer.isBuffer(body) && body.equals(small.content));
  t.equal(isClosed(small.fd, small.path), true);

  const large = await openFile(t, 2 * CHUNK_BYTES + 1);
  const stream = pdfBody(large.fd, TailReader.over(large.fd));
  t.type(stream, Readable);
  t.ok(Buffer.concat(await (stream as Readable).toArray()).equals(large.content));
  t.equal(isClosed(large.fd, large.path), true);
});

t.test('reads no more than its reader takes', async (t) => {
  const size = 4 * CHUNK_BYTES;
  const { fd } = await openFile(t, size);
  const stream = pdfStream(fd, TailReader.over(fd));
  const passed: Buffer[] = [];
  stream.on('data', (chunk: Buffer) => passed.push(chunk));
  const accept: (() => void)[] = [];
  const reader = new Writable({
    highWaterMark: 1,
    write(_chunk, _encoding, callback) {
      accept.push(callback);
      this.emit('offered');
    },
  });
  const done = pipeline(stream, reader);
  for (let chunk = 1; chunk <= 4; chunk += 1) {
    if (accept.length < chunk) await once(reader, 'offered');
    // Whatever it would read ahead, it would have read by now.
    await new Promise(setImmediate);
    t.equal(passed.length, chunk, 'the next chunk is not read before this one is taken');
    accept[chunk - 1]?.();
  }
  await done;
});

t.test('a reader that leaves: the file is closed', async (t) => {
  const size = 4 * CHUNK_BYTES;
  const { fd, path } = await openFile(t, size);
  const stream = pdfStream(fd, TailReader.over(fd));
  const reader = new PassThrough({ highWaterMark: 1 });
  const rejected = t.rejects(pipeline(stream, reader), { code: 'ERR_STREAM_PREMATURE_CLOSE' });
  await once(reader, 'readable');
  reader.destroy();
  await rejected;
  if (!stream.closed) await new Promise((resolve) => stream.once('close', resolve));
  t.equal(isClosed(fd, path), true);
});

t.test('a stream that nobody read closes its file', async (t) => {
  const { fd, path } = await openFile(t, 10);
  const stream = pdfStream(fd, TailReader.over(fd));
  stream.destroy();
  await once(stream, 'close');
  t.equal(isClosed(fd, path), true);
});

t.test('a file that ends too soon is an error', async (t) => {
  for (const size of [10, CHUNK_BYTES, CHUNK_BYTES + 10]) {
    // Longer than what the reader has in memory.
    const { fd, path } = await openFile(t, 5 * CHUNK_BYTES);
    const stream = pdfStream(fd, TailReader.over(fd));
    await truncate(path, size);
    await t.rejects(Readable.from(stream).toArray(), { message: `the file ended at ${size}` });
    t.equal(isClosed(fd, path), true);
  }
});
