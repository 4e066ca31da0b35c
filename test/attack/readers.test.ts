/**
 * Documents that two readers could read in two ways: LibreOffice prints no word that our reader does not see, and no path.
 * readers.soak.ts looks at many more.
 *
 * It imports from src/: only there can a document be given to LibreOffice without the preflight.
 */
import t from 'tap';
import { Readers } from './support/readers.ts';
import { documentOf, proofs, twoReadings } from './support/two-readings.ts';

/** Other documents are refused, or LibreOffice does not understand them either. */
const honest = /honest text/;

const readers = await Readers.start(t);

t.test('both readers read the same', { timeout: 300_000 }, async (t) => {
  let printed = 0;
  for (const [what, parts] of Object.entries(twoReadings)) {
    const compared = await readers.compare(documentOf(parts));
    t.strictSame(compared.unseen, [], `${what}: no other words`);
    t.notOk(compared.showsPath, `${what}: no path`);
    t.notMatch(compared.printed, 'EVIL', what);
    if (compared.refused) t.match(compared.refused, /^(CORRUPTED_FILE|INVALID_FILE_TYPE)$/, what);
    else if (honest.test(compared.printed)) printed += 1;
  }
  t.ok(printed > 60, `${printed} of them are printed`);
});

t.test('without the preflight they differ', async (t) => {
  for (const what of proofs) {
    const { printed, showsPath } = await readers.compare(documentOf(twoReadings[what] ?? {}), false);
    t.ok(showsPath || printed.includes('EVIL'), what);
  }
});
