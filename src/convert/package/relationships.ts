/** Links to parts: the engine decides by relationships, not by names, how to read a part. */
import { type Edit, withEdits } from '../document/edits.ts';
import { attributeOf, visitMarkup } from '../document/markup.ts';
import { localName } from '../document/tags.ts';
import { Description } from './description.ts';
import type { Package } from './package.ts';

const NAMESPACE = 'http://schemas.openxmlformats.org/package/2006/relationships';
const TYPES = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const PART_LIMIT = 16_777_216;

const EXTERNAL = { TargetMode: 'External' };

export class Relationships {
  readonly #types: ReadonlyMap<string, ReadonlySet<string>>;
  /** The parts by name, written anew. */
  readonly parts: ReadonlyMap<string, Buffer>;

  private constructor(types: ReadonlyMap<string, ReadonlySet<string>>, parts: ReadonlyMap<string, Buffer>) {
    this.#types = types;
    this.parts = parts;
  }

  /**
   * Reads all relationships of a package.
   *
   * @throws PlatenError `CORRUPTED_FILE`
   */
  static async of(opened: Package): Promise<Relationships> {
    const types = new Map<string, Set<string>>();
    const parts = new Map<string, Buffer>();
    for (const part of opened.entries.keys()) {
      if (!isRelationships(part)) continue;
      const description = new Description('Relationships', NAMESPACE);
      const ids = new Set<string>();
      await opened.readElements(part, PART_LIMIT, ({ namespace, name, attributes }) => {
        if (namespace !== NAMESPACE || name !== 'Relationship') return;
        const id = attributes.get('Id') ?? '';
        const isExternal = attributes.get('TargetMode') === 'External';
        const [type, target] = [attributes.get('Type') ?? '', attributes.get('Target') ?? ''];
        // Readers differ in which they take of two with the same id: they get the first.
        if (id === '' || !ids.has(id))
          description.add(name, { Id: id, Type: type, Target: target, ...(isExternal && EXTERNAL) });
        ids.add(id);
        if (isExternal) return;
        const file = fileName(target);
        // Transitional and strict types end with the same word.
        types.set(file, (types.get(file) ?? new Set()).add(type.slice(type.lastIndexOf('/') + 1)));
      });
      parts.set(part, description.toBuffer());
    }
    return new Relationships(types, parts);
  }

  /**
   * Whether the part is linked, and only with these types. Parts with the same file name are not distinguished, which
   * errs on the side of refusal.
   */
  leadOnlyAs(part: string, types: readonly string[]): boolean {
    const found = this.#types.get(fileName(part));
    if (!found || isRelationships(part)) return false;
    // Without a copy: there may be many, and many parts with this file name.
    for (const type of found) if (!types.includes(type)) return false;
    return true;
  }

  /** Whether the part is linked with another type than these, or may be read without a link. */
  mayLeadAsOther(part: string, types: readonly string[]): boolean {
    for (const type of this.#types.get(fileName(part)) ?? []) if (!types.includes(type)) return true;
    return isRelationships(part);
  }

  /** Whether the part may be read as one of this type. */
  mayLeadAs(part: string, type: string): boolean {
    return this.#types.get(fileName(part))?.has(type) ?? false;
  }
}

function isRelationships(part: string): boolean {
  return /(^|\/)_rels\/[^/]*\.rels$/.test(part);
}

function fileName(target: string): string {
  const path = target.replace(/[?#].*$/s, '').replaceAll('\\', '/');
  const name = path.slice(path.lastIndexOf('/') + 1).toLowerCase();
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}

/**
 * The relationships of a part without those of a type.
 *
 * @param part in an ASCII-compatible encoding.
 * @param type what the type ends with, behind a slash.
 */
export function withoutRelationships(part: Buffer, type: string): Buffer {
  const xml = part.toString('latin1');
  const edits: Edit[] = [];
  let removed: { readonly start: number; end: number; readonly text: '' } | undefined;
  visitMarkup(xml, {
    open(name, attributes, isEmpty, start, end) {
      if (removed || localName(name) !== 'Relationship') return;
      if (!attributeOf(attributes, 'Type')?.endsWith(`/${type}`)) return;
      const edit = { start, end, text: '' } as const;
      edits.push(edit);
      if (!isEmpty) removed = edit;
    },
    close(name, _start, end) {
      if (!removed || localName(name) !== 'Relationship') return;
      removed.end = end;
      removed = undefined;
    },
  });
  return edits.length === 0 ? part : Buffer.from(withEdits(xml, edits), 'latin1');
}

/**
 * The relationships of a part with one more.
 *
 * @param part in an ASCII-compatible encoding; undefined if there is none.
 * @param type a whole URI, or the name of a type of Office documents.
 * @returns undefined if none can be added.
 */
export function withRelationship(part: Buffer | undefined, type: string, target: string): Buffer | undefined {
  const uri = type.includes('/') ? type : `${TYPES}/${type}`;
  return withRelationships(part, [` Id="${target}" Type="${uri}" Target="${target}"`]);
}

/**
 * The relationships of a part with others.
 *
 * @param part in an ASCII-compatible encoding; undefined if there is none.
 * @param others their attributes, as written.
 * @returns undefined if none can be added.
 */
export function withRelationships(part: Buffer | undefined, others: readonly string[]): Buffer | undefined {
  const text = (part ?? new Description('Relationships', NAMESPACE).toBuffer()).toString('latin1');
  let root = '';
  let begun = 0;
  let ended = 0;
  visitMarkup(text, {
    open(name, _attributes, _isEmpty, _start, end) {
      if (root === '') [root, begun] = [name, end];
    },
    close(name, start) {
      if (name === root) ended = start;
    },
  });
  const isEmpty = text.startsWith('/>', begun - 2);
  const local = root.indexOf(':') + 1;
  if (root.slice(local) !== 'Relationships' || (ended === 0 && !isEmpty)) return undefined;
  const prefix = root.slice(0, local);
  const added = others.map((attributes) => `<${prefix}Relationship${attributes}/>`).join('');
  const changed = isEmpty
    ? `${text.slice(0, begun - 2)}>${added}</${root}>${text.slice(begun)}`
    : text.slice(0, ended) + added + text.slice(ended);
  return Buffer.from(changed, 'latin1');
}
