/** A reading process that hangs at its start, as Node does when it cannot start all of its threads. */
import t from 'tap';
import { ReaderProcesses } from '../../../src/convert/reading/processes.ts';
import * as documents from '../../support/documents.ts';
import { until } from '../../support/until.ts';
import { fileOf, inspectionOf, never, readersFromNow, setup } from '../support/preflight.ts';

const readers = readersFromNow();

t.test('its task gets another process', async (t) => {
  const pool = new ReaderProcesses(setup, 0);
  t.teardown(() => pool.close());
  const path = fileOf(t, documents.docxWithEntries(200));
  const task = pool.run('inspect', inspectionOf(path), { cpuMs: 60_000, signal: never() });
  let stalled: string | undefined;
  await until('there is a process', () => {
    [stalled] = readers();
    return stalled !== undefined;
  });
  process.kill(Number(stalled), 'SIGSTOP');
  t.match(await task, { result: { time: Number } });
  t.equal(readers().length, 1);
  t.notOk(readers().includes(String(stalled)));
});
