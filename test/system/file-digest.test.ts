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
    t.equal(
      await sha256Of(TailReader.over(fd)),
      createHash('sha256').update(content).digest('hex'),
      String(bytes),
    );
    closeSync(fd);
  }
});

t.test('others have their turn meanwhile', async (t) => {
  const fd = openSync(join(t.testdir({ file: noise(3_000_000) }), 'file'), 'r');
  let turns = 0;
  let done = false;
  const count = () => {
    turns += 1;
    if (!done) setImmediate(count);
  };
  setImmediate(count);
  await sha256Of(TailReader.over(fd));
  done = true;
  closeSync(fd);
  t.ok(turns >= 3_000_000 / 262_144 - 1, `${turns} turns`);
});
