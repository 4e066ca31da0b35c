/** XML as programs do not write it, though it is well-formed: what is read of a document is what a parser would see. */
import t, { type Test } from 'tap';
import { attributesIn, withValues } from '../../../src/convert/document/attributes.ts';
import { readMetadata } from '../../../src/convert/document/metadata.ts';
import { Allowance } from '../../../src/convert/package/limits.ts';
import { inspect } from '../../../src/convert/preflight/inspection.ts';
import { eastAsianSettings } from '../../../src/convert/rules/east-asian-settings.ts';
import {
  type ReportedParts,
  reportedDocx,
  reviewed,
  run,
  savedByWord,
  theme,
  wordPart,
} from '../../support/report-documents.ts';
import { fileOf } from '../support/preflight.ts';

const settings = [
  '<w:evenAndOddHeaders/><w:linkStyles/><w:characterSpacingControl w:val="compressPunctuation"/>',
  '<w:compat><w:balanceSingleByteDoubleByteWidth/><w:compatSetting w:name="compatibilityMode" w:uri="u" w:val="14"/></w:compat>',
  '<w:themeFontLang w:val="en-US" w:eastAsia="ja-JP" w:bidi="ar-SA"/>',
].join('');
const themed = '<w:rFonts w:asciiTheme="minorHAnsi" w:eastAsiaTheme="minorEastAsia"/>';
const document = {
  body: `${reviewed.body}${run('a 字', themed)}<w:sectPr><w:headerReference w:type="even" r:id="rId4"/></w:sectPr>`,
  parts: {
    ...reviewed.parts,
    'settings.xml': wordPart('settings', settings),
    'theme1.xml': theme({ minor: '<a:latin typeface="Own"/><a:font script="Jpan" typeface="Mincho"/>' }),
    'header1.xml': wordPart('hdr', run('x', '<w:rFonts w:ascii="Head"/>')),
    'fontTable.xml': wordPart('fonts', '<w:font w:name="Own"><w:embedRegular r:id="rId1"/></w:font>'),
  },
  properties: `${savedByWord(3)}<AppVersion>14.0000</AppVersion>`,
} satisfies ReportedParts;

async function read(t: Test, parts: ReportedParts) {
  const path = fileOf(t, reportedDocx(parts));
  const { kept } = await inspect(path, `${path}-view`, new Allowance(), ['docx']);
  const { theme: fonts, ...eastAsian } = eastAsianSettings(kept);
  const { rewrites, ...metadata } = readMetadata(kept);
  return { metadata, eastAsian: { ...eastAsian, font: fonts.font('minorHAnsi') } };
}

t.test('a document that says all of it', async (t) => {
  t.match(await read(t, document), {
    metadata: {
      fonts: ['Own', 'Mincho', 'Head'],
      embedsFonts: true,
      trackedChanges: 2,
      comments: 1,
      wordPages: 3,
    },
    eastAsian: {
      language: 'ja-JP',
      halvesBlanks: true,
      compressesPunctuation: true,
      hangsPunctuation: true,
      font: 'Own',
    },
  });
});

for (const [what, written] of [
  [
    'what looks like the end of a tag in values',
    (xml) => xml.replace(/<([wa]:\w+)(?=\s)/g, `<$1 note="> '/>"`),
  ],
  ['another prefix', (xml) => xml.replace(/\bw:/g, 'q:').replace('xmlns:w=', 'xmlns:q=')],
  ['comments between tags', (xml) => xml.replaceAll('><', '><!-- <w:p w:val="> --><')],
] satisfies [string, (xml: string) => string][]) {
  t.test(what, async (t) => {
    t.strictSame(await read(t, { ...document, written }), await read(t, document));
  });
}

t.test('tags in comments', async (t) => {
  const silent = (_: string, xml: string) => xml.replace(/(?<=<w:\w+\s[^>]*>).*(?=<\/w:\w+>)/s, '<!--$&-->');
  const parts = Object.fromEntries(
    Object.entries(document.parts).map(([name, xml]) => [name, silent(name, xml)]),
  );
  const body = run('a');
  const none = { theme1: document.parts['theme1.xml'] };
  t.strictSame(
    await read(t, { body, parts, properties: `<!--${document.properties}-->` }),
    await read(t, { body, parts: { 'theme1.xml': none.theme1 }, properties: '<x/>' }),
  );
});

t.test('attributes', async (t) => {
  const attributes = ` a = "1 b='2' >"\n\tb='"' w:c="&amp;"`;
  t.strictSame(
    attributesIn(attributes).map(({ name, value }) => [name, value]),
    [
      ['a', "1 b='2' >"],
      ['b', '"'],
      ['w:c', '&amp;'],
    ],
  );
  for (const { value, valueAt } of attributesIn(attributes)) {
    t.equal(attributes.slice(valueAt, valueAt + value.length), value);
  }
  t.equal(
    withValues(attributes, (_name, value) => value),
    attributes,
    'none is changed',
  );
  t.equal(
    withValues(attributes, (name, value) => (name === 'b' ? '3' : value)),
    ` a = "1 b='2' >"\n\tb="3" w:c="&amp;"`,
  );
  t.equal(
    withValues(attributes, (name, value) => (name === 'b' ? undefined : value)),
    ` a = "1 b='2' >" w:c="&amp;"`,
  );
  for (const broken of [' a', ' a="', ' a=1 b="2"', '="" b="2"']) t.strictSame(attributesIn(broken), []);
  for (const word of [' a', ' a=', ' a="1"', '"', ' ', '=']) attributesIn(word.repeat(300_000));
});
