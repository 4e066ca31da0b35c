/** The limit: LibreOfficeKit in one warm process that converts in a loop, with no fork and no isolation. */
import { dirname, join } from 'node:path';
import { fillKitFolder, kitEnvironment, profileUrl } from '../src/engine/kit-command.ts';
import { PROGRAM_FOLDER, readOnlyConfigurationLayers } from '../src/engine/libreoffice.ts';
import { kitFiles } from '../src/paths.ts';
import { LineConverter } from './line-converter.ts';

/**
 * Starts one, with LibreOffice configured as in the kit, so that only the fork differs.
 *
 * @param isIdle whether it runs in the idle class, as the kit's children do for jobs.
 */
export function startLoop({ isIdle = false } = {}): Promise<LineConverter> {
  return LineConverter.start(async (folder) => {
    const kit = join(folder, 'kit');
    await fillKitFolder(kit);
    const loop = join(dirname(kitFiles.binary), 'platen-loop');
    const args = [PROGRAM_FOLDER, profileUrl(kit), kitFiles.sampleDocument, join(folder, 'warmup.pdf')];
    return {
      ...(isIdle ? { program: 'chrt', args: ['--idle', '0', loop, ...args] } : { program: loop, args }),
      env: {
        ...kitEnvironment(kit, await readOnlyConfigurationLayers(kitFiles.settings)),
        TMPDIR: folder,
      },
    };
  });
}
