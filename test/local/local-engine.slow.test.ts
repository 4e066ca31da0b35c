/** This machine's engine, with LibreOffice. */
import { readdir } from 'node:fs/promises';
import { buffer } from 'node:stream/consumers';
import t from 'tap';
import { Preflight } from '../../src/convert/preflight/preflight.ts';
import { Workspace } from '../../src/convert/workspace.ts';
import { localConfig } from '../../src/local/local-config.ts';
import { LocalEngine } from '../../src/local/local-engine.ts';
import { docx } from '../support/documents.ts';
import { never, RecordingLog, temporaryFolder } from '../support/kit.ts';

t.test('a folder that cannot be removed changes no result', async (t) => {
  const recording = new RecordingLog();
  const config = await localConfig({ JOBS_DIR: await temporaryFolder(t) }, 1);
  const local = await LocalEngine.start(config, recording.log, never());
  t.teardown(() => local.close());
  t.intercept(Workspace.prototype, 'dispose', { value: () => Promise.reject(new Error('it is busy')) });
  let pdf = '';
  const keep: Parameters<typeof local.convert>[1] = async (stream) => {
    pdf = (await buffer(stream)).toString('latin1', 0, 5);
  };
  await local.convert({ content: docx() }, keep, never());
  t.equal(pdf, '%PDF-');
  await t.rejects(local.convert({ content: Buffer.from('no document') }, keep, never()), {
    code: 'INVALID_FILE_TYPE',
  });
  t.equal(recording.count('a job folder could not be removed'), 2);
});

t.test('what cannot be closed hides no error of the start', async (t) => {
  const recording = new RecordingLog();
  const config = await localConfig({ JOBS_DIR: await temporaryFolder(t) }, 1);
  const ending = new AbortController();
  ending.abort(new Error('it is interrupted'));
  t.intercept(Preflight.prototype, 'close', { value: () => Promise.reject(new Error('it is busy')) });
  await t.rejects(LocalEngine.start(config, recording.log, ending.signal), { message: 'it is interrupted' });
  t.equal(recording.count('not everything could be closed'), 1);
  t.strictSame(
    (await readdir(config.jobsDir ?? '')).filter((name) => name.startsWith('server-')),
    [],
  );
});
