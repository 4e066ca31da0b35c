/** fontconfig's rules for the stand-ins. LibreOffice follows them, except for Cambria (see `hidden`). */

/**
 * LibreOffice slants or emboldens a stand-in without such a face only where fontconfig says that it did so. Its slant and strokes
 * are those of Word (0.35 for 0.33; a 30th of the size for a 35th), so no matrix is set.
 */
const SYNTHETIC = [
  '<match target="font"><test name="slant"><const>roman</const></test>' +
    '<test target="pattern" name="slant" compare="not_eq"><const>roman</const></test>' +
    '<edit name="slant" mode="assign"><const>oblique</const></edit></match>',
  '<match target="font"><test name="weight" compare="less_eq"><const>medium</const></test>' +
    '<test target="pattern" name="weight" compare="more_eq"><const>bold</const></test>' +
    '<edit name="weight" mode="assign"><const>bold</const></edit></match>',
];

/** Families of which Debian 12 has version 1, beside version 2 in another package. */
const OLD = ['Liberation Sans', 'Liberation Serif'];
/** Liberation 1.07.4, as fontconfig writes versions. */
const OLD_VERSION = 70_123;

/**
 * @param {import('./table.mjs').FontTable} table
 * @returns {string} a file of fontconfig's
 */
export function rules({ standIns, fallback, fallbackByLanguage, hidden }) {
  return [
    '<?xml version="1.0"?>',
    '<!DOCTYPE fontconfig SYSTEM "fonts.dtd">',
    '<fontconfig>',
    ...standIns.flatMap(({ word, use, otherLetters = [] }) =>
      word.map((name) => standIn(name, [use, ...otherLetters])),
    ),
    // Behind the others: the name of the font itself stands for the real one alone.
    ...standIns.flatMap(({ word, blanks = {} }) =>
      Object.entries(blanks).flatMap(([blank, family]) =>
        word.map((name) => standIn(`${name} ${blank}`, [name, family])),
      ),
    ),
    ...Object.entries(fallbackByLanguage).map(([language, family]) => forLanguage(language, family)),
    `<match target="pattern"><edit name="family" mode="append_last">${fallback.map(string).join('')}</edit></match>`,
    ...hidden.map(hide),
    ...OLD.map(hideOld),
    ...SYNTHETIC,
    '</fontconfig>',
    '',
  ].join('\n');
}

/**
 * The binding "same" ranks it before any font that merely supports the language, and after the requested font, so that an
 * installed original wins.
 *
 * @param {string} name
 * @param {string[]} families
 */
function standIn(name, families) {
  return (
    `<match target="pattern"><test name="family">${string(name)}</test>` +
    `<edit name="family" mode="append" binding="same">${families.map(string).join('')}</edit></match>`
  );
}

/**
 * The strong binding ranks it before fonts that merely support the language: otherwise blanks and digits of Arabic text came from
 * two other fonts.
 *
 * @param {string} language
 * @param {string} family
 */
function forLanguage(language, family) {
  return (
    `<match target="pattern"><test name="lang" compare="contains">${string(language)}</test>` +
    `<edit name="family" mode="append_last" binding="strong">${string(family)}</edit></match>`
  );
}

/**
 * By family: a path pattern did not work in the kit.
 *
 * @param {string} family
 */
function hide(family) {
  return reject(`<patelt name="family">${string(family)}</patelt>`);
}

/** @param {string} family */
function hideOld(family) {
  const version = `<patelt name="fontversion"><int>${OLD_VERSION}</int></patelt>`;
  return reject(`<patelt name="family">${string(family)}</patelt>${version}`);
}

/** @param {string} elements of the pattern */
const reject = (elements) =>
  `<selectfont><rejectfont><pattern>${elements}</pattern></rejectfont></selectfont>`;

/** @param {string} text */
const string = (text) => `<string>${escaped(text)}</string>`;

/** @param {string} text */
const escaped = (text) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
