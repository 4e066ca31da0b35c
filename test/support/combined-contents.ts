/** What a combined PDF lacks of what its parts have, as qpdf and poppler read them. */
import { execFile } from 'node:child_process';
import { isDeepStrictEqual, promisify } from 'node:util';
import { contentsOf, type PdfContents } from './pdf-contents.ts';
import { PdfFile } from './pdf-file.ts';

const run = promisify(execFile);
const MAX_TEXT_BYTES = 268_435_456;
const MAX_SHOWN = 500;

/**
 * Poppler draws the mark of a checked box itself. It does not find its own font where a field has a list of fonts, as
 * LibreOffice's fields do, and those of the whole do not; and the mark moves the lines around it.
 */
const MARK = '✘';

type Field = PdfContents['fields'][number];

interface Bookmark {
  readonly title: string;
  readonly target: { readonly page?: number };
  readonly kids: readonly unknown[];
}

/** A PDF before it is a part of the whole. */
export interface Part {
  /** Of its pages. */
  readonly texts: readonly string[];
  readonly pdf: PdfFile;
  /** Of its bookmark in the whole; undefined for any. */
  readonly title?: string;
}

export async function readPart(path: string, title?: string): Promise<Part> {
  const [texts, pdf] = await Promise.all([textsOf(path), PdfFile.read(path, '', { hasOffsets: false })]);
  return { texts, pdf, ...(title !== undefined && { title }) };
}

async function textsOf(path: string): Promise<string[]> {
  const { stdout } = await run('pdftotext', [path, '-'], { maxBuffer: MAX_TEXT_BYTES });
  const pages = stdout.split('\f').slice(0, -1);
  return pages.map((text) => text.replaceAll(MARK, '').trim().split(/\s+/).join(' '));
}

/** What is otherwise in the whole than in its parts, in their order: text, tags, bookmarks, links, fields, files. Empty for nothing. */
export async function differences(path: string, parts: readonly Part[]): Promise<string[]> {
  const found: string[] = [];
  const compare = (what: string, actual: unknown, expected: unknown) => {
    if (!isDeepStrictEqual(actual, expected)) found.push(`${what}: ${shown(actual)}, not ${shown(expected)}`);
  };
  const { stdout, stderr } = await run('qpdf', ['--check', path]).catch((error: Error) => ({
    ...{ stdout: '', stderr: error.message },
  }));
  if (stderr !== '' || !stdout.includes('No syntax or stream encoding errors')) found.push(`qpdf: ${stderr}`);
  const [texts, whole] = [await textsOf(path), await contentsOf(path)];
  const aims = [...whole.destinations].filter(([, aim]) => (aim as { page?: number }).page === undefined);
  compare('destinations without a page', aims, []);
  const fields = [...whole.fields];
  let [page, tagged, names, files, contradictions] = [0, 0, 0, 0, 0];
  for (const [index, { texts: pages, pdf, title }] of parts.entries()) {
    // Pages are counted as in the whole.
    const own = await contentsOf(pdf, -page);
    const name = `part ${index + 1}`;
    for (const [at, text] of pages.entries())
      compare(`${name}: text of page ${at + 1}`, texts[page + at], text);
    const tags = own.tags.length > 0 ? whole.tags[0]?.kids.slice(tagged, ++tagged) : [];
    // LibreOffice names an element for a blank page, and writes none.
    const there = own.tags.filter(({ type }) => type !== '');
    compare(`${name}: tags`, normal(tags, true), normal(there, true));
    if (whole.outline.length > 0) {
      const bookmark = whole.outline[index] as Bookmark | undefined;
      if (title !== undefined) compare(`${name}: title`, bookmark?.title, title);
      compare(`${name}: bookmarks`, [bookmark?.target.page, bookmark?.kids], [page, own.outline]);
    }
    compare(`${name}: links`, whole.links.slice(page, page + own.links.length), own.links);
    const ofPart = fields.splice(0, own.fields.length);
    compare(`${name}: fields`, ofPart.map(unnamed), own.fields.map(unnamed));
    const isNamed = ({ name }: Field, at: number) => `.${name}`.endsWith(`.${own.fields[at]?.name}`);
    compare(`${name}: names of fields`, ofPart.every(isNamed), true);
    names += namesIn(own).size;
    files += own.files.length;
    contradictions += own.contradictions.length;
    page += pdf.pages.length;
  }
  compare('pages', [texts.length, whole.links.length], [page, page]);
  // LibreOffice writes some itself.
  compare('contradictions', whole.contradictions.length, contradictions);
  compare('further fields', fields, []);
  compare('names of fields', namesIn(whole).size, names);
  compare('further tags', whole.tags[0]?.kids.length ?? 0, tagged);
  compare('files', whole.files.length, files);
  return found;
}

const namesIn = ({ fields }: PdfContents) => new Set(fields.map(({ name }) => name));
const unnamed = ({ name: _, ...field }: Field) => field;

/** Without what the combination is to change: the language of the document, and what identifiers begin with. */
function normal(value: unknown, isTop = false): unknown {
  if (Array.isArray(value)) return value.map((item) => normal(item, isTop));
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([key, item]) => {
    if (key === 'language' && isTop) return [key, undefined];
    if (key === 'id') return [key, typeof item === 'string' ? item.replace(/^\d{4}-/, '') : item];
    return [key, normal(item)];
  });
  return Object.fromEntries(entries);
}

/** The first of it that fits on a few lines. */
const shown = (value: unknown): string => String(JSON.stringify(value)).slice(0, MAX_SHOWN);
