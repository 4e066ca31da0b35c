import { spawnSync } from 'node:child_process';
import { closeSync, existsSync, readFileSync } from 'node:fs';
import { chmod, chown, mkdir, readdir, readFile, stat, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import t, { type Test } from 'tap';
import { openOutput } from '../../src/convert/pdf/output-file.ts';
import { Workspaces, workFolders } from '../../src/convert/workspace.ts';
import { noSmallDisk } from '../fault/support/small-disk.ts';
import { RecordingLog, temporaryFolder } from '../support/kit.ts';

const { log } = new RecordingLog();

async function openWorkspaces(t: Test, root: string, limit = 10): Promise<Workspaces> {
  const workspaces = await Workspaces.open(root, limit, log);
  t.teardown(() => workspaces.close());
  return workspaces;
}

async function foldersIn(root: string): Promise<string[]> {
  const entries = await readdir(root, { withFileTypes: true });
  return entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
}

t.test('a workspace is a folder that only we can enter', async (t) => {
  const root = join(await temporaryFolder(t), 'jobs');
  const workspaces = await openWorkspaces(t, root);
  const workspace = workspaces.create();
  const [server = ''] = await foldersIn(root);
  for (const folder of [root, join(root, server), workspace.folder]) {
    t.equal((await stat(folder)).mode & 0o777, 0o700, folder);
  }
  t.match(workspace.id, /^[\w-]{1,64}$/, 'its id is one that the kit takes');
  t.equal(workspace.input, join(workspace.folder, 'upload'));
  t.not(workspaces.create().folder, workspace.folder);
});

t.test('what is not ours stays, whatever it is called', async (t) => {
  const root = await temporaryFolder(t);
  for (const name of [
    'precious',
    'server-backup',
    'server-',
    'a-server-00000000-0000-0000-0000-000000000000',
  ]) {
    await mkdir(join(root, name));
    await writeFile(join(root, name, 'file'), 'theirs');
  }
  const before = (await foldersIn(root)).sort();
  const workspaces = await Workspaces.open(root, 1, log);
  await workspaces.close();
  t.strictSame((await foldersIn(root)).sort(), before);
});

t.test('a root that others may write to is refused', async (t) => {
  const root = await temporaryFolder(t);
  await chmod(root, 0o777);
  await t.rejects(Workspaces.open(root, 1, log), { name: 'OperatorError' });
});

t.test('a workspace goes with all that is in it, and can go twice', async (t) => {
  const workspaces = await openWorkspaces(t, await temporaryFolder(t));
  const workspace = workspaces.create();
  await mkdir(join(workspace.folder, 'tmp/deep'), { recursive: true });
  await writeFile(join(workspace.folder, 'output.pdf'), 'the PDF');
  const output = openOutput(workspace.folder);
  await workspace.dispose();
  t.notOk(existsSync(workspace.folder));
  t.equal(readFileSync(output, 'utf8'), 'the PDF', 'an open file stays readable');
  closeSync(output);
  await workspace.dispose();
});

t.test(
  'a folder that cannot be removed is logged, and changes no result',
  { skip: noSmallDisk() },
  async (t) => {
    const recording = new RecordingLog();
    const workspaces = await Workspaces.open(await temporaryFolder(t), 1, recording.log);
    const workspace = workspaces.create();
    const busy = join(workspace.folder, 'busy');
    await mkdir(busy);
    t.equal(spawnSync('mount', ['-t', 'tmpfs', 'none', busy]).status, 0);
    try {
      await workspace.dispose();
    } finally {
      t.equal(spawnSync('umount', [busy]).status, 0);
    }
    t.equal(recording.count('a job folder could not be removed'), 1);
    t.doesNotThrow(() => workspaces.create(), 'its place is free');
    await workspaces.close();
  },
);

t.test('disposing does not follow links out of the workspace', async (t) => {
  const root = await temporaryFolder(t);
  const workspaces = await openWorkspaces(t, join(root, 'jobs'));
  await mkdir(join(root, 'elsewhere'));
  await writeFile(join(root, 'elsewhere/precious'), 'still here');
  const workspace = workspaces.create();
  await symlink(join(root, 'elsewhere'), join(workspace.folder, 'tmp'));
  await workspace.dispose();
  t.equal(await readFile(join(root, 'elsewhere/precious'), 'utf8'), 'still here');
});

t.test('a link in place of the output is not followed', async (t) => {
  const workspaces = await openWorkspaces(t, await temporaryFolder(t));
  const workspace = workspaces.create();
  await writeFile(join(workspace.folder, 'secret'), 'secret');
  await symlink(join(workspace.folder, 'secret'), join(workspace.folder, 'output.pdf'));
  t.throws(() => openOutput(workspace.folder), { code: 'ELOOP' });
});

t.test('a missing output is an error', async (t) => {
  const workspaces = await openWorkspaces(t, await temporaryFolder(t));
  t.throws(() => openOutput(workspaces.create().folder), { code: 'ENOENT' });
});

t.test('only so many are open at a time', async (t) => {
  const workspaces = await openWorkspaces(t, await temporaryFolder(t), 2);
  const first = workspaces.create();
  workspaces.create();
  t.throws(() => workspaces.create(), { code: 'OVERLOADED', reason: 'workspaces', retryAfter: 1 });
  t.throws(() => workspaces.create(2), { code: 'OVERLOADED' });
  await first.dispose();
  workspaces.create();
  t.throws(() => workspaces.create(), { code: 'OVERLOADED' });
});

t.test('a folder that went missing is an outage', async (t) => {
  const root = await temporaryFolder(t);
  const workspaces = await openWorkspaces(t, root, 1);
  await workspaces.close();
  t.throws(() => workspaces.create(), { code: 'SERVICE_UNAVAILABLE' });
  t.throws(() => workspaces.create(), { code: 'SERVICE_UNAVAILABLE' }, 'and takes no place');
});

t.test('a start removes what dead servers left, and nothing of the living', async (t) => {
  const root = await temporaryFolder(t);
  const living = await openWorkspaces(t, root);
  const theirs = living.create();
  const [livingFolder = ''] = await foldersIn(root);

  // What a server that was killed leaves: its folder, its lock file that nobody holds, and jobs.
  const dead = livingFolder.replace(/[0-9a-f]{12}$/, '000000000000');
  await mkdir(join(root, dead, 'job/tmp'), { recursive: true });
  await writeFile(join(root, dead, 'owner.lock'), '1\n');
  await writeFile(join(root, dead, 'job/input.docx'), 'a document');

  const ours = await openWorkspaces(t, root);
  t.notOk(existsSync(join(root, dead)));
  t.ok(existsSync(theirs.folder));
  t.equal((await foldersIn(root)).length, 2);
  await ours.close();
  t.same(await foldersIn(root), [livingFolder], 'a server takes its own folder with it');
});

t.test('a start touches nothing that is not a server’s', async (t) => {
  const root = await temporaryFolder(t);
  await mkdir(join(root, 'home/documents'), { recursive: true });
  await writeFile(join(root, 'home/documents/thesis.docx'), 'years of work');
  await openWorkspaces(t, root);
  t.equal(await readFile(join(root, 'home/documents/thesis.docx'), 'utf8'), 'years of work');
});

t.test('servers that start at the same time get along', async (t) => {
  const root = await temporaryFolder(t);
  const servers = await Promise.all(Array.from({ length: 5 }, () => openWorkspaces(t, root)));
  for (const server of servers) await server.create();
  t.equal((await foldersIn(root)).length, 5);
});

t.test('a file in place of the folder is refused', async (t) => {
  const file = join(await temporaryFolder(t), 'file');
  await writeFile(file, '');
  await t.rejects(Workspaces.open(join(file, 'jobs'), 1, log), {
    name: 'OperatorError',
    message: /not a directory/,
  });
});

t.test('job folders go to shared memory, apart for every data folder, or to the data folder', async (t) => {
  const foldersOf = (dataDir: string) => workFolders({ dataDir, workDir: undefined });
  const [one, two] = [await foldersOf('/one'), await foldersOf('/two')];
  t.equal(one.at(-1), '/one/jobs');
  t.equal(two.at(-1), '/two/jobs');
  for (const folders of [one, two]) {
    t.ok(folders.slice(0, -1).every((folder) => folder.startsWith('/dev/shm/platen-')));
  }
  t.equal(one.length, two.length);
  t.not(one[0], two[0]);
  t.same(await workFolders({ dataDir: '/one', workDir: '/two' }), ['/two']);
});

/** A folder of another user's: root can make one, and others are not root. */
async function folderOfAnother(t: Test): Promise<string> {
  if (process.getuid?.() !== 0) return '/usr';
  const folder = await temporaryFolder(t);
  await chown(folder, 65_534, 65_534);
  return folder;
}

/** A link of its user's own to a folder of its own, in a folder where everybody may make one. */
async function linkAmongOthers(t: Test): Promise<string> {
  const folder = await temporaryFolder(t);
  await chmod(folder, 0o1777);
  await symlink(await temporaryFolder(t), join(folder, 'jobs'));
  return join(folder, 'jobs');
}

for (const [name, taken] of [
  ['another user’s folder', folderOfAnother],
  ['a link that anybody can have made', linkAmongOthers],
] as const) {
  t.test(`${name} is no place for jobs: the next one is, and the log says so`, async (t) => {
    const [root, next] = [await taken(t), join(await temporaryFolder(t), 'jobs')];
    const before = await readdir(root);
    await t.rejects(Workspaces.open(root, 1, log), { name: 'OperatorError' });
    const recording = new RecordingLog();
    const workspaces = await Workspaces.openFirst([root, next], 1, recording.log);
    t.teardown(() => workspaces.close());
    t.ok(workspaces.create().folder.startsWith(`${next}/`));
    t.match(recording.lines, [
      { message: 'a folder for documents cannot be used', fields: { reason: root, instead: next } },
    ]);
    t.strictSame(await readdir(root), before, 'nothing was written there');
  });
}

t.test('a link that only its user can have made is followed', async (t) => {
  const folder = await temporaryFolder(t);
  const target = await temporaryFolder(t);
  await symlink(target, join(folder, 'jobs'));
  const log = new RecordingLog();
  const workspaces = await Workspaces.openFirst([join(folder, 'jobs'), join(folder, 'other')], 1, log.log);
  t.teardown(() => workspaces.close());
  t.equal((await foldersIn(target)).length, 1);
  t.strictSame(log.lines, []);
});

t.test('a workspace of several documents takes several places, and has one for each', async (t) => {
  const workspaces = await Workspaces.open(await temporaryFolder(t), 4, log);
  const whole = workspaces.create(4);
  t.throws(() => workspaces.create(), { code: 'OVERLOADED', reason: 'workspaces' });
  const [one, two] = [whole.inside(), whole.inside()];
  t.equal(dirname(one.folder), whole.folder);
  t.not(one.id, two.id);
  await one.dispose();
  t.notOk(existsSync(one.folder));
  t.throws(() => workspaces.create(), { code: 'OVERLOADED' }, 'it takes no place of its own');
  await whole.dispose();
  t.notOk(existsSync(two.folder));
  t.doesNotThrow(() => workspaces.create(4));
});
