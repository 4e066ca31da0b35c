/** Which LibreOffice the service starts with. */
import t, { type Test } from 'tap';
import { requireLibreOffice } from '../../src/engine/libreoffice.ts';

/** A folder of program files, beside the settings that say this of the version. */
const programs = (t: Test, version: string) =>
  `${t.testdir({
    program: { 'libswlo.so': '' },
    share: {
      registry: {
        'main.xcd':
          '<prop oor:name="ooSetupVersion">\n <value>1.0</value>\n</prop>\n' +
          `<prop oor:name="ooSetupVersionAboutBox">\n <value>${version}</value>\n</prop>`,
      },
    },
  })}/program`;

t.test('the installed one', async (t) => {
  t.match(requireLibreOffice(), /^\d+\.[28]\.\d+\.\d+$/);
});

t.test('versions that are new enough', async (t) => {
  for (const version of ['25.2.3.2', '26.8.2.2']) t.equal(requireLibreOffice(programs(t, version)), version);
});

t.test('versions that are too old', async (t) => {
  for (const version of ['7.4.7.2', '24.8.1.2'])
    t.throws(() => requireLibreOffice(programs(t, version)), {
      message: `LibreOffice ${version} is too old: Platen needs 25.2 or later. Debian 13 and the backports`,
    });
});

t.test('none', async (t) => {
  t.throws(() => requireLibreOffice(t.testdir({})), { message: /not installed/ });
});

t.test('one that does not say its version', async (t) => {
  t.throws(() => requireLibreOffice(programs(t, '')), { message: /of an unknown version/ });
});
