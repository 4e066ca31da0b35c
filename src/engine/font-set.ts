/** The version of the engine's fonts: what it makes of a document depends on them. */
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { fontFiles } from '../paths.ts';
import { removeFolder } from '../system/remove-folder.ts';
import { fontSettings } from './fonts.ts';

const run = promisify(execFile);

/** Without a cache, fontconfig reads all fonts. */
const TIMEOUT_MS = 30_000;
const MAX_OUTPUT_BYTES = 16_777_216;
/** A font begins with the checksums of its tables; those of all fonts of a large collection fit. */
const END_BYTES = 8_192;

/**
 * SHA-256, in hexadecimal, of what identifies each font file: its length, its first and its last bytes; and of the rules by
 * which some stand in for others. Names and places of the files do not matter, so servers with the same fonts agree. To read
 * all of 170 MB would be a fifth of the CPU time of a start.
 *
 * @param fontsDir the operator's font folder, if any.
 * @param folder for fontconfig's settings; made, and removed again.
 * @returns undefined if the fonts cannot be listed or read.
 */
export async function readFontSet(fontsDir: string | undefined, folder: string): Promise<string | undefined> {
  try {
    const settings = join(folder, 'fonts.conf');
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await writeFile(settings, fontSettings(fontsDir, join(folder, 'cache')), { mode: 0o600 });
    const { stdout } = await run('fc-list', [':scalable=true', '--format', '%{file}\n'], {
      env: { PATH: '/usr/bin:/bin', LANG: 'C.UTF-8', FONTCONFIG_FILE: settings },
      timeout: TIMEOUT_MS,
      killSignal: 'SIGKILL',
      maxBuffer: MAX_OUTPUT_BYTES,
    });
    const digests = new Set<string>();
    // One for all files: to allocate it takes as long as to read into it.
    const ends = Buffer.allocUnsafe(2 * END_BYTES);
    for (const path of new Set(stdout.split('\n').filter(Boolean))) digests.add(digestOf(path, ends));
    const rules = await readFile(fontFiles.rules).catch(() => '');
    return createHash('sha256')
      .update([...digests].sort().join())
      .update(rules)
      .digest('hex');
  } catch {
    // Whoever asks for the characters of the fonts says why.
    return undefined;
  } finally {
    await removeFolder(folder).catch(() => {});
  }
}

/** @param ends where the file's ends are read to; a shorter file leaves zeros. */
function digestOf(path: string, ends: Buffer): string {
  const fd = openSync(path, 'r');
  try {
    const { size } = fstatSync(fd);
    ends.fill(0);
    readSync(fd, ends, 0, END_BYTES, 0);
    readSync(fd, ends, END_BYTES, END_BYTES, Math.max(0, size - END_BYTES));
    return createHash('sha256').update(`${size}:`).update(ends).digest('hex');
  } finally {
    closeSync(fd);
  }
}
