/** Folders for files that commands write. */
import { mkdir, stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { OperatorError } from '../../errors.ts';

/**
 * Makes a folder and its parents, like `mkdir -p`. Node's recursive `mkdir` never ends in /proc, which answers ENOENT for new names.
 *
 * @throws OperatorError
 */
export async function makeFolders(path: string): Promise<void> {
  const make = (folder: string) =>
    mkdir(folder).then(
      () => undefined,
      (error: NodeJS.ErrnoException) => error,
    );
  let failure = await make(path);
  if (failure?.code === 'ENOENT' && !(await stat(dirname(resolve(path))).catch(() => undefined))) {
    await makeFolders(dirname(resolve(path)));
    failure = await make(path);
  }
  if (!failure || (await stat(path).catch(() => undefined))?.isDirectory()) return;
  throw new OperatorError(`the folder ${path} cannot be made: ${failure.code}`, { cause: failure });
}
