/**
 * Runs a command on the Debian and the LibreOffice of production: in a root folder of it, made at the first
 * time, where the checkout is copied to, set up and built.
 *
 *   node scripts/image.mjs COMMAND [ARGUMENT]...
 *
 * IMAGE_ROOT names the folder that keeps the root; without it, one in the folder for temporary files.
 */
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { enter, prepareImageRoot } from './image-root.mjs';
import { SetupError } from './run.mjs';

try {
  const folder = resolve(process.env.IMAGE_ROOT || join(tmpdir(), 'platen-image'));
  process.exitCode = enter(prepareImageRoot(folder), process.argv.slice(2));
} catch (error) {
  if (!(error instanceof SetupError)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}
