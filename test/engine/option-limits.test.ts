/** Options are refused if the engine cannot carry them out. */
import t from 'tap';
import { assertPossible } from '../../src/engine/option-limits.ts';

const kit = (libreOffice: string | undefined) => ({ engine: 'kit', libreOffice }) as const;
const cold = { engine: 'cold', libreOffice: undefined } as const;
const refusal = (message: RegExp) => ({ code: 'INVALID_PARAMETER', message });

t.test('form fields need a newer LibreOffice', async (t) => {
  const options = { formFields: true };
  t.throws(
    () => assertPossible(options, kit('7.4.7.2')),
    refusal(/25\.2 or later; the server has 7\.4\.7\.2/),
  );
  t.throws(() => assertPossible(options, cold), refusal(/an unknown version/));
  t.doesNotThrow(() => assertPossible(options, kit('25.2.3.2')));
  t.doesNotThrow(() => assertPossible({ formFields: false }, kit('7.4.7.2')));
});

t.test('updated fields need the warm engine', async (t) => {
  t.throws(() => assertPossible({ fields: 'updated' }, cold), refusal(/ENGINE=cold/));
  t.throws(() => assertPossible({ pdfua: true }, cold), refusal(/ENGINE=cold/));
  t.doesNotThrow(() => assertPossible({ fields: 'updated' }, kit('7.4.7.2')));
});

t.test('no engine supports comments in the margin', async (t) => {
  for (const engine of [kit('7.4.7.2'), kit('25.2.3.2'), cold])
    t.throws(() => assertPossible({ comments: 'margin' }, engine), refusal(/comments=annotations/));
});

t.test('every engine supports all other options', async (t) => {
  for (const engine of [kit(undefined), cold])
    t.doesNotThrow(() => assertPossible({ comments: 'annotations', changes: 'marked', pdfa: '2b' }, engine));
});
