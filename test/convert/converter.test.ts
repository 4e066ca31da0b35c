/** Conversions whose PDF is made, and that fail after that. */
import { spawnSync } from 'node:child_process';
import { closeSync, openSync, readdirSync, readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import t from 'tap';
import type { Conversion, ConversionJob } from '../../src/engine/engine.ts';
import { docx } from '../support/documents.ts';
import { testServices } from '../support/service.ts';
import { StubEngine } from '../support/stub-engine.ts';

/** Descriptors that are free before the test takes them all. */
const FREE = 64;

t.test('without a descriptor for the PDF the service is not available', async (t) => {
  const taken: number[] = [];
  const give = () => {
    for (const fd of taken.splice(0)) closeSync(fd);
  };
  /** Leaves no descriptor free. */
  class TakingEngine extends StubEngine {
    override async convert(job: ConversionJob, signal: AbortSignal): Promise<Conversion> {
      const conversion = await super.convert(job, signal);
      try {
        for (;;) taken.push(openSync('/dev/null', 'r'));
      } catch (error) {
        t.match(error, { code: 'EMFILE' });
      }
      return conversion;
    }
  }
  const { converter, workspaces } = await testServices(t, { engine: new TakingEngine() });
  const [, usual = ''] = /^Max open files +(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8')) ?? [];
  const limit = (soft: string) =>
    t.equal(spawnSync('prlimit', ['--pid', String(process.pid), `--nofile=${soft}:`]).status, 0);
  const workspace = workspaces.create();
  await writeFile(workspace.input, docx());
  const place = converter.admit({ class: 'live', account: 'acme' });
  limit(String(readdirSync('/proc/self/fd').length + FREE));
  try {
    const submission = { place, bytes: 1, sha256: undefined };
    await t.rejects(converter.convert(workspace, submission, new AbortController().signal), {
      code: 'SERVICE_UNAVAILABLE',
    });
  } finally {
    give();
    place.leave();
    limit(usual);
    await workspace.dispose();
  }
});
