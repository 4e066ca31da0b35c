/** The configuration of commands that convert on this machine. */
import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { localConfig } from '../../../src/cli/local/local-config.ts';
import { OperatorError } from '../../../src/errors.ts';

const OPEN_TO_ITS_OWNER = 0o700;

t.test('without DATA_DIR, each user has a folder for temporary files', async (t) => {
  const folder = t.testdir({});
  const { TMPDIR } = process.env;
  process.env.TMPDIR = folder;
  t.teardown(() => {
    if (TMPDIR === undefined) delete process.env.TMPDIR;
    else process.env.TMPDIR = TMPDIR;
  });
  const { dataDir, workers } = await localConfig({}, 3);
  t.equal(dataDir, join(folder, `platen-${process.getuid?.()}`));
  t.equal(statSync(dataDir).mode & 0o777, OPEN_TO_ITS_OWNER);
  t.equal(workers, 3);
  t.equal((await localConfig({}, 3)).dataDir, dataDir, 'also the next time');
  // The folder is then made by somebody else than whose name it has.
  t.intercept(process, 'getuid', { value: () => 4_000_000 });
  await t.rejects(
    localConfig({}),
    new OperatorError(
      `another user owns ${join(folder, 'platen-4000000')}; set DATA_DIR to a folder of your own`,
    ),
  );
  const own = join(folder, 'own');
  t.equal((await localConfig({ DATA_DIR: own })).dataDir, own);
  t.notOk(existsSync(own), 'which is made when it is needed');
});
