/**
 * Runs a command on the Debian and the LibreOffice of production: in a root folder of it, made at the first
 * time, where the checkout is copied to, set up and built.
 *
 *   node scripts/image.mjs COMMAND [ARGUMENT]...
 *
 * IMAGE_ROOT names the folder that keeps the root; without it, one in the folder for temporary files. LIBREOFFICE is its
 * version of LibreOffice, 25.2 or 26.8; without it, 25.2.
 */
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { enter, prepareImageRoot } from './image-root.mjs';
import { SetupError } from './run.mjs';

/** As where people run the tests: npm, which Debian's Node comes without, and names of files in UTF-8. */
const environment = [
  'PATH=/usr/sbin:/usr/bin:/sbin:/bin:/srv/platen/test/clients/node_modules/.bin',
  'LANG=C.UTF-8',
];

try {
  const folder = resolve(process.env.IMAGE_ROOT || join(tmpdir(), 'platen-image'));
  process.exitCode = enter(prepareImageRoot(folder), ['env', ...environment, ...process.argv.slice(2)]);
} catch (error) {
  if (!(error instanceof SetupError)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}
