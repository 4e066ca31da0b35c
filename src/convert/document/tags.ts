/** The start tags of some elements of a part, for those who ask for nothing else. */
import { type Edit, withEdits } from './edits.ts';
import { visitMarkup } from './markup.ts';

export interface Tag {
  /** As it is written, with its prefix. */
  readonly name: string;
  /** As they are written, see `attributeOf`. */
  readonly attributes: string;
  readonly isEmpty: boolean;
  /** Where the tag begins and ends in the part. */
  readonly start: number;
  readonly end: number;
}

/** The name of an element without its prefix. */
export function localName(name: string): string {
  return name.slice(name.indexOf(':') + 1);
}

/** The start tags for which this holds, in document order. */
export function tagsIn(xml: string, isMeant: (name: string) => boolean): Tag[] {
  const tags: Tag[] = [];
  visitMarkup(xml, {
    open(name, attributes, isEmpty, start, end) {
      if (isMeant(name)) tags.push({ name, attributes, isEmpty, start, end });
    },
    close() {},
  });
  return tags;
}

/** The attributes of the first element of this name as it is written; undefined where there is none. */
export function firstTag(xml: string, name: string): string | undefined {
  return tagsIn(xml, (each) => each === name)[0]?.attributes;
}

/** Puts other attributes into a tag. */
export function editAttributes(
  { name, attributes, start }: Pick<Tag, 'name' | 'attributes' | 'start'>,
  text: string,
): Edit {
  const at = start + '<'.length + name.length;
  return { start: at, end: at + attributes.length, text };
}

/** So many ways to write a tag are remembered; documents have some dozens. */
const MAX_KNOWN = 1_000;

/**
 * The part with other attributes in the tags for which this holds.
 *
 * @param change gives the attributes of a tag as they are to be, by what is written alone: it is asked once for tags that are
 * alike.
 */
export function withTags(
  xml: string,
  isMeant: (name: string) => boolean,
  change: (name: string, attributes: string) => string,
): string {
  const edits: Edit[] = [];
  const known = new Map<string, string>();
  visitMarkup(xml, {
    open(name, attributes, _isEmpty, start) {
      if (!isMeant(name)) return;
      const tag = name + attributes;
      const changed = known.get(tag) ?? change(name, attributes);
      if (known.size < MAX_KNOWN) known.set(tag, changed);
      if (changed !== attributes) edits.push(editAttributes({ name, attributes, start }, changed));
    },
    close() {},
  });
  return withEdits(xml, edits);
}

/**
 * Whether a piece of a part may have a tag of an element of this local name. It may be in a comment or in a text as well: this
 * only spares the reading of a part that has no such name.
 */
export function mayHaveElement(piece: Buffer | string, local: string): boolean {
  if (!piece.includes(local)) return false;
  return new RegExp(`[<:]${local}[\\s/>]`).test(piece.toString('latin1'));
}

/** Gives a tag a name that means nothing: an underscore in place of the first letter behind the prefix. */
export function renaming(name: string, nameStart: number): Edit {
  const start = nameStart + name.indexOf(':') + 1;
  return { start, end: start + 1, text: '_' };
}
