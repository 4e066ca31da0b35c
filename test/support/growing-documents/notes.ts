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
  inParts('endnotes at the end of sections', 300, (size) => ({
    body: many(size, (index) =>
      paragraph(`<w:pPr><w:sectPr/></w:pPr><w:r><w:endnoteReference w:id="${index + 1}"/></w:r>`),
    ),
    parts: {
      'endnotes.xml': wordPart(
        'endnotes',
        `<w:endnote w:type="separator" w:id="0"><w:p><w:r><w:separator/></w:r></w:p></w:endnote>${many(
          size,
          (index) =>
            `<w:endnote w:id="${index + 1}"><w:p><w:hyperlink r:id="a"><w:r><w:endnoteRef/></w:r></w:hyperlink></w:p></w:endnote>`,
        )}`,
      ).replace(/ xmlns:r="[^"]*"/, ' xmlns:x="x" xmlns:r="another"'),
      'settings.xml': wordPart('settings', '<w:endnotePr><w:pos w:val="sectEnd"/></w:endnotePr>'),
    },
  })),
];
