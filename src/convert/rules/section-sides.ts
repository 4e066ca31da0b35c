/**
 * Odd and even pages. Word goes by their numbers (ISO/IEC 29500-1, 17.6.22, 17.10.5).
 *
 * LibreOffice lays the first page of a section that begins on one side (`w:type`) out with a header that has no room (up to 25.2), and
 * its text begins as much higher. So those do without the type that need none: the first section, where the type means nothing, and
 * those whose page numbers begin anew on that side, as LibreOffice has odd numbers on odd pages.
 *
 * LibreOffice takes the first page for a right one, also if it has an even number, and has all later pages on the side that follows
 * from it. So in such a document what is said of odd pages is said of even ones, and the other way round.
 */
import { withValues } from '../document/attributes.ts';
import { type Edit, withEdits } from '../document/edits.ts';
import { readPoints } from '../document/lengths.ts';
import { attributeOf, qualified, visitMarkup, wordPrefixOf } from '../document/markup.ts';
import { readSectionTags, type SectionTags } from '../document/sections.ts';
import { editAttributes } from '../document/tags.ts';
import type { Bytes } from '../text/bytes.ts';

const TWIPS_PER_POINT = 20;

/** What pages of one side have, and those of the other have not. */
export interface Facing {
  /** Headers and footers (`w:evenAndOddHeaders`, 17.10.1). */
  readonly headers: boolean;
  /** Margins, which are mirrored (`w:mirrorMargins`, 17.15.1.57). */
  readonly margins: boolean;
}

/** The main part whose odd and even pages become as in Word, in linear time. */
export function withWordsSides(xml: Bytes, facing: Facing): Bytes {
  const plain = withoutSides(xml);
  return beginsEven(plain) ? withOtherSides(plain, facing) : plain;
}

/** An even first page keeps its number, 2. */
function withoutSides(xml: Bytes): Bytes {
  if (!xml.includes('evenPage') && !xml.includes('oddPage')) return xml;
  const prefix = wordPrefixOf(xml);
  return withEdits(
    xml,
    readSectionTags(xml, prefix).flatMap((tags, i) => editsOf(tags, i === 0, prefix)),
  );
}

function editsOf(tags: SectionTags, isFirst: boolean, w: string): Edit[] {
  const [type, numbers] = [tags.get('type'), tags.get('pgNumType')];
  const side = type && attributeOf(type.attributes, `${w}val`);
  if (!type || (side !== 'oddPage' && side !== 'evenPage')) return [];
  const start = numbers && attributeOf(numbers.attributes, `${w}start`);
  const isOdd = /[13579]$/.test(start ?? '');
  if (!isFirst && (start === undefined || isOdd !== (side === 'oddPage'))) return [];
  const value = (name: string, written: string) => (name === `${w}val` ? 'nextPage' : written);
  const edits = [editAttributes(type, withValues(type.attributes, value))];
  if (!isFirst || side === 'oddPage' || start !== undefined) return edits;
  const two = ` ${w}start="2"`;
  if (numbers) edits.push(editAttributes(numbers, two + numbers.attributes));
  else edits.push({ start: type.start, end: type.start, text: `<${w}pgNumType${two}/>` });
  return edits;
}

/** Whether the first page has an even number, 0 included. */
function beginsEven(xml: Bytes): boolean {
  if (!xml.includes('pgNumType')) return false;
  const prefix = wordPrefixOf(xml);
  const numbers = readSectionTags(xml, prefix)[0]?.get('pgNumType');
  return /^\d*[02468]$/.test(attributeOf(numbers?.attributes ?? '', `${prefix}start`) ?? '');
}

const otherTypes: ReadonlyMap<string, string> = new Map([
  ['oddPage', 'evenPage'],
  ['evenPage', 'oddPage'],
]);
const otherHeaders: ReadonlyMap<string, string> = new Map([
  ['default', 'even'],
  ['even', 'default'],
]);

function withOtherSides(xml: Bytes, { headers, margins }: Facing): Bytes {
  const w = wordPrefixOf(xml);
  const own = `${w}sectPr`;
  const names = qualified(w, [
    ...['sectPr', 'type'],
    ...(headers ? ['headerReference', 'footerReference'] : []),
    ...(margins ? ['pgMar'] : []),
  ]);
  const exchanged = (attributes: string, attribute: string, others: ReadonlyMap<string, string>) =>
    withValues(attributes, (name, value) => (name === attribute ? (others.get(value) ?? value) : value));
  const edits: Edit[] = [];
  let depth = 0;
  visitMarkup(xml, {
    names,
    open(name, attributes, isEmpty, start) {
      if (depth === 1) {
        const local = names.get(name);
        if (local === 'type')
          edits.push(
            editAttributes({ name, attributes, start }, exchanged(attributes, `${w}val`, otherTypes)),
          );
        else if (local === 'pgMar')
          edits.push(editAttributes({ name, attributes, start }, otherMargins(attributes, w)));
        else if (local !== 'sectPr')
          edits.push(
            editAttributes({ name, attributes, start }, exchanged(attributes, `${w}type`, otherHeaders)),
          );
      }
      if (name === own && !isEmpty) depth += 1;
    },
    close(name) {
      if (name === own) depth = Math.max(0, depth - 1);
    },
  });
  return withEdits(xml, edits);
}

/** The inner margin, with the gutter, in place of the outer one. */
function otherMargins(attributes: string, w: string): string {
  const [left, right, gutter] = ['left', 'right', 'gutter'].map((side) => attributeOf(attributes, w + side));
  if (left === undefined || right === undefined) return attributes;
  const room = readPoints(gutter) ?? 0;
  const inner = room === 0 ? left : `${Math.round(((readPoints(left) ?? 0) + room) * TWIPS_PER_POINT)}`;
  const values = new Map([
    [`${w}left`, right],
    [`${w}right`, inner],
    [`${w}gutter`, '0'],
  ]);
  return withValues(attributes, (name, value) => values.get(name) ?? value);
}
