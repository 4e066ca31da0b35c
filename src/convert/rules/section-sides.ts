/**
 * Sections that begin on an odd or an even page (`w:type`, ISO/IEC 29500-1, 17.6.22). LibreOffice lays the first page of one out with a
 * header that has no room (up to 25.2), and its text begins as much higher. So those do without the type that need none: the first
 * section, where the type means nothing, and those whose page numbers begin anew on that side, as LibreOffice has odd numbers on odd
 * pages.
 */
import { withValues } from '../document/attributes.ts';
import { type Edit, withEdits } from '../document/edits.ts';
import { attributeOf, wordPrefixOf } from '../document/markup.ts';
import { readSectionTags, type SectionTags } from '../document/sections.ts';
import { editAttributes } from '../document/tags.ts';
import type { Bytes } from '../text/bytes.ts';

/**
 * The main part without such types where none is needed, in linear time. An even first page keeps its number, 2.
 */
export function withoutSides(xml: Bytes): Bytes {
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
