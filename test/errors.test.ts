/** The catalogue: what the guide for operators says of it. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { catalogue, failureReasons, limitReasons, overloadReasons, refusalReasons } from '../src/errors.ts';

t.test('the guide has every reason and no other, below the code that it comes with', async (t) => {
  const guide = readFileSync(join(import.meta.dirname, '../docs/monitoring.md'), 'utf8');
  const section = /^### Reasons$(.*?)^## /ms.exec(guide)?.[1] ?? '';
  const rows = section.split('\n').filter((line) => /^\| (`|\| `)/.test(line));
  const words = rows.flatMap((row) => row.split('|')[2]?.match(/(?<=`)[a-z-]+(?=`)/g) ?? []);
  const reasons = [...refusalReasons, ...limitReasons, ...overloadReasons, ...failureReasons];
  // `reason` itself heads the column; "time" is a word of the preflight and of the engine.
  t.strictSame(words.filter((word) => word !== 'reason').sort(), reasons.sort());
  for (const [code] of section.matchAll(/(?<=^\| `)[A-Z_]+(?=`)/gm)) t.ok(code in catalogue, code);
});
