/** The configuration of commands that convert on this machine. */
import { existsSync } from 'node:fs';
import { lstat, mkdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Config, readConfig } from '../../config.ts';
import { OperatorError } from '../../errors.ts';
import { kitFiles } from '../../paths.ts';

/** All are the caller's own. */
const DOCUMENTS = 20;

/**
 * The service's, from the environment. Without DATA_DIR, what needs a disk is in a folder for temporary files, one for each
 * user: the folder in which somebody calls a command is no place for it.
 *
 * @param workers documents at a time, in place of WORKERS.
 * @param documents that a process converts, one after the other, unless DOCUMENTS_PER_CHILD says so.
 * @throws OperatorError
 */
export async function localConfig(
  env: NodeJS.ProcessEnv,
  workers?: number,
  documents = DOCUMENTS,
): Promise<Config> {
  const own = env.DATA_DIR ? undefined : join(tmpdir(), `platen-${process.getuid?.() ?? 'user'}`);
  const config = readConfig({
    DOCUMENTS_PER_CHILD: String(documents),
    ...env,
    ...(own !== undefined && { DATA_DIR: own }),
    ...(workers !== undefined && { WORKERS: String(workers) }),
  });
  if (own !== undefined) {
    await mkdir(own, { recursive: true, mode: 0o700 }).catch((cause: NodeJS.ErrnoException) => {
      throw new OperatorError(`the folder ${own} cannot be made: ${cause.code}`, { cause });
    });
    // Anybody can make a folder of this name, and exchange what is in it.
    if ((await lstat(own)).uid !== process.getuid?.()) {
      throw new OperatorError(`another user owns ${own}; set DATA_DIR to a folder of your own`);
    }
  }
  return config;
}

/** Tells the person at the command that it is slow and without a sandbox, where no kit is built. */
export function tellIfCold({ engine }: Config): void {
  if (engine !== 'kit' || existsSync(kitFiles.binary)) return;
  console.error(
    'platen: the kit is not built, so each document starts a LibreOffice of its own, without a sandbox',
  );
}
