/** This machine's engine, with LibreOffice. */
import { readdir } from 'node:fs/promises';
import t from 'tap';
import { localConfig } from '../../../src/cli/local/local-config.ts';
import { LocalEngine } from '../../../src/cli/local/local-engine.ts';
import { Readers } from '../../../src/convert/reading/readers.ts';
import { RecordingLog, temporaryFolder } from '../../support/kit.ts';

t.test('what cannot be closed hides no error of the start', async (t) => {
  const recording = new RecordingLog();
  const config = await localConfig({ WORK_DIR: await temporaryFolder(t) }, 1);
  const ending = new AbortController();
  ending.abort(new Error('it is interrupted'));
  t.intercept(Readers.prototype, 'close', { value: () => Promise.reject(new Error('it is busy')) });
  await t.rejects(LocalEngine.start(config, recording.log, ending.signal), { message: 'it is interrupted' });
  t.equal(recording.count('not everything could be closed'), 1);
  t.strictSame(
    (await readdir(config.workDir ?? '')).filter((name) => name.startsWith('server-')),
    [],
  );
});
