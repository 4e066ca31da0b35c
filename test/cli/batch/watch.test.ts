/** Documents that come into a folder. What converts writes the document's text. */
import { execFileSync } from 'node:child_process';
import { copyFile, mkdir, readFile, rename, rm, symlink, utimes, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import t, { type Test } from 'tap';
import type { BatchDocument } from '../../../src/cli/batch/inputs.ts';
import { watchFolder } from '../../../src/cli/batch/watch.ts';
import { until } from '../../support/until.ts';

const OLD = new Date('2020-01-01');
const READ_MS = 500;

interface Watched {
  readonly inbox: string;
  readonly out: string;
  /** Names of documents. */
  readonly converted: string[];
  readonly refused: string[];
  readonly ended: Promise<void>;
  /** Called while a document is converted. */
  during: (document: BatchDocument) => Promise<void>;
  /** Whether the next document is done. */
  isDone: boolean;
  stop(): Promise<void>;
  pdf(name: string): Promise<string | undefined>;
}

/** A watched folder, and what is done with its documents. */
async function watching(
  t: Test,
  content: Readonly<Record<string, string>> = {},
  isLinked = false,
  others: readonly string[] = [],
): Promise<Watched> {
  const folder = t.testdir({ in: content, out: Object.fromEntries(others.map((name) => [name, 'read'])) });
  const [inbox, out] = [join(folder, 'in'), join(folder, 'out')];
  const link = join(folder, 'link');
  await symlink(inbox, link);
  const ending = new AbortController();
  const [converted, refused]: [string[], string[]] = [[], []];
  const ended = watchFolder(
    {
      folder: isLinked ? link : inbox,
      types: ['docx'],
      out,
      workers: 2,
      others: others.map((name) => join(out, name)),
      signal: ending.signal,
      readMs: READ_MS,
      againMs: 1,
    },
    async (document) => {
      const text = await readFile(document.path);
      await watched.during(document);
      if (!watched.isDone) {
        watched.isDone = true;
        return false;
      }
      await mkdir(out, { recursive: true });
      await writeFile(document.output, text);
      converted.push(basename(document.path));
      return true;
    },
    ({ path }, message) => refused.push(`${basename(path)}: ${message}`),
  );
  const stop = async () => {
    ending.abort();
    await ended;
  };
  t.teardown(() => stop().catch(() => {}));
  const pdf = (name: string) => readFile(join(out, name), 'utf8').catch(() => undefined);
  const watched: Watched = {
    inbox,
    out,
    converted,
    refused,
    ended,
    during: async () => {},
    isDone: true,
    stop,
    pdf,
  };
  return watched;
}

t.test('a document that changes while it is converted is converted again', async (t) => {
  const watched = await watching(t);
  let isFirst = true;
  watched.during = async ({ path }) => {
    if (isFirst) await writeFile(path, 'second');
    isFirst = false;
  };
  await writeFile(join(watched.inbox, 'a.docx'), 'first');
  await until('the second is there', async () => (await watched.pdf('a.pdf')) === 'second');
  await watched.stop();
});

t.test('a document with an old time of modification takes the place of another one', async (t) => {
  const watched = await watching(t, { 'a.docx': 'new' });
  await until('the first is there', async () => (await watched.pdf('a.pdf')) === 'new');
  const other = join(watched.out, 'other');
  await writeFile(other, 'old');
  await utimes(other, OLD, OLD);
  await rename(other, join(watched.inbox, 'a.docx'));
  await until('the other one is there', async () => (await watched.pdf('a.pdf')) === 'old');
  await watched.stop();
});

t.test('two documents with the same PDF: the second is refused until the first is gone', async (t) => {
  const watched = await watching(t);
  const [first, second] = ['a.docx', 'a.DOCX'].map((name) => join(watched.inbox, name)) as [string, string];
  await writeFile(first, 'first');
  await until('the first is there', async () => (await watched.pdf('a.pdf')) === 'first');
  await writeFile(second, 'second');
  await until('the second is refused', () => watched.refused.length > 0);
  t.match(watched.refused[0], /^a\.DOCX: .*a\.docx has the same PDF, .*a\.pdf/);
  t.equal(await watched.pdf('a.pdf'), 'first');
  await rm(first);
  await utimes(second, new Date(), new Date());
  await until('it is converted', async () => (await watched.pdf('a.pdf')) === 'second');
  t.equal(watched.refused.length, 1);
  await watched.stop();
});

t.test('of two documents with the same PDF that come together, one is refused', async (t) => {
  const watched = await watching(t);
  await Promise.all(['b.docx', 'b.DOCX'].map((name) => writeFile(join(watched.inbox, name), name)));
  await until('one is refused', () => watched.refused.length > 0);
  await until('the other is converted', () => watched.converted.length > 0);
  await watched.stop();
  const [converted = ''] = watched.converted;
  t.strictSame([watched.converted.length, watched.refused.length], [1, 1]);
  t.match(watched.refused[0], `${converted} has the same PDF`);
});

t.test('a document that is not done is tried again', async (t) => {
  const watched = await watching(t);
  watched.isDone = false;
  await writeFile(join(watched.inbox, 'a.docx'), 'a');
  await until('it is converted', async () => (await watched.pdf('a.pdf')) === 'a');
  t.ok(watched.isDone);
  await writeFile(join(watched.inbox, 'b.docx'), 'b');
  await until('another one is converted', async () => (await watched.pdf('b.pdf')) === 'b');
  t.strictSame(watched.converted, ['a.docx', 'b.docx'], 'once each');
  await watched.stop();
});

t.test('a PDF does not take the place of a file that is read', async (t) => {
  const watched = await watching(t, {}, false, ['a.pdf']);
  await writeFile(join(watched.inbox, 'a.docx'), 'a');
  await writeFile(join(watched.inbox, 'b.docx'), 'b');
  await until('the other is there', async () => (await watched.pdf('b.pdf')) === 'b');
  await until('it is refused', () => watched.refused.length > 0);
  t.match(watched.refused[0], /^a\.docx: its PDF would replace a file that is read, .*a\.pdf: /);
  t.equal(await watched.pdf('a.pdf'), 'read');
  await watched.stop();
});

t.test('names that are not UTF-8 are refused once, and hide no others', async (t) => {
  const watched = await watching(t);
  const named = (end: string) =>
    Buffer.concat([Buffer.from(`${watched.inbox}/a`), Buffer.from([0xe9]), Buffer.from(end)]);
  await mkdir(named(''));
  await writeFile(named('.docx'), 'a');
  await until('both are refused', () => watched.refused.length > 1);
  for (const name of ['b', 'c']) {
    await writeFile(join(watched.inbox, `${name}.docx`), name);
    await until('it is converted', async () => (await watched.pdf(`${name}.pdf`)) === name);
  }
  t.strictSame(
    watched.refused.sort(),
    [
      'a\ufffd.docx: Its name is not UTF-8, so it cannot be opened. Rename it.',
      `a\ufffd: the folder ${watched.inbox}/a\ufffd cannot be read: its name is not UTF-8`,
    ],
    'though the folder was read again',
  );
  await watched.stop();
});

t.test('only files are converted', async (t) => {
  const watched = await watching(t, { 'a.docx': 'a' });
  execFileSync('mkfifo', [join(watched.inbox, 'pipe.docx')]);
  await symlink(join(watched.inbox, 'a.docx'), join(watched.inbox, 'link.docx'));
  await symlink('/etc', join(watched.inbox, 'folder.docx'));
  await writeFile(join(watched.inbox, 'note.txt'), 'text');
  await copyFile(join(watched.inbox, 'a.docx'), join(watched.inbox, 'b.docx'));
  await until('both are there', () => watched.converted.length >= 2);
  await watched.stop();
  t.strictSame(watched.converted.sort(), ['a.docx', 'b.docx']);
});

t.test('a folder that is removed ends the watch', async (t) => {
  const watched = await watching(t, { 'a.docx': 'a' });
  await until('it watches', async () => (await watched.pdf('a.pdf')) === 'a');
  await rename(watched.inbox, `${watched.inbox}-gone`);
  await t.rejects(watched.ended, { message: `the folder ${watched.inbox} is gone` });
});

t.test('a link to a folder is watched as the folder', async (t) => {
  const watched = await watching(t, {}, true);
  await writeFile(join(watched.inbox, 'a.docx'), 'a');
  await until('it is converted', async () => (await watched.pdf('a.pdf')) === 'a');
  await watched.stop();
});
