/** Font folders, and fontconfig's settings for the stand-ins (docs/fonts.md). */
import { join } from 'node:path';
import { fontFiles } from '../paths.ts';

/** Fonts of Debian's packages, and those installed for the whole machine. */
const SYSTEM_FOLDERS = ['/usr/share/fonts', '/usr/local/share/fonts'];
const SYSTEM_CACHE = '/var/cache/fontconfig';

/** The service's own font folders, which children of the kit must be allowed to read. */
export function ownFontFolders(fontsDir: string | undefined): readonly string[] {
  return fontsDir === undefined ? [fontFiles.made] : [fontFiles.made, fontsDir];
}

/** Its caches of fonts: what draws pictures reads them in the sandbox, as LibreOffice has read them before. */
export function ownFontCaches(cache: string): readonly [made: string, own: string] {
  return [join(fontFiles.made, '../cache'), cache];
}

/**
 * fontconfig's settings for LibreOffice. They replace the machine's, whose desktop preferences must not affect documents.
 *
 * @param cache folder for fontconfig's cache of folders that have none.
 */
export function fontSettings(fontsDir: string | undefined, cache: string): string {
  const folders = [...SYSTEM_FOLDERS, ...ownFontFolders(fontsDir)];
  const [made, own] = ownFontCaches(cache);
  return [
    '<?xml version="1.0"?>',
    '<!DOCTYPE fontconfig SYSTEM "fonts.dtd">',
    '<fontconfig>',
    ...folders.map((folder) => element('dir', folder)),
    // Without rules, documents are converted with whatever fonts there are.
    `<include ignore_missing="yes">${escaped(fontFiles.rules)}</include>`,
    // The first that can be written to gets what is missing.
    ...[made, SYSTEM_CACHE, own].map((folder) => element('cachedir', folder)),
    '</fontconfig>',
    '',
  ].join('\n');
}

const element = (name: string, text: string): string => `<${name}>${escaped(text)}</${name}>`;

const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
