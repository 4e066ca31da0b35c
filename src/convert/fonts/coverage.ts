/** Which fonts are installed, and which characters they have. */
import { execFile } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** Without a cache, fontconfig reads all of the fonts. */
const TIMEOUT_MS = 30_000;
/** Some hundred fonts with tens of thousands of characters each stay far below. */
const MAX_OUTPUT_BYTES = 67_108_864;
const UNICODE_END = 0x11_0000;
const LETTER_A = 0x41;
/** LibreOffice uses no others. */
const FORMAT = /^(TrueType|CFF) /;

/** A set of characters, and of the names of families that have them. */
export class FontCoverage {
  readonly #has = new Uint8Array(UNICODE_END);
  readonly #families = new Set<string>();

  /**
   * @param list a font a line: its format, its characters as ranges of code points in hexadecimal (`20-7e a0`), and behind a
   *   tab the names of its family with commas.
   */
  constructor(list: string) {
    // Weights of a family have the same.
    for (const line of new Set(list.split('\n'))) {
      if (!FORMAT.test(line)) continue;
      const [characters = '', names = ''] = line.split('\t');
      for (const name of names.split(',')) if (name !== '') this.#families.add(name.toLowerCase());
      for (const [, first = '', last = first] of characters.matchAll(
        /\s([0-9a-f]{1,6})(?:-([0-9a-f]{1,6}))?(?!\S)/g,
      )) {
        this.#has.fill(1, Number.parseInt(first, 16), Number.parseInt(last, 16) + 1);
      }
    }
  }

  /** In lower case. */
  get families(): ReadonlySet<string> {
    return this.#families;
  }

  /** Whether one of the fonts has the character. */
  has(codePoint: number): boolean {
    return this.#has[codePoint] === 1;
  }
}

/**
 * Asks fontconfig.
 *
 * @param settings what the engine's fontconfig reads, see src/engine/fonts.ts.
 * @param folder where they are put; made where it is missing.
 * @throws Error where fontconfig's `fc-list` is not there, or fails, or finds no fonts.
 */
export async function readFontCoverage(settings: string, folder: string): Promise<FontCoverage> {
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
  const coverage = new FontCoverage(stdout);
  // A mistake in the settings is no failure to fc-list.
  if (!coverage.has(LETTER_A)) throw new Error('fontconfig finds no font with the letter A');
  return coverage;
}
