/** Finds and edits start tags of a part by element name. */
import { type Edit, withEdits } from './edits.ts';
import { visitMarkup } from './markup.ts';
import { Remembered } from './remembered.ts';

export interface Tag {
  /** As written, with its prefix. */
  readonly name: string;
  /** As written, see `attributeOf`. */
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

/** The start tags whose names match, in document order. */
export function tagsIn(xml: string, isMeant: (name: string) => boolean): Tag[] {
  const tags: Tag[] = [];
  visitMarkup(xml, {
    names: { has: isMeant },
    open(name, attributes, isEmpty, start, end) {
      tags.push({ name, attributes, isEmpty, start, end });
    },
  });
  return tags;
}

/** The attributes of the first element with this name as written; undefined if there is none. */
export function firstTag(xml: string, name: string): string | undefined {
  return tagsIn(xml, (each) => each === name)[0]?.attributes;
}

/** Replaces the attributes of a tag. */
export function editAttributes(
  { name, attributes, start }: Pick<Tag, 'name' | 'attributes' | 'start'>,
  text: string,
): Edit {
  const at = start + '<'.length + name.length;
  return { start: at, end: at + attributes.length, text };
}

/**
 * The part with new attributes in the tags whose names match.
 *
 * @param change returns the new attributes of a tag. It must be pure: its result is cached for identical tags.
 */
export function withTags<Text extends string>(
  xml: Text,
  isMeant: (name: string) => boolean,
  change: (name: string, attributes: string) => string,
): Text {
  const edits: Edit[] = [];
  /** By the names of tags. */
  const known = new Map<string, Remembered<string>>();
  visitMarkup(xml, {
    names: { has: isMeant },
    open(name, attributes, _isEmpty, start) {
      const ofName = known.get(name) ?? new Remembered<string>();
      known.set(name, ofName);
      const changed = ofName.of(attributes, () => change(name, attributes));
      if (changed !== attributes) edits.push(editAttributes({ name, attributes, start }, changed));
    },
  });
  return withEdits(xml, edits);
}

/** Whether a part may have a tag with this local name. A match may lie in a comment or in text. */
export function mayHaveElement(xml: string, local: string): boolean {
  return xml.includes(local) && new RegExp(`[<:]${local}[\\s/>]`).test(xml);
}

/** Replaces the first letter of a local name by an underscore, so that the tag means nothing. */
export function renaming(name: string, nameStart: number): Edit {
  const start = nameStart + name.indexOf(':') + 1;
  return { start, end: start + 1, text: '_' };
}
