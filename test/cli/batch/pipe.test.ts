/** Pipes that break a limit, and documents that cannot be read. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import t from 'tap';
import { convertFile } from '../../../src/cli/batch/batch.ts';
import type { BatchConverter } from '../../../src/cli/batch/converter.ts';
import { convertPipe } from '../../../src/cli/batch/pipe.ts';

const never = new AbortController().signal;
const SILENT_MS = 50;

/** It is asked for nothing. */
const converter: BatchConverter = {
  limit: { bytes: 10, setBy: 'the service' },
  convert: () => Promise.reject(new Error('a document that should have failed before')),
  combine: () => Promise.reject(new Error('several documents in a pipe')),
  close: async () => {},
};

t.test('a pipe that is silent, or has too much', async (t) => {
  const convert = (from: PassThrough) => convertPipe(from, new PassThrough(), converter, never, SILENT_MS);
  const silent = new PassThrough();
  silent.write('a');
  t.match(await convert(silent), {
    result: 'failed',
    code: 'MISSING_FILE',
    message: /^Nothing has come from the pipe for /,
  });
  t.ok(silent.destroyed);
  const large = new PassThrough();
  large.write('a'.repeat(11));
  t.match(await convert(large), {
    result: 'failed',
    code: 'FILE_TOO_LARGE',
    message: 'The document is larger than 0 MB, the most that the service allows.',
  });
});

t.test('a folder that cannot be made fails before the document is converted', async (t) => {
  const from = new PassThrough();
  from.end('a');
  t.match(await convertPipe(from, '/proc/missing/a.pdf', converter, never), {
    result: 'failed',
    message: 'the folder /proc/missing cannot be made: ENOENT',
  });
});

t.test('an interruption before the pipe is read ends the wait for it', async (t) => {
  const from = new PassThrough();
  const interrupted = AbortSignal.abort(new Error('interrupted'));
  await t.rejects(convertPipe(from, new PassThrough(), converter, interrupted), { message: 'interrupted' });
  from.destroy();
});

t.test('a document whose name is not UTF-8 fails', async (t) => {
  const folder = Buffer.from(t.testdir({}));
  const path = Buffer.concat([folder, Buffer.from('/a'), Buffer.from([0xe9]), Buffer.from('.docx')]);
  await writeFile(path, 'a');
  const document = { path: path.toString(), output: join(folder.toString(), 'out/a.pdf') };
  t.strictSame(await convertFile(document, converter, never), {
    document: document.path,
    result: 'failed',
    code: 'MISSING_FILE',
    message: 'Its name is not UTF-8, so it cannot be opened. Rename it.',
  });
});
