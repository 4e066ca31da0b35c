/** The version of the fonts. */
import { copyFile, mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import t from 'tap';
import { readFontSet } from '../../src/engine/font-set.ts';
import { temporaryFolder } from '../support/kit.ts';
import { kawiFont } from '../support/own-font.ts';

t.test('is the same for the same fonts, wherever they are, and different for others', async (t) => {
  const folder = await temporaryFolder(t);
  const [here, there] = [join(folder, 'here'), join(folder, 'there')];
  await mkdir(here);
  await mkdir(join(there, 'inside'), { recursive: true });
  let settings = 0;
  const version = (fonts?: string) => readFontSet(fonts, join(folder, `settings-${++settings}`));
  const none = await version();
  t.match(none, /^[0-9a-f]{64}$/);
  t.equal(await version(here), none, 'an empty folder');

  const font = await kawiFont('Mine');
  await writeFile(join(here, 'mine.ttf'), font);
  await writeFile(join(there, 'inside/other name.ttf'), font);
  const mine = await version(here);
  t.not(mine, none);
  t.equal(await version(there), mine, 'another place and name');
  await copyFile(join(here, 'mine.ttf'), join(here, 'copy.ttf'));
  t.equal(await version(here), mine, 'a copy adds nothing');

  await rm(join(here, 'copy.ttf'));
  font.writeUInt8(font.readUInt8(font.length - 1) ^ 1, font.length - 1);
  await writeFile(join(here, 'mine.ttf'), font);
  t.not(await version(here), mine, 'one bit of one font');
});

t.test('is unknown where the fonts cannot be listed', async (t) => {
  const file = join(t.testdir({ file: '' }), 'file');
  t.equal(await readFontSet(undefined, join(file, 'folder')), undefined);
});
