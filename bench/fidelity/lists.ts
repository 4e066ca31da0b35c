/** Lists of pairs that are named by repository, commit and hash, as the files themselves may not be passed on. */
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Pair } from './pairs.ts';

const run = promisify(execFile);
/** Larger files are no documents. */
const MAX_BYTES = 256 * 1_048_576;
const columns = ['name', 'repo', 'commit', 'docx', 'pdf', 'docx_sha256', 'pdf_sha256'] as const;
type Row = Readonly<Record<(typeof columns)[number], string>>;

/**
 * Takes the pairs of a list out of clones of their repositories, into folders as {@link findPairs} finds them.
 *
 * @param list path of a table with tabs; its first line names the columns {@link columns}, others are ignored.
 * @param clones folder with a clone of each repository, OWNER/NAME; bare ones are enough.
 * @throws Error naming what is missing, or has other content than the list says
 */
export async function extractPairs(list: string, clones: string, folder: string): Promise<Pair[]> {
  const pairs: Pair[] = [];
  const missing: string[] = [];
  for (const row of readList(await readFile(list, 'utf8'), list)) {
    const own = join(folder, row.name);
    const pair = { name: row.name, docx: join(own, 'in.docx'), pdf: join(own, 'word.pdf') };
    try {
      const docx = await contentOf(row, row.docx, row.docx_sha256, clones);
      const pdf = await contentOf(row, row.pdf, row.pdf_sha256, clones);
      await mkdir(own, { recursive: true });
      await writeFile(pair.docx, docx);
      await writeFile(pair.pdf, pdf);
      pairs.push(pair);
    } catch (error) {
      missing.push(`${row.name}: ${(error as Error).message.trim()}`);
    }
  }
  if (missing.length > 0) throw new Error(`${list} names what is not in ${clones}:\n${missing.join('\n')}`);
  return pairs;
}

function readList(text: string, list: string): Row[] {
  const [head = '', ...lines] = text.trimEnd().split('\n');
  const names = head.split('\t');
  const absent = columns.filter((column) => !names.includes(column));
  if (absent.length > 0) throw new Error(`${list} has no column ${absent.join(', ')}`);
  const rows = lines.map((line) => {
    const values = line.split('\t');
    return Object.fromEntries(columns.map((column) => [column, values[names.indexOf(column)] ?? ''])) as Row;
  });
  const odd = rows.find(({ name }) => !/^[\w.-]+$/.test(name) || /^\.+$/.test(name));
  if (odd) throw new Error(`${list} has a name that is no name of a folder: ${odd.name}`);
  return rows;
}

async function contentOf(
  { repo, commit }: Row,
  path: string,
  sha256: string,
  clones: string,
): Promise<Buffer> {
  const object = ['cat-file', 'blob', `${commit}:${path}`];
  const options = { cwd: join(clones, repo), encoding: 'buffer', maxBuffer: MAX_BYTES } as const;
  const { stdout } = await run('git', object, options);
  if (createHash('sha256').update(stdout).digest('hex') !== sha256)
    throw new Error(`${path} of ${commit} has another content`);
  return stdout;
}
