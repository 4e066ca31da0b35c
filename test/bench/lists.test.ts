/** Pairs that a list names come out of clones of their repositories, or the list says what is missing. */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { extractPairs } from '../../bench/fidelity/lists.ts';

const folder = t.testdir({ clones: {} });
const clone = join(folder, 'clones/owner/name');
mkdirSync(clone, { recursive: true });
const git = (...args: string[]) =>
  execFileSync('git', ['-c', 'user.name=A', '-c', 'user.email=a@b', ...args], {
    cwd: clone,
    encoding: 'utf8',
  }).trim();
git('init', '--quiet');
writeFileSync(join(clone, 'Résumé.docx'), 'document');
writeFileSync(join(clone, 'Résumé.pdf'), 'pdf');
git('add', '--all');
git('commit', '--quiet', '--message=Add');
const commit = git('rev-parse', 'HEAD');
git('rm', '--quiet', 'Résumé.docx');
git('commit', '--quiet', '--message=Remove');

const hash = (text: string) => createHash('sha256').update(text).digest('hex');
const HEAD = 'name\trepo\tlanguage\tcommit\tdocx\tpdf\tdocx_sha256\tpdf_sha256';
const row = (name: string, content = 'document', repo = 'owner/name') =>
  [name, repo, 'fr', commit, 'Résumé.docx', 'Résumé.pdf', hash(content), hash('pdf')].join('\t');
function listOf(...lines: string[]): string {
  const path = join(folder, 'list.tsv');
  writeFileSync(path, `${lines.join('\n')}\n`);
  return path;
}
const extract = (...lines: string[]) =>
  extractPairs(listOf(...lines), join(folder, 'clones'), join(folder, 'out'));

t.test('files of a former commit', async (t) => {
  const [pair, ...more] = await extract(HEAD, row('one'));
  t.match(pair, { name: 'one', docx: join(folder, 'out/one/in.docx') });
  t.equal(readFileSync(pair?.docx ?? '', 'utf8'), 'document');
  t.equal(readFileSync(pair?.pdf ?? '', 'utf8'), 'pdf');
  t.strictSame(more, []);
});

t.test('what is missing', async (t) => {
  await t.rejects(extract(HEAD, row('one'), row('two', 'other'), row('three', 'document', 'owner/none')), {
    message: /names what is not in .*\ntwo: Résumé\.docx of .* has another content\nthree: /,
  });
  await t.rejects(extract('name\trepo'), { message: /has no column commit, docx/ });
  for (const name of ['..', 'a/b', ''])
    await t.rejects(extract(HEAD, row(name)), { message: /no name of a folder/ }, name);
});
