/** Fonts: the font table, themes, and the names of fonts in text. */
import { theme, wordPart } from '../report-documents.ts';
import { type GrowingDocument, grouped, inParts, many, paragraph, textRun } from './growing-document.ts';

const fonts = (name: string) =>
  `<w:rFonts w:ascii="${name}" w:hAnsi="${name}" w:eastAsia="${name}" w:cs="${name}"/>`;
const ofTable = (name: string, size: number, inner: (count: number) => string): GrowingDocument =>
  inParts(name, size, (count) => ({
    body: paragraph(textRun('a', fonts('Nowhere'))),
    parts: { 'fontTable.xml': wordPart('fonts', inner(count)) },
  }));
const font = (name: string, inner = '') => `<w:font w:name="${name}">${inner}</w:font>`;
const nowhere = wordPart('fonts', font('Nowhere', '<w:altName w:val="Courier New"/><w:charset w:val="00"/>'));
const inRuns = (count: number, text: string, name: string | ((index: number) => string)) =>
  grouped(
    count,
    500,
    (inner) => paragraph(inner),
    (i) => textRun(text, fonts(typeof name === 'string' ? name : name(i))),
  );

export const fontKinds: readonly GrowingDocument[] = [
  ofTable('fonts of the font table', 800, (count) =>
    many(count, (i) =>
      font(
        `f${i}`,
        '<w:panose1 w:val="02020603050405020304"/><w:charset w:val="00"/><w:family w:val="roman"/><w:pitch w:val="fixed"/><w:sig/>',
      ),
    ),
  ),
  ofTable('blanks in names of fonts', 200, (count) => many(count, (i) => font(`f${i}${' '.repeat(480)}b`))),
  ofTable('weights in names of fonts', 200, (count) =>
    many(count, (i) => font(`f${i}${' light'.repeat(80)}`)),
  ),
  ofTable('other names of a font', 200, (count) =>
    many(count, (i) => font(`f${i}`, `<w:altName w:val="${',;'.repeat(250)}"/>`)),
  ),
  ofTable('embedded fonts', 800, (count) =>
    many(count, (i) => font(`f${i}`, '<w:embedRegular r:id="rId1"/>')),
  ),
  ofTable('elements of a font', 4_000, (count) => font('a', many(count, '<w:altName w:val="b"/>'))),
  inParts('fonts of a theme', 2_000, (count) => ({
    body: paragraph(textRun('a字', '<w:rFonts w:asciiTheme="minorHAnsi" w:eastAsiaTheme="minorEastAsia"/>')),
    parts: {
      'theme1.xml': theme({
        minor: `<a:latin typeface="Own"/>${many(count, (i) => `<a:font script="S${i}" typeface="f${i}"/>`)}`,
      }),
    },
  })),
  inParts('text in fonts that exist nowhere', 500, (count) => ({
    body: inRuns(count, 'a', 'Nowhere'),
    parts: { 'fontTable.xml': nowhere },
  })),
  inParts('text in fonts with Hebrew letters', 500, (count) => ({ body: inRuns(count, 'א', 'Arial') })),
  inParts('text in Korean fonts', 500, (count) => ({
    body: inRuns(count, '한', 'Malgun Gothic'),
    parts: { 'settings.xml': wordPart('settings', '<w:balanceSingleByteDoubleByteWidth/>') },
  })),
  inParts('quotes and blanks beside Korean letters', 500, (count) => ({
    body: inRuns(count, many(8, '가“1 '), (i) => (i % 2 === 0 ? 'Malgun Gothic' : 'Arial')),
    parts: { 'settings.xml': wordPart('settings', '<w:balanceSingleByteDoubleByteWidth/>') },
  })),
  inParts('text in fonts of their own', 500, (count) => ({
    body: inRuns(count, 'אa字', (i) => `f${i}`),
    parts: { 'fontTable.xml': nowhere },
  })),
];
