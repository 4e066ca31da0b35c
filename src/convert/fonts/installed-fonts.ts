/** The installed fonts and their characters. */
import { execFile } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** Without a cache, fontconfig reads all fonts. */
const TIMEOUT_MS = 30_000;
/** Some hundred fonts with tens of thousands of characters each stay far below. */
const MAX_OUTPUT_BYTES = 67_108_864;
const UNICODE_END = 0x11_0000;
const LETTER_A = 0x41;
/** The formats that LibreOffice uses. */
const FORMAT = /^(TrueType|CFF) /;
const RANGE = /^([0-9a-f]{1,6})(?:-([0-9a-f]{1,6}))?$/;

/** For each code point, 1 if one of the fonts has it. */
export type FontCharacters = Uint8Array;

/** The characters of all fonts, and the names of their families. */
export interface InstalledFonts {
  readonly characters: FontCharacters;
  /** In lower case. */
  readonly families: ReadonlySet<string>;
}

/**
 * @param list one font per line: format, characters as hexadecimal ranges of code points (`20-7e a0`), a tab, and family
 * names separated by commas.
 */
export function installedFonts(list: string): InstalledFonts {
  const characters = new Uint8Array(UNICODE_END);
  const families = new Set<string>();
  // Weights of a family have the same characters, and fonts of a script the same ranges.
  const ranges = new Set<string>();
  for (const line of new Set(list.split('\n'))) {
    if (!FORMAT.test(line)) continue;
    const [own = '', names = ''] = line.split('\t');
    for (const name of names.split(',')) if (name !== '') families.add(name.toLowerCase());
    for (const range of own.split(' ')) ranges.add(range);
  }
  for (const range of ranges) {
    const [, first = '', last = first] = RANGE.exec(range) ?? [];
    characters.fill(1, Number.parseInt(first, 16), Number.parseInt(last, 16) + 1);
  }
  return { characters, families };
}

/**
 * Asks fontconfig.
 *
 * @param settings of the engine's fontconfig; see src/engine/fonts.ts.
 * @param folder for the settings file; created if missing.
 * @throws Error if fontconfig's `fc-list` is missing, fails, or finds no fonts.
 */
export async function readInstalledFonts(settings: string, folder: string): Promise<InstalledFonts> {
  const file = join(folder, 'fonts.conf');
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await writeFile(file, settings, { mode: 0o600 });
  const { stdout } = await run(
    'fc-list',
    [':scalable=true', '--format', '%{fontformat} %{charset}\t%{family}\n'],
    {
      env: { PATH: '/usr/bin:/bin', LANG: 'C.UTF-8', FONTCONFIG_FILE: file },
      timeout: TIMEOUT_MS,
      killSignal: 'SIGKILL',
      maxBuffer: MAX_OUTPUT_BYTES,
    },
  );
  const fonts = installedFonts(stdout);
  // A mistake in the settings is no failure to fc-list.
  if (fonts.characters[LETTER_A] !== 1) throw new Error('fontconfig finds no font with the letter A');
  return fonts;
}
