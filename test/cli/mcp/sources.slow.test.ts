/** This machine's engine, as long as a client needs it. */
import { readdir } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import t from 'tap';
import { readRequest } from '../../../src/cli/batch/request.ts';
import { localConfig } from '../../../src/cli/local/local-config.ts';
import { LocalSource } from '../../../src/cli/mcp/sources.ts';
import { docx } from '../../support/documents.ts';
import { RecordingLog, temporaryFolder } from '../../support/kit.ts';
import { until } from '../../support/until.ts';

t.test('an engine that is idle ends, and the next document gets another one', async (t) => {
  const config = await localConfig({ WORK_DIR: await temporaryFolder(t) }, 1);
  const ending = new AbortController();
  const source = new LocalSource({ config, log: new RecordingLog().log, ending: ending.signal, idleMs: 0 });
  t.teardown(() => source.close());
  const request = await readRequest({ options: {}, attachments: [], secretFiles: {} }, await source.limit());
  const servers = async () =>
    (await readdir(config.workDir ?? '')).filter((name) => name.startsWith('server-')).length;
  const convert = async () => {
    let pdf = Buffer.alloc(0);
    const order = {
      document: { content: docx(), name: 'a.docx' },
      request,
      keep: async (made: Readable) => {
        pdf = await buffer(made);
      },
    };
    t.match(await source.convert(order, ending.signal), { pages: 1, warnings: [] });
    t.match(pdf.toString('latin1', 0, 5), '%PDF-');
  };
  await convert();
  await until('the engine has ended', async () => (await servers()) === 0);
  await Promise.all([convert(), convert()]);
  await source.close();
  t.equal(await servers(), 0);
});
