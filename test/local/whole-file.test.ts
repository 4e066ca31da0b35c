/** Files that are written as a whole. */
import { execFileSync } from 'node:child_process';
import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import t from 'tap';
import { writeWhole } from '../../src/local/whole-file.ts';

t.test('a file is written as a whole, or not at all', async (t) => {
  const folder = t.testdir({ 'a.pdf': 'former', folder: {} });
  const path = join(folder, 'a.pdf');
  const broken = Readable.from(
    (function* () {
      yield 'half';
      throw new Error('it broke');
    })(),
  );
  await t.rejects(writeWhole(path, broken), { message: `${path} cannot be written: it broke` });
  t.equal(await readFile(path, 'utf8'), 'former');
  await writeWhole(path, Readable.from(['new']));
  t.equal(await readFile(path, 'utf8'), 'new');

  const pipe = join(folder, 'pipe');
  execFileSync('mkfifo', [pipe]);
  await t.rejects(writeWhole(pipe, 'text'), { message: `${pipe} cannot be written: it is not a file` });
  t.ok((await stat(pipe)).isFIFO());
  t.strictSame((await readdir(folder)).sort(), ['a.pdf', 'folder', 'pipe'], 'no drafts');
});
