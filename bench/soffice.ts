/** LibreOffice as anybody starts it: its default settings, with the machine's fonts. */
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, parse } from 'node:path';
import { runTool } from '../src/cli/compare/tools.ts';

/**
 * The PDF that plain `soffice` makes of a document. @returns undefined if it makes none.
 *
 * @throws Error if soffice is not installed, fails or takes too long.
 */
export async function convertBySoffice(docx: string): Promise<Buffer | undefined> {
  const folder = await mkdtemp(join(tmpdir(), 'platen-soffice-'));
  try {
    const profile = `-env:UserInstallation=file://${join(folder, 'profile')}`;
    await runTool('soffice', [profile, '--headless', '--convert-to', 'pdf', '--outdir', folder, docx]);
    return await readFile(join(folder, `${parse(docx).name}.pdf`));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  } finally {
    await rm(folder, { recursive: true });
  }
}
