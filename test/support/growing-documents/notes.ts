/** Footnotes and endnotes that are not in the order of their references. */
import { wordPart } from '../report-documents.ts';
import { type GrowingDocument, inParts, many, paragraph, textRun } from './growing-document.ts';

const note = (kind: string, id: number) => `<w:${kind} w:id="${id}">${paragraph(textRun('a'))}</w:${kind}>`;
const kind = (name: string, each: (index: number, size: number) => number, element = 'footnote') =>
  inParts(name, 300, (size) => ({
    body: many(size, (index) => paragraph(`<w:r><w:${element}Reference w:id="${each(index, size)}"/></w:r>`)),
    parts: {
      [`${element}s.xml`]: wordPart(
        `${element}s`,
        `<w:${element} w:type="separator" w:id="0"/>${many(size, (index) => note(element, index + 1))}`,
      ),
    },
  }));

export const noteKinds: readonly GrowingDocument[] = [
  kind('footnotes in reverse order', (index, size) => size - index),
  kind('references to the same endnote', () => 1, 'endnote'),
  kind('references to notes that are missing', (index, size) => size + index),
];
