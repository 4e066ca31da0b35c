/** Which documents a command line names, and where their PDFs go. */
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import t from 'tap';
import { assertNew, findInputs, findParts, resultPath } from '../../../src/cli/batch/inputs.ts';
import { OperatorError } from '../../../src/errors.ts';

t.test('the name of a result', async (t) => {
  for (const [document, pdf] of [
    ['a.docx', 'a.pdf'],
    ['b/c.v2.DOCX', 'b/c.v2.pdf'],
    ['no extension', 'no extension.pdf'],
    ['.docx', '.docx.pdf'],
  ] as const)
    t.equal(resultPath(document, 'pdf'), pdf);
  t.equal(resultPath('b/c.docx', 'png'), 'b/c.png');
});

t.test('files, folders and patterns', async (t) => {
  const folder = t.testdir({
    'a.docx': '',
    'other.txt': '',
    'open [1].docx': '',
    letters: { '~$b.docx': '', 'b.docx': '', old: { 'c.DOCX': '', 'd.docm': '' } },
  });
  await symlink('/', join(folder, 'letters', 'everything'));
  const find = async (...names: string[]) => {
    const found = await findInputs(
      names.map((name) => join(folder, name)),
      'out',
      ['docx'],
    );
    return found.map(({ path, output }) => [relative(folder, path), output]);
  };
  t.strictSame(await find('a.docx', 'letters/old/d.docm', 'a.docx'), [
    ['a.docx', 'out/a.pdf'],
    ['letters/old/d.docm', 'out/d.pdf'],
  ]);
  t.strictSame(await find('open [1].docx'), [['open [1].docx', 'out/open [1].pdf']]);
  const both = [
    ['letters/b.docx', 'out/b.pdf'],
    ['letters/old/c.DOCX', 'out/old/c.pdf'],
  ];
  t.strictSame(await find('letters'), both);
  t.strictSame(await find('letters/**/*.[dD]*'), both);
  t.strictSame(await find('{letters,none}/b.*'), [['letters/b.docx', 'out/letters/b.pdf']]);
  await t.rejects(find('none.docx'), { message: /^there is no .*none\.docx$/ });
  await t.rejects(find('*.doc'), { message: /^no document matches / });
  await t.rejects(findInputs(['/dev/null'], 'out', ['docx']), { message: /neither a file nor a folder/ });
});

t.test('the parts of one PDF keep their order, and are there as often as they are named', async (t) => {
  const folder = t.testdir({ 'a.docx': '', 'a.docm': '', letters: { 'a.docx': '', 'b.docx': '' } });
  const names = ['letters', 'a.docx', 'letters/b*', 'a.docm', 'a.docx'].map((name) => join(folder, name));
  const found = await findParts(names, ['docx', 'docm']);
  t.strictSame(
    found.map((path) => relative(folder, path)),
    ['letters/a.docx', 'letters/b.docx', 'a.docx', 'letters/b.docx', 'a.docm', 'a.docx'],
  );
  await t.rejects(findParts([join(folder, 'none.docx')], ['docx']), { message: /^there is no / });
});

t.test('nothing is overwritten that somebody else wants', async (t) => {
  const folder = t.testdir({ 'a.docx': '', 'a.docm': '', letters: { 'a.docx': '' }, 'x.pdf': '' });
  const find = (...names: string[]) =>
    findInputs(
      names.map((name) => join(folder, name)),
      folder,
      ['docx', 'docm'],
    );
  for (const names of [['a.docx', 'letters'], ['.'], ['a.docx', 'letters/a.docx']])
    await t.rejects(find(...names), { message: /would have the same PDF/ });
  await t.rejects(
    find('x.pdf'),
    new OperatorError(`the PDF of ${folder}/x.pdf would replace ${folder}/x.pdf, which is read`),
  );
});

t.test('a file that is read besides documents is not replaced', async (t) => {
  const folder = t.testdir({ 'a.docx': '', 'a.pdf': 'an attachment' });
  await symlink(folder, join(folder, 'link'));
  const find = (other: string) =>
    findInputs([join(folder, 'a.docx')], folder, ['docx'], [join(folder, other)]);
  for (const name of ['a.pdf', 'link/a.pdf'])
    await t.rejects(find(name), { message: /would replace .*a\.pdf, which is read$/ });
  await t.resolves(find('b.pdf'));
});

t.test('a name that is not UTF-8', async (t) => {
  const folder = t.testdir({ 'a.docx': '' });
  const name = Buffer.concat([Buffer.from(`${folder}/b`), Buffer.from([0xe9]), Buffer.from('.docx')]);
  await writeFile(name, '');
  await t.rejects(findInputs([name.toString()], 'out', ['docx']), {
    message: /the name is not UTF-8: rename it$/,
  });
  const found = await findInputs([folder], 'out', ['docx']);
  t.strictSame(
    found.map(({ output }) => output),
    ['out/a.pdf', 'out/b\ufffd.pdf'],
    'in a folder, it is a document, which fails',
  );
  await mkdir(Buffer.concat([Buffer.from(`${folder}/c`), Buffer.from([0xe9])]));
  await t.rejects(findInputs([folder], 'out', ['docx']), {
    message: /cannot be read: its name is not UTF-8$/,
  });
});

t.test('a document is not replaced through a link', async (t) => {
  const folder = t.testdir({ in: { 'a.pdf': 'a document with a wrong name', 'b.docx': '' } });
  await symlink(join(folder, 'in'), join(folder, 'out'));
  await symlink(join(folder, 'in', 'b.docx'), join(folder, 'in', 'c.docx'));
  await t.rejects(
    findInputs([join(folder, 'in/a.pdf')], join(folder, 'out'), ['docx']),
    new OperatorError(
      `the PDF of ${join(folder, 'in/a.pdf')} would replace ${join(folder, 'in/a.pdf')}, which is read`,
    ),
  );
  await t.resolves(findInputs([join(folder, 'in/c.docx')], join(folder, 'out'), ['docx']));
});

t.test('whatever is where a PDF is to be is not replaced unasked', async (t) => {
  const folder = t.testdir({ 'a.docx': '', 'b.docx': '', 'b.pdf': {}, 'c.docx': '' });
  await symlink('nowhere', join(folder, 'c.pdf'));
  const documents = await findInputs([folder], undefined, ['docx']);
  t.strictSame(
    documents.map(({ output }) => relative(folder, output)),
    ['a.pdf', 'b.pdf', 'c.pdf'],
  );
  await assertNew(documents.slice(0, 1));
  await t.rejects(assertNew(documents), /b\.pdf is there already, and 1 more: use/);
  await t.rejects(assertNew(documents.slice(2)), /c\.pdf is there already: use/);
});
