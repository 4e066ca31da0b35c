/** Shared memory, where another user has taken the name of the folder for documents, or a dead server all the space. */
import { existsSync } from 'node:fs';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import t from 'tap';
import { endsCleanly, isPdf } from '../e2e/support/assertions.ts';
import { convert } from '../e2e/support/requests.ts';
import { docx } from '../support/documents.ts';
import { Server } from '../support/server.ts';
import { namespace, noSmallDisk } from './support/small-disk.ts';

/** Large enough for jobs. Only root can create another user's folder; a link is as bad. */
const taken = `mount -t tmpfs -o size=2g,mode=1777 none /dev/shm &&
  name=/dev/shm/platen-$(printf %s "$DATA_DIR" | sha256sum | cut -c 1-12) &&
  mkdir "$name" && { chown 65534 "$name" || { rmdir "$name" && ln -s "$DATA_DIR" "$name"; }; } && exec "$@"`;

const DEAD = 'server-00000000-0000-4000-8000-000000000000';

/** Shared memory that would be large enough, without a dead server's documents. */
const filled = `mount -t tmpfs -o size=1100m,mode=1777 none /dev/shm &&
  name=/dev/shm/platen-$(printf %s "$DATA_DIR" | sha256sum | cut -c 1-12) &&
  dead=$name/${DEAD} && mkdir -m 700 "$name" "$dead" &&
  touch "$name/owner.lock" "$dead/owner.lock" && head -c 100m /dev/zero >"$dead/document" && exec "$@"`;

t.test(
  'documents do not go to a disk because of what a dead server left',
  { skip: noSmallDisk() },
  async (t) => {
    const dataDir = await mkdtemp('/var/tmp/platen-');
    t.teardown(() => rm(dataDir, { recursive: true, force: true }));
    const server = await Server.start({
      dataDir,
      env: { WORK_DIR: '' },
      wrapper: [...namespace, 'sh', '-c', filled, 'sh'],
    });
    t.teardown(() => server.process.kill('SIGKILL'));
    // As the server sees it: nobody else has it mounted.
    const memory = `/proc/${server.pid}/root/dev/shm`;
    const [name = ''] = await readdir(memory);
    const entries = (await readdir(join(memory, name))).sort();
    t.match(entries, ['owner.lock', /^server-/]);
    t.notOk(entries.includes(DEAD));
    t.notOk(existsSync(server.workDir));
  },
);

t.test('documents go to the data folder', { skip: noSmallDisk() }, async (t) => {
  // Not below the tmpfs, where the folder for temporary files may be.
  const dataDir = await mkdtemp('/var/tmp/platen-');
  t.teardown(() => rm(dataDir, { recursive: true, force: true }));
  const server = await Server.start({
    dataDir,
    env: { WORK_DIR: '' },
    wrapper: [...namespace, 'sh', '-c', taken, 'sh'],
  });
  t.teardown(() => server.process.kill('SIGKILL'));
  t.match(
    server.log.filter(({ msg }) => msg === 'a folder for documents cannot be used'),
    [
      {
        reason: /^(the folder for documents .*)?\/dev\/shm\/platen-[0-9a-f]{12} is/,
        instead: server.workDir,
      },
    ],
  );
  const { key } = await server.createKey();
  await isPdf(t, await convert(server, key, docx()), 'Hello from Platen.');
  t.match((await readdir(server.workDir)).sort(), ['owner.lock', /^server-/]);
  await endsCleanly(t, server);
});
