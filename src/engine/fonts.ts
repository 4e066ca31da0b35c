/** The fonts that documents are set in: which folders hold them, and what stands in for Word's (docs/fonts.md). */
import { join } from 'node:path';
import { fontFiles } from '../paths.ts';

/** Where Debian's packages and the operator put fonts for the whole machine. */
const SYSTEM_FOLDERS = ['/usr/share/fonts', '/usr/local/share/fonts'];
const SYSTEM_CACHE = '/var/cache/fontconfig';

/** Folders with fonts of the service's own, which a child of the kit must be allowed to read. */
export function ownFontFolders(fontsDir: string | undefined): readonly string[] {
  return fontsDir === undefined ? [fontFiles.made] : [fontFiles.made, fontsDir];
}

/**
 * fontconfig's settings for LibreOffice. They stand alone: what the machine's own settings prefer for its desktop is no
 * choice for documents.
 *
 * @param cache folder for what fontconfig notes down of folders that nobody has noted down.
 */
export function fontSettings(fontsDir: string | undefined, cache: string): string {
  const folders = [...SYSTEM_FOLDERS, ...ownFontFolders(fontsDir)];
  return [
    '<?xml version="1.0"?>',
    '<!DOCTYPE fontconfig SYSTEM "fonts.dtd">',
    '<fontconfig>',
    ...folders.map((folder) => element('dir', folder)),
    // Without rules documents are converted all the same, in whatever fonts there are.
    `<include ignore_missing="yes">${escaped(fontFiles.rules)}</include>`,
    ...[join(fontFiles.made, '../cache'), SYSTEM_CACHE, cache].map((folder) => element('cachedir', folder)),
    '</fontconfig>',
    '',
  ].join('\n');
}

const element = (name: string, text: string): string => `<${name}>${escaped(text)}</${name}>`;

const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
