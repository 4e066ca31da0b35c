/** SHA-256 of files of any length. */
import { createHash } from 'node:crypto';
import { closeSync, openSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { sha256Of } from '../../src/system/file-digest.ts';
import { TailReader } from '../../src/system/tail-reader.ts';
import { noise } from '../support/noise.ts';

t.test('is that of the bytes', async (t) => {
  for (const bytes of [0, 1, 131_072, 131_073, 262_144, 262_145, 1_000_000]) {
    const content = noise(bytes);
    const fd = openSync(join(t.testdir({ file: content }), 'file'), 'r');
    t.equal(sha256Of(TailReader.over(fd)), createHash('sha256').update(content).digest('hex'), String(bytes));
    closeSync(fd);
  }
});
