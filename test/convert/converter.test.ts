/** Conversions whose PDF is made, and that fail after that; and whose documents share a process. */
import { spawnSync } from 'node:child_process';
import { closeSync, openSync, readdirSync, readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import t from 'tap';
import type { Conversion, ConversionJob } from '../../src/engine/engine.ts';
import type { Sender } from '../../src/queue/sender.ts';
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

t.test(
  'a process is shared by documents of one account, environment and kind, and not by what is apart',
  async (t) => {
    const engine = new StubEngine();
    const { converter, workspaces } = await testServices(t, { engine });
    const ownerOf = async (sender: Sender, more = {}) => {
      const workspace = workspaces.create();
      await writeFile(workspace.input, docx());
      const place = converter.admit(sender);
      try {
        const submission = { place, bytes: 1, sha256: undefined, ...more };
        const { fd } = await converter.convert(workspace, submission, new AbortController().signal);
        closeSync(fd);
        return engine.lastJob?.owner;
      } finally {
        place.leave();
        await workspace.dispose();
      }
    };
    const live: Sender = { class: 'live', account: 'acme' };
    const owners = [
      await ownerOf(live),
      await ownerOf({ class: 'live', account: 'globex' }),
      await ownerOf({ class: 'test', account: 'acme' }),
      await ownerOf({ class: 'job', account: 'acme', environment: 'live' }),
      await ownerOf({ class: 'job', account: 'acme', environment: 'test' }),
    ];
    t.notOk(owners.includes(undefined));
    t.equal(new Set(owners).size, owners.length, `${owners}`);
    t.equal(await ownerOf(live), owners[0]);
    t.equal(await ownerOf(live, { options: { isolation: 'account' } }), owners[0]);
    t.equal(await ownerOf(live, { owner: 'caller' }), 'caller');
    const apart = [
      await ownerOf(live, { options: { isolation: 'document' } }),
      await ownerOf({ ...live, keyType: 'pk' }),
      await ownerOf({ class: 'public', network: '192.0.2.0/24' }),
      await ownerOf({ class: 'probe' }),
    ];
    t.strictSame(
      apart,
      apart.map(() => undefined),
    );
  },
);
