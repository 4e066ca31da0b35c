/** Files that are written as a whole, and their folders. */
import { execFileSync } from 'node:child_process';
import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import t from 'tap';
import { makeFolders, writeWhole } from '../../src/local/whole-file.ts';

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

t.test('folders are made, or there is a reason', async (t) => {
  const folder = t.testdir({ file: '' });
  const deep = join(folder, 'a', 'b', 'c');
  await makeFolders(deep);
  await makeFolders(deep);
  t.ok((await stat(deep)).isDirectory());
  await t.rejects(makeFolders(join(folder, 'file')), { message: /file cannot be made: EEXIST/ });
  await t.rejects(makeFolders(join(folder, 'file', 'b')), { message: /b cannot be made: ENOTDIR/ });
  // It says that the folder is not there in which it makes nothing.
  await t.rejects(makeFolders('/proc/platen/pdfs'), { message: /\/proc\/platen cannot be made: E/ });
});
