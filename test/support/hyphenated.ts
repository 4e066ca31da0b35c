/** Words that break where their language and the document allow it. */
import { docxLeadingTo } from './documents.ts';

const W = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"';

/** Words of a language, in a column that the longer ones hardly fit in. */
const words: readonly (readonly [string, string])[] = [
  ['de-DE', 'Donaudampfschifffahrtsgesellschaft'],
  ['en-US', 'internationalization'],
  ['en-GB', 'internationalisation'],
  ['fr-FR', 'anticonstitutionnellement'],
  ['es-ES', 'electroencefalografista'],
  ['it-IT', 'precipitevolissimevolmente'],
  ['pt-BR', 'inconstitucionalissimamente'],
  ['nl-NL', 'verzekeringsmaatschappijen'],
  ['pl-PL', 'konstantynopolitańczykowianeczka'],
  ['ru-RU', 'достопримечательность'],
  ['sv-SE', 'ansvarsförsäkringsbolaget'],
  ['da-DK', 'ansvarsforsikringsselskab'],
  ['nb-NO', 'ansvarsforsikringsselskap'],
  ['cs-CZ', 'nejneobhospodařovatelnější'],
];

/** The languages of the document. */
export const hyphenatedLanguages: readonly string[] = words.map(([language]) => language);

/** LibreOffice numbers fonts by their addresses: they show whether it allocated memory alike. */
const fonts = ['Arial', 'Times New Roman', 'Courier New', 'Cambria', 'Georgia', 'Verdana', 'Tahoma'];

/** In each language short words that leave some of their line free, and the long one, in a narrow column. */
export const narrowColumn = ({ hyphenated }: { hyphenated: boolean }): Buffer =>
  docxLeadingTo(
    { 'settings.xml': 'settings' },
    { 'word/settings.xml': `<w:settings ${W}>${hyphenated ? '<w:autoHyphenation/>' : ''}</w:settings>` },
    words
      .map(
        ([language, word], index) =>
          `<w:p><w:r><w:rPr><w:sz w:val="22"/><w:lang w:val="${language}"/></w:rPr>` +
          `<w:t>${language}: ${`abc ${word} `.repeat(6)}</w:t></w:r></w:p>` +
          `<w:p><w:r><w:rPr><w:rFonts w:ascii="${fonts[index % fonts.length]}"/></w:rPr><w:t>x</w:t></w:r></w:p>`,
      )
      .join('') +
      '<w:sectPr><w:pgSz w:w="4800" w:h="30000"/><w:pgMar w:top="720" w:right="720" w:bottom="720" w:left="720"/></w:sectPr>',
  );

/** The languages in which a line ends within a word. */
export const languagesBrokenIn = (text: string): string[] =>
  text
    .split(/(?=\b[a-z]{2}-[A-Z]{2}: )/)
    .flatMap((part) => (/\p{L}[-\u00ad]\n/u.test(part) ? [part.slice(0, 5)] : []));
