/** Number trees and name trees (ISO 32000-1, 7.9.6 and 7.9.7). */
import type { PdfObjects } from '../objects/pdf-objects.ts';
import { PdfString, Reference, type Value } from '../objects/values.ts';
import type { PdfWriter } from './pdf-writer.ts';

const MAX_DEPTH = 32;
/** Entries of a leaf that is written. */
const LEAF_ENTRIES = 256;
/** Most entries that are read of one tree. */
const MAX_ENTRIES = 4_000_000;

/** Keys of the entries of a tree: numbers or strings. */
type TreeKind = '/Nums' | '/Names';

/** The entries of a tree in order. @throws Error if it leads back to itself, or is too large. */
export function* treeEntries(
  pdf: PdfObjects,
  root: Value | undefined,
  kind: TreeKind,
): Generator<[key: Value, value: Value]> {
  const seen = new Set<number>();
  const open: { readonly node: Value; readonly depth: number }[] = [{ node: root ?? null, depth: 0 }];
  let left = MAX_ENTRIES;
  for (let next = open.pop(); next; next = open.pop()) {
    const { node, depth } = next;
    if (node instanceof Reference) {
      if (seen.has(node.number)) throw new Error('a tree leads back to itself');
      seen.add(node.number);
    }
    const dictionary = pdf.dictionary(node);
    const entries = pdf.array(dictionary[kind]);
    for (let index = 0; index + 1 < entries.length; index += 2) {
      left -= 1;
      if (left < 0) throw new Error('a tree has too many entries');
      yield [pdf.get(entries[index]), entries[index + 1] ?? null];
    }
    const kids = pdf.array(dictionary['/Kids']);
    if (kids.length > 0 && depth === MAX_DEPTH) throw new Error('a tree is too deep');
    for (let index = kids.length - 1; index >= 0; index -= 1) {
      open.push({ node: kids[index] ?? null, depth: depth + 1 });
    }
  }
}

/** Writes a tree of entries that come in order. */
export class TreeWriter {
  readonly #writer: PdfWriter;
  readonly #kind: TreeKind;
  readonly #leaves: Reference[] = [];
  #entries: Value[] = [];

  constructor(writer: PdfWriter, kind: TreeKind) {
    this.#writer = writer;
    this.#kind = kind;
  }

  get isEmpty(): boolean {
    return this.#leaves.length === 0 && this.#entries.length === 0;
  }

  add(key: number | PdfString, value: Value): void {
    this.#entries.push(key, value);
    if (this.#entries.length >= 2 * LEAF_ENTRIES) this.#endLeaf();
  }

  /** The root; nothing may be added any more. */
  root(): Value {
    if (this.#leaves.length === 0) return { [this.#kind]: this.#entries };
    this.#endLeaf();
    return { '/Kids': this.#leaves };
  }

  #endLeaf(): void {
    const entries = this.#entries;
    if (entries.length === 0) return;
    this.#entries = [];
    const limits = [entries[0] ?? null, entries.at(-2) ?? null];
    this.#leaves.push(this.#writer.add({ '/Limits': limits, [this.#kind]: entries }));
  }
}

/** A name that nothing has yet: the wanted one, or one with the number of the part. */
export function freeName(wanted: string, part: number, isTaken: (name: string) => boolean): string {
  let name = wanted;
  for (let more = 0; isTaken(name); more += 1) name = `${wanted}-${part}${more === 0 ? '' : `-${more}`}`;
  return name;
}

/** Named things of several parts, which are to have different names. */
export class Names {
  readonly #values = new Map<string, Value>();

  /** Takes a {@link freeName}. */
  free(wanted: string, part: number): string {
    const name = freeName(wanted, part, (each) => this.#values.has(each));
    this.#values.set(name, null);
    if (this.#values.size > MAX_NAMES) throw new Error('there are too many names');
    return name;
  }

  set(name: string, value: Value): void {
    this.#values.set(name, value);
  }

  /** The root of the tree; undefined if it is empty. */
  write(writer: PdfWriter): Value | undefined {
    if (this.#values.size === 0) return undefined;
    const tree = new TreeWriter(writer, '/Names');
    // A character is a byte; so the order is that of the bytes.
    const names = [...this.#values.keys()].sort((one, other) => (one < other ? -1 : 1));
    for (const name of names) tree.add(new PdfString(name), this.#values.get(name) ?? null);
    return tree.root();
  }
}

/** Their values are in memory. */
const MAX_NAMES = 200_000;
