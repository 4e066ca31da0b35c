/** The version of the engine's fonts: what it makes of a document depends on them. */
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { closeSync, openSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { fontFiles } from '../paths.ts';
import { sha256Of } from '../system/file-digest.ts';
import { removeFolder } from '../system/remove-folder.ts';
import { TailReader } from '../system/tail-reader.ts';
import { fontSettings } from './fonts.ts';

const run = promisify(execFile);

/** Without a cache, fontconfig reads all fonts. */
const TIMEOUT_MS = 30_000;
const MAX_OUTPUT_BYTES = 16_777_216;

/**
 * SHA-256, in hexadecimal, of the digests of all font files, in their order, and of the rules by which some stand in for
 * others. Names and places of the files do not matter, so servers with the same fonts agree. It takes some tenths of a second.
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
    for (const path of new Set(stdout.split('\n').filter(Boolean))) digests.add(await digestOf(path));
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

async function digestOf(path: string): Promise<string> {
  const fd = openSync(path, 'r');
  try {
    return await sha256Of(TailReader.over(fd));
  } finally {
    closeSync(fd);
  }
}
