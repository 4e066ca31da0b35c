/** A reading process that hangs at its start, as Node does when it cannot start all of its threads. */
import t from 'tap';
import { Readers } from '../../../src/convert/preflight/readers.ts';
import * as documents from '../../support/documents.ts';
import { until } from '../../support/until.ts';
import { fileOf, never, readers } from '../support/preflight.ts';

t.test('its task gets another process', async (t) => {
  const pool = new Readers();
  t.teardown(() => pool.close());
  const path = fileOf(t, documents.docxWithEntries(200));
  const nothing = { fonts: undefined, libreOffice: undefined, properties: undefined };
  const input = { path, accepted: ['docx'], wantsPages: false, ...nothing, readingMs: 60_000 } as const;
  const task = pool.run('inspect', input, never());
  let stalled: string | undefined;
  await until('there is a process', () => {
    [stalled] = readers();
    return stalled !== undefined;
  });
  process.kill(Number(stalled), 'SIGSTOP');
  t.match(await task, { time: Number });
  t.equal(readers().length, 1);
  t.notOk(readers().includes(String(stalled)));
});
