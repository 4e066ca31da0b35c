/** Which files a client of the MCP server reaches. */
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import t, { type Test } from 'tap';
import { Reach } from '../../../src/cli/mcp/reach.ts';

const outside = { code: 'INVALID_PARAMETER', message: / is outside of the folders that are open here: / };
const content = () => Readable.from(['new']);

/** A folder that is open, `data`, and what is beside it. */
async function folders(t: Test) {
  const root = t.testdir({
    data: {
      'a.docx': 'a',
      inner: { 'b.docx': 'b', 'b.pdf': 'former' },
      'to-secret.docx': t.fixture('symlink', '../secret.docx'),
      'to-secret.pdf': t.fixture('symlink', '../secret.docx'),
      'to-etc': t.fixture('symlink', '/etc'),
      'to-beside': t.fixture('symlink', '../data-evil'),
      'to-inner': t.fixture('symlink', 'inner'),
      'to-nothing': t.fixture('symlink', '../not-there'),
      loop: t.fixture('symlink', 'loop'),
    },
    'data-evil': { 'c.docx': 'c' },
    'secret.docx': 'secret',
    'to-data': t.fixture('symlink', 'data'),
  });
  const data = join(root, 'data');
  return { root, data, reach: await Reach.open([data]) };
}

t.test('files in a folder can be read', async (t) => {
  const { root, data, reach } = await folders(t);
  const read = async (path: string, bytes = 100) => (await reach.readFirst(path, bytes)).toString();
  t.equal(await read(join(data, 'a.docx')), 'a');
  t.equal(await read('a.docx'), 'a', 'a relative path');
  t.equal(await read('./inner/../inner//b.docx'), 'b');
  t.equal(await read('to-inner/b.docx'), 'b', 'through a link that stays inside');
  t.equal(await read('inner/b.pdf', 3), 'for', 'no more than is asked for');
  const linked = await Reach.open([join(root, 'to-data'), join(root, 'data-evil')]);
  t.equal((await linked.readFirst(join(root, 'to-data/a.docx'), 9)).toString(), 'a', 'as it was named');
  t.equal((await linked.readFirst(join(data, 'a.docx'), 9)).toString(), 'a', 'as it really is');
  t.equal((await linked.readFirst(join(root, 'data-evil/c.docx'), 9)).toString(), 'c');
  t.ok(await reach.has(join(data, 'to-inner/b.docx')));
  t.notOk(await reach.has(join(data, 'to-secret.docx')));
});

t.test('no path leads out of the folders', async (t) => {
  const { root, data, reach } = await folders(t);
  for (const path of [
    join(root, 'secret.docx'),
    join(root, 'data-evil/c.docx'),
    root,
    '/etc/passwd',
    '/',
    '../secret.docx',
    'inner/../../secret.docx',
    `${data}/../secret.docx`,
    'to-secret.docx',
    'to-etc/passwd',
    'to-beside/c.docx',
  ]) {
    await t.rejects(reach.readFirst(path, 10), outside, path);
  }
  for (const path of [join(root, 'new.pdf'), '../new.pdf', 'to-etc/new.pdf', 'to-beside/inner/new.pdf']) {
    await t.rejects(reach.assertFree(path, true), outside, path);
    await t.rejects(reach.write(path, content(), true), outside, path);
  }
  t.strictSame((await readdir(root)).sort(), ['data', 'data-evil', 'secret.docx', 'to-data']);
  t.strictSame(await readdir(join(root, 'data-evil')), ['c.docx'], 'no folder was made, either');
});

t.test('a link that comes after the start leads nowhere', async (t) => {
  const { root, data, reach } = await folders(t);
  await rm(join(data, 'a.docx'));
  await symlink('../secret.docx', join(data, 'a.docx'));
  await rename(join(data, 'inner'), join(data, 'was-inner'));
  await symlink('../data-evil', join(data, 'inner'));
  await t.rejects(reach.readFirst('a.docx', 10), outside);
  await t.rejects(reach.readFirst('inner/c.docx', 10), outside);
  await t.rejects(reach.write('inner/new.pdf', content(), true), outside);
  // The folder itself.
  await rename(data, join(root, 'was-data'));
  await symlink('data-evil', data);
  await t.rejects(reach.readFirst('c.docx', 10), outside);
});

t.test('files that change places while they are opened give what is inside, or nothing', async (t) => {
  const { root, data, reach } = await folders(t);
  const swapped = join(data, 'swapped');
  let isOver = false;
  const swap = async () => {
    while (!isOver) {
      for (const target of ['inner', '../data-evil']) {
        await symlink(target, `${swapped}.new`);
        await rename(`${swapped}.new`, swapped);
      }
    }
  };
  await writeFile(join(root, 'data-evil/b.docx'), 'evil');
  await symlink('inner', swapped);
  const swapping = swap();
  const seen = new Set<string>();
  for (let round = 0; round < 10 || seen.size < 2; round++) {
    const read = await reach.readFirst('swapped/b.docx', 10).then(String, ({ code }) => code);
    seen.add(read);
    await reach.write('swapped/b.pdf', content(), true).catch(({ code }) => seen.add(code));
  }
  isOver = true;
  await swapping;
  t.strictSame([...seen].sort(), ['INVALID_PARAMETER', 'b']);
  t.strictSame((await readdir(join(root, 'data-evil'))).sort(), ['b.docx', 'c.docx']);
});

t.test('only files are read, and nothing waits', async (t) => {
  const { data, reach } = await folders(t);
  execFileSync('mkfifo', [join(data, 'pipe.docx')]);
  for (const path of ['pipe.docx', 'inner', '.']) {
    await t.rejects(reach.readFirst(path, 10), { code: 'MISSING_FILE', message: `${path} is not a file.` });
  }
  // The path of a socket has at most 108 bytes.
  const short = await mkdtemp(join(tmpdir(), 'reach-'));
  t.teardown(() => rm(short, { recursive: true }));
  const server = createServer().listen(join(short, 'socket.docx'));
  t.teardown(() => server.close());
  await once(server, 'listening');
  const sockets = await Reach.open([short]);
  await t.rejects(sockets.readFirst('socket.docx', 10), { message: 'socket.docx is not a file.' });
  const devices = await Reach.open(['/dev']);
  await t.rejects(devices.readFirst('/dev/zero', 10), { message: '/dev/zero is not a file.' });
  await t.rejects(reach.readFirst('none.docx', 10), {
    code: 'MISSING_FILE',
    message: 'There is no none.docx.',
  });
  await t.rejects(reach.readFirst('to-nothing', 10), { message: 'There is no to-nothing.' });
  await t.rejects(reach.readFirst('loop', 10), { message: 'loop cannot be read: ELOOP.' });
  await t.rejects(reach.readFirst('a.docx/b.docx', 10), {
    message: 'a.docx/b.docx cannot be read: ENOTDIR.',
  });
});

t.test('strange paths are refused, and messages repeat no control characters', async (t) => {
  const { reach } = await folders(t);
  for (const path of ['a\0.docx', 'a\n.docx', '\u001b[2J.docx', 'a\u0085.docx']) {
    await t.rejects(reach.readFirst(path, 10), {
      code: 'INVALID_PARAMETER',
      message: 'A path has a control character. Rename the file.',
    });
  }
  await t.rejects(reach.readFirst(`${'a/'.repeat(2_000)}b.docx`, 10), {
    message: /^(a\/){100}… cannot be read: /,
  });
  await t.rejects(reach.readFirst('x'.repeat(300), 10), { message: /cannot be read: ENAMETOOLONG\.$/ });
  await t.rejects(reach.readFirst('\u202egpj.docx', 10), { message: 'There is no ?gpj.docx.' });
});

t.test('a PDF gets a name that is free, in a folder that is made', async (t) => {
  const { data, reach } = await folders(t);
  await reach.assertFree('new/folder/a.pdf', false);
  t.equal(await reach.write('new/folder/a.pdf', content(), false), 3, 'its size');
  t.equal(await readFile(join(data, 'new/folder/a.pdf'), 'utf8'), 'new');
  t.strictSame(await readdir(join(data, 'new/folder')), ['a.pdf'], 'and no draft');

  const taken = {
    code: 'INVALID_PARAMETER',
    message: 'inner/b.pdf is there already. Set overwrite to replace it, or name another PDF.',
  };
  await t.rejects(reach.assertFree('inner/b.pdf', false), taken);
  await t.rejects(reach.write('inner/b.pdf', content(), false), taken);
  t.equal(await readFile(join(data, 'inner/b.pdf'), 'utf8'), 'former');
  await reach.write('inner/b.pdf', content(), true);
  t.equal(await readFile(join(data, 'inner/b.pdf'), 'utf8'), 'new');
});

t.test('nothing but a PDF is written', async (t) => {
  const { root, data, reach } = await folders(t);
  for (const path of ['a.docx', 'new', 'new.pdf/x', '.pdf', 'new.pdf.sh', '.bashrc']) {
    await t.rejects(reach.write(path, content(), true), {
      code: 'INVALID_PARAMETER',
      message: `${path} does not end in .pdf.`,
    });
  }
  execFileSync('mkfifo', [join(data, 'pipe.pdf')]);
  for (const path of ['to-secret.pdf', 'pipe.pdf']) {
    await t.rejects(reach.assertFree(path, true), { message: `${path} is not a file.` });
    await t.rejects(reach.write(path, content(), true), { message: `${path} is not a file.` });
  }
  t.equal(await readFile(join(root, 'secret.docx'), 'utf8'), 'secret');
  await t.rejects(reach.write('a.docx/new.pdf', content(), true), {
    message: 'a.docx/new.pdf cannot be written: ENOTDIR: not a directory.',
  });
  await t.rejects(reach.write('to-nothing/new.pdf', content(), true), {
    message: 'to-nothing/new.pdf cannot be written: ENOENT: no such file or directory.',
  });
});

t.test('of two PDFs of one name that come at a time, one is refused', async (t) => {
  const { data, reach } = await folders(t);
  const both = ['one', 'two'].map((text) => reach.write('same.pdf', Readable.from([text]), false));
  const results = await Promise.allSettled(both);
  t.strictSame(results.map(({ status }) => status).sort(), ['fulfilled', 'rejected']);
  t.match(await readFile(join(data, 'same.pdf'), 'utf8'), /^(one|two)$/);
});

t.test('a PDF that is not written is closed', async (t) => {
  const { reach } = await folders(t);
  const pdf = content();
  await t.rejects(reach.write('../a.pdf', pdf, true), outside);
  t.ok(pdf.destroyed);
});

t.test('what is no folder cannot be opened to a client', async (t) => {
  const { root } = await folders(t);
  for (const name of ['secret.docx', 'not-there']) {
    await t.rejects(Reach.open([join(root, name)]), { message: `there is no folder ${join(root, name)}` });
  }
});
