/** The limit: LibreOfficeKit in one warm process that converts in a loop, with no fork and no isolation. */
import { dirname, join } from 'node:path';
import { fillKitFolder, kitEnvironment, profileUrl } from '../src/engine/kit-command.ts';
import { PROGRAM_FOLDER, readOnlyConfigurationLayers } from '../src/engine/libreoffice.ts';
import { kitFiles } from '../src/paths.ts';
import { LineConverter } from './line-converter.ts';

/** Starts one, with LibreOffice configured as in the kit, so that only the fork differs. */
export function startLoop(): Promise<LineConverter> {
  return LineConverter.start(async (folder) => {
    const kit = join(folder, 'kit');
    await fillKitFolder(kit);
    return {
      program: join(dirname(kitFiles.binary), 'platen-loop'),
      args: [PROGRAM_FOLDER, profileUrl(kit), kitFiles.sampleDocument, join(folder, 'warmup.pdf')],
      env: {
        ...kitEnvironment(kit, await readOnlyConfigurationLayers(kitFiles.settings)),
        TMPDIR: folder,
      },
    };
  });
}
