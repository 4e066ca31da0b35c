/** A competitor: a warm soffice with its default settings, driven over UNO. */
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { LineConverter } from './line-converter.ts';

const BINDINGS = '/usr/lib/python3/dist-packages/uno.py';

/** UNO calls: unoserver's, or the fewest possible; see uno-converter.py. */
type Calls = 'unoserver' | 'fewest';

/**
 * Starts one.
 *
 * @throws Error if Python's bindings to UNO are not installed.
 */
export function startWarmSoffice(calls: Calls): Promise<LineConverter> {
  if (!existsSync(BINDINGS)) {
    throw new Error('warm soffices need Python and UNO: apt-get install python3-uno');
  }
  return LineConverter.start(async (folder) => ({
    program: '/usr/bin/python3',
    args: [fileURLToPath(new URL('uno-converter.py', import.meta.url)), '/usr/bin/soffice', folder, calls],
    env: { PATH: '/usr/bin:/bin', HOME: folder, LANG: 'C.UTF-8' },
  }));
}
