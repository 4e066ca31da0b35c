/** Rules for fonts: each is in the file, with the glyphs and widths that the pages need. */
import type { Dictionary } from '../objects/values.ts';
import { readToUnicode } from '../to-unicode.ts';
import type { CheckedPdf } from './checked-pdf.ts';
import type { FontProgram, Glyph } from './font-program.ts';
import { readFontProgram } from './font-programs.ts';
import { OperationReader } from './operations.ts';
import { archive, type Profile, type Rule, type Subject } from './rule.ts';

/** Thousandths of an em by which widths may differ. */
const TOLERANCE = 1;
const SYMBOLIC = 4;
const standardEncodings = ['/MacRomanEncoding', '/WinAnsiEncoding'];
const programKeys = ['/FontFile', '/FontFile2', '/FontFile3'];

export const fontRules: readonly Rule[] = [
  {
    clauses: archive('6.3.2', '6.2.11.2', '6.2.10.2'),
    demand: 'Fonts are of a known type, named, and say which characters they have and how wide these are.',
    *check({ pdf, content }) {
      for (const { where, font } of content.fonts.values()) {
        const subtype = pdf.name(font['/Subtype']) ?? 'no subtype';
        if (pdf.name(font['/Type']) !== '/Font') yield { where, what: 'no /Type/Font' };
        if (!['/Type1', '/TrueType', '/Type3', '/Type0'].includes(subtype)) yield { where, what: subtype };
        if (subtype !== '/Type3' && pdf.name(font['/BaseFont']) === undefined)
          yield { where, what: 'no name' };
        if (subtype === '/Type0') continue;
        const [first, last] = [pdf.number(font['/FirstChar']), pdf.number(font['/LastChar'])];
        const widths = pdf.array(font['/Widths']).length;
        if (first === undefined || last === undefined || widths !== last - first + 1) {
          yield { where, what: `${widths} widths for characters ${first} to ${last}` };
        }
      }
    },
  },
  {
    clauses: archive('6.3.3', '6.2.11.3', '6.2.10.3', '7.21.3'),
    demand: 'Fonts are simple ones: the rules for composite fonts are not checked here.',
    *check({ pdf, content }) {
      for (const { where, font } of content.fonts.values()) {
        if (pdf.name(font['/Subtype']) === '/Type0') yield { where, what: 'a composite font' };
      }
    },
  },
  {
    clauses: archive('6.3.4', '6.2.11.4.1', '6.2.10.4.1', '7.21.4.1'),
    demand: 'Fonts of visible text are embedded, with programs that can be read.',
    *check({ pdf, content }) {
      for (const { where, font, visible } of content.fonts.values()) {
        if (!hasProgram(pdf, font) || visible.length === 0) continue;
        if (programKey(pdf, font) === undefined) {
          yield { where, what: `${pdf.name(font['/BaseFont'])} is not embedded` };
          continue;
        }
        try {
          program(pdf, font);
        } catch (error) {
          yield { where, what: (error as Error).message };
        }
      }
    },
  },
  {
    clauses: archive('6.3.5', '6.2.11.8', '6.2.10.9', '7.21.8'),
    demand: 'Every character that is shown has a glyph, which is not .notdef.',
    *check(subject) {
      for (const { where, code, glyph } of shownCodes(subject)) {
        if (!glyph) yield { where, what: `code ${code}` };
      }
    },
  },
  {
    clauses: archive('6.3.5', '6.2.11.4.2', undefined, '7.21.4.2'),
    demand: 'Subsets of Type 1 fonts list their glyphs: in part 1 always, later rightly if at all.',
    *check({ pdf, content, profile }) {
      for (const { where, font } of content.fonts.values()) {
        const isSubset = /^\/[A-Z]{6}\+/.test(pdf.name(font['/BaseFont']) ?? '');
        const names = isSubset ? readable(pdf, font)?.glyphNames : undefined;
        if (!names) continue;
        const charSet = pdf.text(descriptor(pdf, font)['/CharSet']);
        if (charSet === undefined && profile !== '1b') continue;
        const listed = new Set(charSet?.split('/').slice(1));
        const missing = names.filter((name) => !listed.has(name));
        if (missing.length > 0) yield { where, what: `not listed: ${missing.join(' ')}` };
      }
    },
  },
  {
    clauses: archive('6.3.6', '6.2.11.5', '6.2.10.5', '7.21.5'),
    demand: 'Widths in the PDF and in font programs agree.',
    *check(subject) {
      const { pdf } = subject;
      for (const { where, code, glyph, font } of shownCodes(subject)) {
        if (!glyph) continue;
        const widths = pdf.array(font['/Widths']);
        const first = pdf.number(font['/FirstChar']) ?? 0;
        const missing = descriptor(pdf, font)['/MissingWidth'] ?? 0;
        const width = pdf.number(widths[code - first] ?? missing) ?? 0;
        if (Math.abs(width - glyph.width) > TOLERANCE) {
          yield {
            where,
            what: `code ${code} is ${width} wide in the PDF, ${glyph.width.toFixed(1)} in the font`,
          };
        }
      }
    },
  },
  {
    clauses: archive('6.3.7', '6.2.11.6', '6.2.10.6', '7.21.6'),
    demand:
      'TrueType fonts of symbols have no encoding and one table of codes; others have a standard encoding.',
    *check({ pdf, content, profile }) {
      for (const { where, font } of content.fonts.values()) {
        if (pdf.name(font['/Subtype']) !== '/TrueType') continue;
        const tables = readable(pdf, font)?.codeTables;
        const isSymbolic = ((pdf.number(descriptor(pdf, font)['/Flags']) ?? 0) & SYMBOLIC) !== 0;
        if (!isSymbolic) {
          const encoding = pdf.dictionary(font['/Encoding'])['/BaseEncoding'] ?? pdf.get(font['/Encoding']);
          if (!standardEncodings.includes(String(encoding))) {
            yield { where, what: `the encoding ${encoding}` };
          }
        } else if (font['/Encoding'] !== undefined) {
          yield { where, what: 'a font of symbols has an encoding' };
        } else if (tables && !isPermitted(tables, profile)) {
          yield { where, what: `a font of symbols has ${tables.length} tables of codes` };
        }
      }
    },
  },
  {
    clauses: { '4': '6.2.10.7', ua: '7.21.7' },
    demand:
      'Every character that is shown has a Unicode value, in part 4 at will, which is not U+0000, U+FEFF or U+FFFE.',
    *check({ pdf, content, profile }) {
      for (const { where, font, shown } of content.fonts.values()) {
        const cmap = font['/ToUnicode'];
        if (cmap === undefined && hasKnownCodes(pdf, font)) continue;
        const texts = pdf.isStream(cmap)
          ? readToUnicode(pdf.streamData(cmap).toString('latin1'))
          : new Map<number, string>();
        for (const code of shown) {
          const text = texts.get(code);
          if (text === undefined && profile === '4') continue;
          if (text === undefined || /^$|[\0\ufeff\ufffe]/.test(text)) {
            yield { where, what: `code ${code} means ${JSON.stringify(text)}` };
          }
        }
      }
    },
  },
];

/** Whether the codes of a font have a meaning without a map to Unicode (ISO 14289-1, 7.21.7). */
function hasKnownCodes(pdf: CheckedPdf, font: Dictionary): boolean {
  const isSymbolic = ((pdf.number(descriptor(pdf, font)['/Flags']) ?? 0) & SYMBOLIC) !== 0;
  return !isSymbolic && standardEncodings.includes(pdf.name(font['/Encoding']) ?? '');
}

/** Each code that is shown visibly in a simple font whose program can be read, once. */
function* shownCodes({ pdf, content }: Subject) {
  for (const { where, font, visible } of content.fonts.values()) {
    const found = pdf.name(font['/Subtype']) === '/Type3' ? drawnGlyphs(pdf, font) : readable(pdf, font);
    if (!found) continue;
    const names = differences(pdf, font);
    for (const code of visible) {
      const glyph: Glyph | undefined = found.glyph(code, names.get(code));
      yield { where, font, code, glyph };
    }
  }
}

/** Whether a font of symbols may have these tables of codes: only one, or from part 2 on one for symbols among them. */
function isPermitted(tables: FontProgram['codeTables'], profile: Profile): boolean {
  const isSymbolic = tables.some(([platform, encoding]) => platform === 3 && encoding === 0);
  const isRoman = tables.some(([platform, encoding]) => platform === 1 && encoding === 0);
  if (profile === '4') return isSymbolic || isRoman;
  return tables.length === 1 || (profile !== '1b' && isSymbolic);
}

/** Type 3 fonts draw their glyphs, composite ones have other fonts. */
function hasProgram(pdf: CheckedPdf, font: Dictionary): boolean {
  return !['/Type3', '/Type0'].includes(pdf.name(font['/Subtype']) ?? '');
}

function descriptor(pdf: CheckedPdf, font: Dictionary): Dictionary {
  return pdf.dictionary(font['/FontDescriptor']);
}

function programKey(pdf: CheckedPdf, font: Dictionary): string | undefined {
  return programKeys.find((key) => pdf.isStream(descriptor(pdf, font)[key]));
}

const programs = new WeakMap<Dictionary, FontProgram>();

/** @throws Error if it cannot be read. */
function program(pdf: CheckedPdf, font: Dictionary): FontProgram | undefined {
  const key = programKey(pdf, font);
  if (key === undefined || !hasProgram(pdf, font)) return undefined;
  const known = programs.get(font);
  if (known) return known;
  const read = readFontProgram(key, pdf.streamData(descriptor(pdf, font)[key]));
  programs.set(font, read);
  return read;
}

/** The program if it can be read; another rule tells if it cannot. */
function readable(pdf: CheckedPdf, font: Dictionary): FontProgram | undefined {
  try {
    return program(pdf, font);
  } catch {
    return undefined;
  }
}

/** Glyphs of a Type 3 font, which are content streams that say their width first (ISO 32000-1, 9.6.5). */
function drawnGlyphs(pdf: CheckedPdf, font: Dictionary): Pick<FontProgram, 'glyph'> {
  const streams = pdf.dictionary(font['/CharProcs']);
  return {
    glyph(_, name) {
      const stream = streams[name ?? ''];
      if (!pdf.isStream(stream)) return undefined;
      const reader = new OperationReader(pdf.streamData(stream));
      for (let operation = reader.next(); operation; operation = reader.next()) {
        const { operator, operands } = operation;
        if (operator === 'd0' || operator === 'd1') return { width: Number(operands[0]) };
      }
      return undefined;
    },
  };
}

/** Names of glyphs by code, without the `/` unless the font draws its glyphs. */
function differences(pdf: CheckedPdf, font: Dictionary): Map<number, string> {
  const names = new Map<number, string>();
  const isDrawn = pdf.name(font['/Subtype']) === '/Type3';
  let code = 0;
  for (const item of pdf.array(pdf.dictionary(font['/Encoding'])['/Differences'])) {
    const name = pdf.name(item);
    if (name === undefined) code = pdf.number(item) ?? 0;
    else names.set(code++, isDrawn ? name : name.slice(1));
  }
  return names;
}
