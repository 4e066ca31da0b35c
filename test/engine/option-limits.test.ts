/** Options are refused if the engine cannot carry them out. */
import t from 'tap';
import { assertPossible } from '../../src/engine/option-limits.ts';

const kit = (libreOffice: string | undefined) =>
  ({ engine: 'kit', libreOffice, poppler: '25.03.0' }) as const;
const cold = { engine: 'cold', libreOffice: undefined, poppler: '22.12.0' } as const;
const refusal = (message: RegExp) => ({ code: 'INVALID_PARAMETER', message });

t.test('PDF/A-4 needs a newer LibreOffice', async (t) => {
  const options = { pdfa: '4' } as const;
  t.throws(
    () => assertPossible(options, kit('25.2.3.2')),
    refusal(/26\.8 or later; the server has 25\.2\.3\.2/),
  );
  t.throws(() => assertPossible(options, kit(undefined)), refusal(/an unknown version/));
  t.doesNotThrow(() => assertPossible(options, kit('26.8.2.2')));
});

t.test('updated fields need the warm engine', async (t) => {
  t.throws(() => assertPossible({ fields: 'updated' }, cold), refusal(/ENGINE=cold/));
  t.throws(() => assertPossible({ pdfua: true }, cold), refusal(/ENGINE=cold/));
  t.doesNotThrow(() => assertPossible({ fields: 'updated' }, kit('25.2.3.2')));
});

t.test('pictures need poppler', async (t) => {
  const without = { ...kit('25.2.3.2'), poppler: undefined };
  t.throws(() => assertPossible({ format: 'png' }, without), refusal(/needs poppler-utils/));
  t.doesNotThrow(() => assertPossible({}, without));
  for (const engine of [kit('25.2.3.2'), cold])
    t.doesNotThrow(() => assertPossible({ format: 'png' }, engine));
});

t.test('every engine supports all other options', async (t) => {
  for (const engine of [kit(undefined), cold])
    t.doesNotThrow(() =>
      assertPossible({ comments: 'annotations', changes: 'marked', pdfa: '2b', formFields: true }, engine),
    );
});
