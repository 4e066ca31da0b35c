/** The machine's LibreOffice: Debian's package `libreoffice-writer` and its dependencies. */
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { OperatorError } from '../errors.ts';

/** Folder of LibreOffice's program files, as Debian installs them. */
export const PROGRAM_FOLDER = '/usr/lib/libreoffice/program';

/** @throws OperatorError when LibreOffice Writer is not installed. */
export function requireLibreOffice(): void {
  if (!existsSync(join(PROGRAM_FOLDER, 'libswlo.so'))) {
    throw new OperatorError('LibreOffice Writer is not installed: apt-get install libreoffice-writer');
  }
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
