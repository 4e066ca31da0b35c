/** Starts that cannot succeed, and starts that are cut off. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFile, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import t, { type Test } from 'tap';

const root = fileURLToPath(new URL('../..', import.meta.url));
const main = join(root, 'dist/main.js');

async function temporaryFolder(t: Test): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'platen-start-'));
  t.teardown(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

function start(dataDir: string, env: Readonly<Record<string, string>>) {
  return spawn(process.execPath, [main], {
    env: { PATH: process.env.PATH, DATA_DIR: dataDir, WORK_DIR: join(dataDir, 'jobs'), PORT: '0', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

t.test('a mistake of the operator is one line that names it', async (t) => {
  const taken = createServer().listen(0, '127.0.0.1');
  await once(taken, 'listening');
  t.teardown(() => taken.close());
  const { port } = taken.address() as { port: number };
  const folder = await temporaryFolder(t);
  const file = join(folder, 'file');
  await writeFile(file, '');
  const mistakes: readonly (readonly [string, Readonly<Record<string, string>>, RegExp])[] = [
    [
      'a port that is taken',
      { PORT: String(port), HOST: '127.0.0.1' },
      /HOST 127\.0\.0\.1, PORT \d+: .*EADDRINUSE/,
    ],
    ['a file in place of the folder for documents', { WORK_DIR: file }, /WORK_DIR.*not a folder/],
    [
      'a mistake in the path of the folder for documents',
      { WORK_DIR: join(folder, 'mistake', 'jobs') },
      /WORK_DIR.*there is no \S+mistake;/,
    ],
    ['a file in the path of the data folder', { DATA_DIR: join(file, 'data') }, /DATA_DIR.*ENOTDIR/],
    [
      'an engine without a sandbox where one is required',
      { ENGINE: 'cold', SANDBOX: 'required' },
      /SANDBOX=required needs ENGINE=kit/,
    ],
    ['a value that is none', { WORKERS: 'many' }, /WORKERS must be integer/],
  ];
  for (const [what, env, message] of mistakes) {
    const child = start(folder, env);
    child.stdout.resume();
    const [stderr, [code]] = await Promise.all([text(child.stderr), once(child, 'exit')]);
    t.equal(code, 1, what);
    t.match(stderr, message, what);
    t.match(stderr, /^platen: .*\n$/, `${what}: one line`);
  }
});

t.test('a program that is not built says how to build it', async (t) => {
  const folder = await temporaryFolder(t);
  await mkdir(join(folder, 'scripts'));
  for (const file of ['package.json', 'scripts/built.sh'])
    await copyFile(join(root, file), join(folder, file));
  for (const script of ['serve', 'platen']) {
    const { PATH } = process.env;
    const child = spawn('npm', ['run', '-s', script], { cwd: folder, env: { PATH, HOME: folder } });
    const [stderr, [code]] = await Promise.all([text(child.stderr), once(child, 'exit')]);
    t.equal(code, 1, script);
    t.match(stderr, /^platen: .*npm run build"\n$/, script);
  }
});

t.test('SIGTERM before anything is open', async (t) => {
  const child = start(await temporaryFolder(t), { LOG_LEVEL: 'debug' });
  const stdout = text(child.stdout);
  child.stderr.resume();
  // The signal handler is installed before the first log line.
  await once(child.stdout, 'readable');
  child.kill('SIGTERM');
  const [code, signal] = await once(child, 'exit');
  t.strictSame([code, signal], [0, null], await stdout);
});
