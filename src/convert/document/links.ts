/** Relationships between the parts of a package (ECMA-376 part 2, 6.5). */
import type { Text } from '../text/bytes.ts';
import type { KeptParts } from './kept-parts.ts';
import { attributeOf, visitMarkup } from './markup.ts';

export interface Link {
  readonly id: string;
  /** The last word of its type, which is the same in transitional and strict documents. */
  readonly type: string;
  /** Name of the part, in lower case; any text if it is external. */
  readonly target: string;
  readonly isExternal: boolean;
}

/** Those that were read, by their part and as it was. */
const known = new WeakMap<KeptParts, Map<string, { readonly xml: string; readonly links: Link[] }>>();

/** The links of a part, in order. */
export function linksOf(parts: KeptParts, part: string): readonly Link[] {
  const slash = part.lastIndexOf('/') + 1;
  const xml = parts.text(`${part.slice(0, slash)}_rels/${part.slice(slash)}.rels`);
  const own = known.get(parts) ?? new Map();
  known.set(parts, own);
  const before = own.get(part);
  if (before?.xml === xml) return before.links;
  const links = readLinks(xml, part.slice(0, slash));
  own.set(part, { xml, links });
  return links;
}

/** The text of the part to which the main part links with this type; empty if there is none. */
export function linkedText(parts: KeptParts, type: string): Text {
  const links = linksOf(parts, parts.mainPart).filter(({ isExternal }) => !isExternal);
  return parts.text(links.find((link) => link.type === type)?.target);
}

/** All external links, with the parts that contain them. */
export function externalLinks(parts: KeptParts): { readonly from: string; readonly link: Link }[] {
  return [...parts.names].flatMap((name) => {
    const from = /^(.*)_rels\/([^/]*)\.rels$/.exec(name);
    if (!from) return [];
    const links = readLinks(parts.text(name), '').filter(({ isExternal }) => isExternal);
    return links.map((link) => ({ from: `${from[1]}${from[2]}`, link }));
  });
}

function readLinks(xml: string, folder: string): Link[] {
  const links: Link[] = [];
  if (xml === '') return links;
  visitMarkup(xml, {
    names: { has: (name) => /^(\w+:)?Relationship$/.test(name) },
    open(_name, attributes) {
      const type = attributeOf(attributes, 'Type') ?? '';
      const target = attributeOf(attributes, 'Target') ?? '';
      links.push({
        id: attributeOf(attributes, 'Id') ?? '',
        type: type.slice(type.lastIndexOf('/') + 1),
        target: partName(folder, target),
        isExternal: attributeOf(attributes, 'TargetMode') === 'External',
      });
    },
  });
  return links;
}

/** Resolves a reference relative to the folder of the part that contains it. */
function partName(folder: string, reference: string): string {
  const path = reference.startsWith('/') ? reference : `${folder}${reference}`;
  const segments: string[] = [];
  for (const segment of path.split('/')) {
    if (segment === '..') segments.pop();
    else if (segment !== '' && segment !== '.') segments.push(segment);
  }
  return segments.join('/').toLowerCase();
}
