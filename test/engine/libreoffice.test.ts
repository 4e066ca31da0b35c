/** Which LibreOffice the service starts with. */
import t from 'tap';
import { requireLibreOffice } from '../../src/engine/libreoffice.ts';

t.test('the installed one', async (t) => {
  t.doesNotThrow(() => requireLibreOffice());
});

for (const [version, isEnough] of [
  ['7.4', false],
  ['24.8', false],
  ['25.2', true],
  ['26.8', true],
] as const) {
  t.test(`LibreOffice ${version}`, async (t) => {
    const programs = t.testdir({
      'libswlo.so': '',
      bootstraprc: `[Bootstrap]\nProductKey=LibreOffice ${version}\n`,
    });
    if (isEnough) return t.doesNotThrow(() => requireLibreOffice(programs));
    return t.throws(() => requireLibreOffice(programs), {
      message: new RegExp(`^LibreOffice ${version} is too old: Platen needs 25.2 or later\\.`),
    });
  });
}

t.test('none', async (t) => {
  t.throws(() => requireLibreOffice(t.testdir({})), { message: /not installed/ });
});

t.test('one that does not say its version', async (t) => {
  const programs = t.testdir({ 'libswlo.so': '', bootstraprc: '' });
  t.throws(() => requireLibreOffice(programs), { message: /of an unknown version/ });
});
