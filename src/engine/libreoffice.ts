/** The machine's LibreOffice: Debian's package `libreoffice-writer` and its dependencies. */
import { existsSync, readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { OperatorError } from '../errors.ts';
import { isSince } from './libreoffice-version.ts';

/** Folder of LibreOffice's program files, as Debian installs them. */
export const PROGRAM_FOLDER = '/usr/lib/libreoffice/program';

/** Older versions print what Word does not show, and lose what it does. */
const OLDEST_LIBREOFFICE = 25.2;

/** Relative to the program files: the settings that LibreOffice is shipped with, its full version among them. */
const SETTINGS = '../share/registry/main.xcd';
const VERSION = /"ooSetupVersionAboutBox">\s*<value>(\d+\.\d+[\d.]*)</;

/**
 * @param programs overridden in tests.
 * @returns its version, such as `25.2.3.2`.
 * @throws OperatorError when LibreOffice Writer is not installed, or too old.
 */
export function requireLibreOffice(programs = PROGRAM_FOLDER): string {
  if (!existsSync(join(programs, 'libswlo.so'))) {
    throw new OperatorError('LibreOffice Writer is not installed: apt-get install libreoffice-writer');
  }
  const version = VERSION.exec(readFileSync(join(programs, SETTINGS), 'latin1'))?.[1];
  if (version === undefined || !isSince(version, OLDEST_LIBREOFFICE)) {
    throw new OperatorError(
      `LibreOffice ${version ?? '(of an unknown version)'} is too old: Platen needs ${OLDEST_LIBREOFFICE} or later. ` +
        'Debian 13 and the backports of Debian 12 have it; `node scripts/setup.mjs` installs it',
    );
  }
  return version;
}

/**
 * The value of CONFIGURATION_LAYERS with which LibreOffice reads its shipped configuration, then `settings`, and writes none.
 * `fundamentalrc` names the shipped layers; those of extensions and desktop are left out.
 *
 * @throws OperatorError when `fundamentalrc` names no layer we know.
 */
export async function readOnlyConfigurationLayers(settings: string): Promise<string> {
  const bootstrap = await readFile(join(PROGRAM_FOLDER, 'fundamentalrc'), 'utf8');
  const line = /^CONFIGURATION_LAYERS=(.*)$/m.exec(bootstrap)?.[1] ?? '';
  const shipped = line.split(' ').filter((layer) => /^(xcsxcu|res):/.test(layer));
  if (shipped.length === 0) {
    throw new OperatorError(
      `${PROGRAM_FOLDER}/fundamentalrc names no configuration layer that the kit knows`,
    );
  }
  const brand = pathToFileURL(join(PROGRAM_FOLDER, '..')).href;
  const layers = shipped.map((layer) => layer.replaceAll(/\$\{?BRAND_BASE_DIR\}?/g, brand));
  return [...layers, `user:*${pathToFileURL(settings).href}`].join(' ');
}
