/**
 * The last section of an inserted document (`w:altChunk`, ISO/IEC 29500-1, 17.17.2.1). In Word its content becomes part of a
 * section of the document around it. LibreOffice gives that document its page size, margins and headers instead. It does not
 * where the inserted document has one section break alone, at its end and to a continuous section. So its other sections,
 * which Word keeps, become pages of that section.
 */
import { type Edit, withEdits } from '../document/edits.ts';
import { attributeOf, qualified, visitMarkup, wordPrefixOf } from '../document/markup.ts';
import type { Bytes } from '../text/bytes.ts';

/** What stands in a body: paragraphs, and what has some. */
const blocks: ReadonlySet<string> = new Set(['p', 'tbl', 'sdt', 'customXml', 'altChunk']);
const elements = ['body', 'pPr', 'pPrChange', 'sectPr', 'type', ...blocks];
/** How deep elements stand: the body, what is in it, the properties of its paragraphs and what is in these. */
const [BODY, BLOCK, PROPERTIES, PROPERTY] = [1, 2, 3, 4];

interface Block {
  readonly isParagraph: boolean;
  readonly isEmpty: boolean;
  /** Where its content begins. */
  readonly start: number;
  /** Where its properties begin, and where more of them may come. */
  properties: { readonly start: number; end: number; readonly isEmpty: boolean } | undefined;
  /** The section that ends with it. */
  section: Section | undefined;
}

interface Section {
  readonly start: number;
  end: number;
  /** Where its last paragraph ends; undefined for the last section. */
  paragraphEnd: number | undefined;
  beginsPage: boolean;
}

/** The main part of an inserted document with one section, in linear time. */
export function withOneSection(xml: Bytes): Bytes {
  const w = wordPrefixOf(xml);
  const names = qualified(w, elements);
  const edits: Edit[] = [];
  let depth = 0;
  let isInBody = false;
  let isOpen = false;
  let last: Block | undefined;
  const sections: Section[] = [];
  let bodyEnd: number | undefined;
  visitMarkup(xml, {
    open(name, attributes, isEmpty, start, end) {
      const section = { start, end, paragraphEnd: undefined, beginsPage: true };
      const local = names.get(name);
      if (depth === BODY && local === 'body') isInBody = !isEmpty;
      else if (isInBody && depth === BLOCK && local === 'sectPr') sections.push(section);
      else if (isInBody && depth === BLOCK && local !== undefined && blocks.has(local)) {
        last = { isParagraph: local === 'p', isEmpty, start: end, properties: undefined, section: undefined };
      } else if (last?.isParagraph && depth === PROPERTIES && local === 'pPr') {
        last.properties ??= { start, end, isEmpty };
        isOpen = !isEmpty;
      } else if (last && isOpen && depth === PROPERTY) {
        if (local === 'sectPr') {
          last.section = section;
          sections.push(section);
        } else if (local === 'pPrChange' && last.properties) [last.properties.end, isOpen] = [start, false];
      }
      const of = sections.at(-1);
      if (of && local === 'type' && isInBody)
        of.beginsPage = !/^(continuous|nextColumn)$/.test(attributeOf(attributes, `${w}val`) ?? '');
      if (!isEmpty) depth += 1;
    },
    close(name, start, end) {
      depth -= 1;
      const local = names.get(name);
      if (depth === BODY && local === 'body') [isInBody, bodyEnd] = [false, start];
      else if (local === 'sectPr' && isInBody && (depth === BLOCK || isOpen)) endSection(sections, end);
      else if (depth === BLOCK && local === 'p' && last?.section) last.section.paragraphEnd = start;
      else if (depth === PROPERTIES && local === 'pPr' && isOpen && last?.properties)
        [last.properties.end, isOpen] = [start, false];
    },
  });
  if (bodyEnd === undefined) return xml;
  for (const [index, { start, end, paragraphEnd: at }] of sections.entries()) {
    edits.push({ start, end, text: '' });
    if (at !== undefined && at < bodyEnd && sections[index + 1]?.beginsPage)
      edits.push({ start: at, end: at, text: `<${w}r><${w}br ${w}type="page"/></${w}r>` });
  }
  edits.push(endingSection(xml, w, last, bodyEnd));
  return withEdits(xml, edits);
}

function endSection(sections: readonly Section[], end: number): void {
  const section = sections.at(-1);
  if (section) section.end = end;
}

function endingSection(xml: string, w: string, last: Block | undefined, bodyEnd: number): Edit {
  const section = `<${w}sectPr><${w}type ${w}val="continuous"/></${w}sectPr>`;
  const properties = `<${w}pPr>${section}</${w}pPr>`;
  if (!last?.isParagraph) return { start: bodyEnd, end: bodyEnd, text: `<${w}p>${properties}</${w}p>` };
  const { start, isEmpty, properties: own } = last;
  if (isEmpty) return { start: xml.lastIndexOf('/', start), end: start, text: `>${properties}</${w}p>` };
  if (!own) return { start, end: start, text: properties };
  return own.isEmpty ? { ...own, text: properties } : { start: own.end, end: own.end, text: section };
}
