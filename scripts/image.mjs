/**
 * Runs a command on production's Debian and LibreOffice: in a root folder, created the first time, into which the checkout is
 * copied, set up and built.
 *
 *   node scripts/image.mjs COMMAND [ARGUMENT]...
 *
 * IMAGE_ROOT is the folder that keeps the root; by default one in the temporary folder. LIBREOFFICE is its version of
 * LibreOffice, 25.2 (default) or 26.8.
 */
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { enter, nodeOptions, prepareImageRoot } from './image-root.mjs';
import { SetupError } from './run.mjs';

/** As on a developer's machine: npm, which the image lacks, and file names in UTF-8. As in the image: options for Node. */
const environment = [
  'PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin:/srv/platen/test/clients/node_modules/.bin',
  'LANG=C.UTF-8',
  nodeOptions,
];

try {
  const folder = resolve(process.env.IMAGE_ROOT || join(tmpdir(), 'platen-image'));
  process.exitCode = enter(await prepareImageRoot(folder), ['env', ...environment, ...process.argv.slice(2)]);
} catch (error) {
  if (!(error instanceof SetupError)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}
