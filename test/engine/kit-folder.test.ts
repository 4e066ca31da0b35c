/** What the kit's folder has for LibreOffice to read. */
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { SaxesParser } from 'saxes';
import t from 'tap';
import { fillKitFolder } from '../../src/engine/kit-command.ts';
import { PROGRAM_FOLDER } from '../../src/engine/libreoffice.ts';
import { temporaryFolder } from '../support/kit.ts';

/** Of Writer's menu bar, in LibreOffice's folder `share/config` and in a profile's `user/config`. */
const MENU_BAR = 'config/soffice.cfg/modules/swriter/menubar/menubar.xml';

t.test("the profile has an empty menu bar in place of Writer's", async (t) => {
  const folder = await temporaryFolder(t);
  await fillKitFolder(folder);
  t.ok(
    existsSync(join(dirname(PROGRAM_FOLDER), 'share', MENU_BAR)),
    'LibreOffice has one there to stand in for',
  );
  const elements: string[] = [];
  const parser = new SaxesParser();
  parser.on('opentag', ({ name }) => elements.push(name));
  parser.write(await readFile(join(folder, 'profile/user', MENU_BAR), 'utf8')).close();
  t.same(elements, ['menu:menubar']);
});
