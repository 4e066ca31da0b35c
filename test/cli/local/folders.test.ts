/** Folders for files that commands write. */
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import t from 'tap';
import { makeFolders } from '../../../src/cli/local/folders.ts';

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
