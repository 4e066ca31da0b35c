/** Which documents a batch has, and where their PDFs, or pictures, go. */
import type { Stats } from 'node:fs';
import { lstat, realpath, stat } from 'node:fs/promises';
import { basename, dirname, join, parse, relative, resolve } from 'node:path';
import { glob, isDynamicPattern } from 'tinyglobby';
import { OperatorError } from '../../errors.ts';
import type { DocumentType } from '../../shared/document-types.ts';
import { type Format, formats } from '../../shared/options/conversion-options.ts';
import { findDocuments, isDocumentName, isNameLost, MAX_DOCUMENTS } from '../local/documents.ts';

/** A document and its result. */
export interface BatchDocument {
  /** Path of the document. */
  readonly path: string;
  /** Path of its PDF, or of the picture of a page. */
  readonly output: string;
}

/** The name of a document's result: its extension becomes that of the format. @param path of the document; its folders are kept. */
export function resultPath(path: string, format: Format): string {
  const { dir, name } = parse(path);
  return join(dir, `${name}.${formats[format].extension}`);
}

/** A document as a command's arguments name it. */
interface NamedDocument {
  /** The folder that is named; that of a file, and the fixed part of a pattern. */
  readonly base: string;
  /** Path in it. */
  readonly name: string;
}

/**
 * The documents that a command's arguments name: files of any name; folders, whose documents of these types it takes; and patterns
 * that the shell did not expand. They keep the order of the arguments, and are there as often as they are named.
 *
 * @throws OperatorError if an argument names nothing.
 */
async function findNamed(names: readonly string[], types: readonly DocumentType[]): Promise<NamedDocument[]> {
  const found: NamedDocument[] = [];
  for (const each of names) {
    const [base, paths] = await documentsOf(each, await aboutOf(each), types);
    for (const name of paths) found.push({ base, name });
  }
  if (found.length > MAX_DOCUMENTS) {
    throw new OperatorError(`there are more than ${MAX_DOCUMENTS} documents: name a part of them at a time`);
  }
  return found;
}

/** The paths of the documents of one PDF, as {@link findNamed}. @throws OperatorError if an argument names nothing. */
export async function findParts(names: readonly string[], types: readonly DocumentType[]): Promise<string[]> {
  return (await findNamed(names, types)).map(({ base, name }) => join(base, name));
}

/**
 * The documents that a command's arguments name, as {@link findNamed}, but each once; and where their PDFs go. PDFs keep the
 * subfolders of a folder, and those below the fixed part of a pattern.
 *
 * @param out folder of the PDFs; undefined: each is beside its document.
 * @param others files that are read, too.
 * @param format of the results.
 * @throws OperatorError if an argument names nothing, or two documents would have the same PDF.
 */
export async function findInputs(
  names: readonly string[],
  out: string | undefined,
  types: readonly DocumentType[],
  others: readonly string[] = [],
  format: Format = 'pdf',
): Promise<BatchDocument[]> {
  const found = (await findNamed(names, types)).map(({ base, name }) => ({
    path: join(base, name),
    output: join(out ?? base, resultPath(name, format)),
  }));
  return assertApart(found, others, format.toUpperCase());
}

/**
 * @param remedy what to do then.
 * @throws OperatorError if there is something already where a PDF is to be.
 */
export async function assertNew(
  documents: readonly Pick<BatchDocument, 'output'>[],
  remedy = 'use --force to replace, or --out FOLDER',
): Promise<void> {
  const there: string[] = [];
  // A link that leads nowhere is something, too.
  for (const { output } of documents) if (await aboutOf(output, lstat)) there.push(output);
  const [first] = there;
  if (first === undefined) return;
  const others = there.length === 1 ? '' : `, and ${there.length - 1} more`;
  throw new OperatorError(`${first} is there already${others}: ${remedy}`);
}

/** @throws OperatorError if what has the name of a PDF is no file, which could be replaced. */
export async function assertFileName(path: string): Promise<void> {
  const about = await aboutOf(path);
  if (about && !about.isFile())
    throw new OperatorError(
      `${path} is ${about.isDirectory() ? 'a folder' : 'no file'}: name a file for the PDF`,
    );
}

/** @returns the folder that the documents' paths are relative to, and these. */
async function documentsOf(
  name: string,
  about: Stats | undefined,
  types: readonly DocumentType[],
): Promise<readonly [base: string, paths: readonly string[]]> {
  if (about?.isDirectory()) return [name, await findDocuments(name, types)];
  if (about?.isFile()) return [parse(name).dir, [basename(name)]];
  if (about) throw new OperatorError(`${name} is neither a file nor a folder; "-" reads a pipe`);
  if (!isDynamicPattern(name)) {
    throw new OperatorError(
      isNameLost(name) ? `${name}: the name is not UTF-8: rename it` : `there is no ${name}`,
    );
  }
  const base = fixedPart(name);
  const matches = await glob(name, { followSymbolicLinks: false, expandDirectories: false });
  const documents = matches.filter((path) => isDocumentName(basename(path), types)).sort();
  if (documents.length === 0) {
    const ends = types.map((type) => `.${type}`).join(', ');
    throw new OperatorError(`no document matches ${name}: files that end in ${ends}`);
  }
  return [base, documents.map((path) => relative(base, path))];
}

/** The folders of a pattern before the first that is not fixed. */
function fixedPart(pattern: string): string {
  const parts = pattern.split('/');
  const first = parts.findIndex((part) => isDynamicPattern(part));
  return parts.slice(0, first).join('/') || (pattern.startsWith('/') ? '/' : '');
}

/**
 * @param name what a result is called.
 * @returns the documents, each once.
 * @throws OperatorError if one would be overwritten, or two have the same result.
 */
async function assertApart(
  found: readonly BatchDocument[],
  others: readonly string[],
  name: string,
): Promise<BatchDocument[]> {
  const byOutput = new Map<string, BatchDocument>();
  const folders = new Map<string, Promise<string>>();
  const realFolder = (folder: string) => {
    const real = folders.get(folder) ?? realPath(folder);
    folders.set(folder, real);
    return real;
  };
  const entry = async (path: string) => join(await realFolder(dirname(resolve(path))), basename(path));
  const paths = new Set<string>();
  const read = [...found.map(({ path }) => path), ...others];
  for (const path of read) paths.add(await entry(path)).add(await realPath(resolve(path)));
  for (const document of found) {
    const output = await entry(document.output);
    if (paths.has(output))
      throw new OperatorError(`the ${name} of ${document.path} would replace ${output}, which is read`);
    const other = byOutput.get(output);
    if (other && resolve(other.path) !== resolve(document.path)) {
      throw new OperatorError(
        `${other.path} and ${document.path} would have the same ${name}, ${document.output}: convert them into different folders`,
      );
    }
    byOutput.set(output, other ?? document);
  }
  return [...byOutput.values()];
}

/** The path without symbolic links, as far as it is there. @param path absolute. */
async function realPath(path: string): Promise<string> {
  try {
    return await realpath(path);
  } catch {
    const parent = dirname(path);
    return parent === path ? path : join(await realPath(parent), basename(path));
  }
}

/** @returns undefined if there is nothing of this name. @throws OperatorError if that cannot be told. */
async function aboutOf(
  path: string,
  find: (path: string) => Promise<Stats> = stat,
): Promise<Stats | undefined> {
  try {
    return await find(path);
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    throw new OperatorError(`${path} cannot be read: ${code}`, { cause });
  }
}
