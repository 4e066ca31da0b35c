/** Changing what the engine left in place of its output. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { completeOutput } from '../../../src/convert/reading/output-tasks.ts';
import { OUTPUT_NAME } from '../../../src/engine/engine.ts';

const completion = { isAnchored: true, attachments: undefined, markedCells: [] };

for (const [what, put] of [
  ['a folder', (path) => mkdirSync(path)],
  ['a FIFO', (path) => spawnSync('mkfifo', [path])],
] as [string, (path: string) => unknown][]) {
  t.test(`${what} is no output, and no fault of the server`, async (t) => {
    const folder = t.testdir();
    put(join(folder, OUTPUT_NAME));
    await t.rejects(completeOutput({ folder, completion }), { code: 'CONVERSION_FAILED' });
    t.strictSame(readdirSync(folder), [OUTPUT_NAME]);
  });
}
