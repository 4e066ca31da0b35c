/** Rules for the form of the file, its objects and its streams. */
import { isUtf8 } from 'node:buffer';
import { PdfString, type Value } from '../objects/values.ts';
import type { CheckedPdf } from './checked-pdf.ts';
import { archive, type Finding, type Rule, type Subject } from './rule.ts';

const filters14 =
  'ASCIIHexDecode ASCII85Decode FlateDecode RunLengthDecode CCITTFaxDecode DCTDecode JBIG2Decode';
/** More than endobj and line ends take. */
const END_BYTES = 64;
/** With the blanks that qpdf puts behind an object of a linearised file. */
const PADDED_END_BYTES = 4_096;
const inlineFilters = 'AHx A85 Fl RL CCF DCT';

export const fileRules: readonly Rule[] = [
  {
    clauses: archive('6.1.3', '6.1.3', '6.1.3'),
    demand: 'The trailer has an identifier.',
    *check({ pdf }) {
      const parts = pdf.array(pdf.trailer['/ID']);
      const isRight =
        parts.length === 2 && parts.every((part) => part instanceof PdfString && part.bytes !== '');
      if (!isRight) yield { where: 'trailer', what: 'no /ID' };
    },
  },
  {
    clauses: archive(undefined, undefined, '6.1.3'),
    demand:
      'The trailer has an information dictionary only for the data of applications, and with no more than its date.',
    *check({ pdf }) {
      if (!('/Info' in pdf.trailer)) return;
      if (!('/PieceInfo' in pdf.catalog)) yield { where: 'trailer', what: '/Info' };
      const others = Object.keys(pdf.dictionary(pdf.trailer['/Info'])).filter((key) => key !== '/ModDate');
      if (others.length > 0) yield { where: '/Info', what: others.join(' ') };
    },
  },
  {
    clauses: archive(undefined, undefined, '6.1.12'),
    demand: 'If the catalogue has a version, it is 2.0 to 2.9.',
    *check({ pdf }) {
      const version = pdf.name(pdf.catalog['/Version']);
      if (version !== undefined && !/^\/2\.\d$/.test(version)) yield { where: 'catalog', what: version };
    },
  },
  {
    clauses: archive('6.1.8', '6.1.9', '6.1.8'),
    demand:
      'Objects start with their number, in single spaces, and end with endobj, both in lines of their own.',
    *check({ pdf }) {
      for (const reference of pdf.references()) {
        const range = pdf.rangeOf(reference);
        if (!range) continue;
        const where = `object ${reference}`;
        const start = pdf.bytes(range.start - 1, 32).toString('latin1');
        if (!/^[\r\n]\d+ \d+ obj[\r\n]/.test(start)) yield { where, what: JSON.stringify(start) };
        const last = (bytes: number) => {
          const from = Math.max(range.start, range.end - bytes);
          return pdf.bytes(from, range.end - from).toString('latin1');
        };
        let end = last(END_BYTES);
        if (end.trim() === '') end = last(PADDED_END_BYTES);
        if (!/[\r\n]endobj[\r\n]/.test(end)) yield { where, what: JSON.stringify(end.slice(-32)) };
      }
    },
  },
  {
    clauses: archive(undefined, '6.1.8', '6.1.7'),
    demand: 'Names of fonts, spot colours and structure types are in UTF-8.',
    *check({ pdf }) {
      for (const [name, where] of namesToRead(pdf)) {
        if (!isUtf8(Buffer.from(name, 'latin1'))) yield { where, what: name };
      }
    },
  },
  {
    clauses: archive('6.1.7', '6.1.7.1', '6.1.6.1'),
    demand: 'Streams have the length that they say, and line ends before and after their data.',
    *check({ pdf }) {
      // What is before them, the reader itself demands.
      for (const [reference, , { position, length }] of pdf.streams()) {
        const behind = pdf.bytes(position + length, 11).toString('latin1');
        if (!/^(\r\n|\r|\n)endstream/.test(behind)) {
          yield { where: `stream ${reference}`, what: JSON.stringify(behind) };
        }
      }
    },
  },
  {
    clauses: archive('6.1.7', '6.1.7.1', '6.1.6.1'),
    demand: 'Streams are in the file, not in others.',
    *check({ pdf }) {
      for (const [reference, dictionary] of pdf.streams()) {
        for (const key of ['/F', '/FFilter', '/FDecodeParms']) {
          if (key in dictionary) yield { where: `stream ${reference}`, what: key };
        }
      }
    },
  },
  {
    clauses: archive('6.1.10', '6.1.7.2', '6.1.6.2'),
    demand: 'Streams have no filter but those that the part permits: not LZW, not Crypt, in part 1 not JPX.',
    *check({ pdf, profile, content }) {
      const permitted = new Set(`${filters14} ${profile === '1b' ? '' : 'JPXDecode'}`.split(' '));
      for (const [reference, dictionary] of pdf.streams()) {
        for (const name of filterNames(pdf, dictionary['/Filter'])) {
          if (!permitted.has(name)) yield { where: `stream ${reference}`, what: name };
        }
      }
      const inline = new Set(`${filters14} ${inlineFilters}`.split(' '));
      for (const { where, image } of content.inlineImages) {
        for (const name of filterNames(pdf, image['/Filter'] ?? image['/F'])) {
          if (!inline.has(name)) yield { where, what: name };
        }
      }
    },
  },
  {
    clauses: archive('6.1.12', '6.1.13'),
    demand: 'Numbers, strings, names, arrays, dictionaries and objects are within the limits of the part.',
    check: limits,
  },
  {
    clauses: archive('6.1.12', '6.1.13'),
    demand: 'Graphics states are nested up to 28 deep.',
    check: ({ content }) => content.deepNesting,
  },
  {
    clauses: archive(undefined, '6.1.13'),
    demand: 'Page boundaries measure between 3 and 14,400 units.',
    *check({ pdf }) {
      for (const { dictionary, where } of pdf.pages) {
        for (const key of ['/MediaBox', '/CropBox', '/BleedBox', '/TrimBox', '/ArtBox']) {
          const [left, bottom, right, top] = pdf.array(dictionary[key]).map(Number);
          if (left === undefined || bottom === undefined || right === undefined || top === undefined)
            continue;
          const sides = [Math.abs(right - left), Math.abs(top - bottom)];
          if (sides.some((side) => side < 3 || side > 14_400)) yield { where, what: `${key} ${sides}` };
        }
      }
    },
  },
];

/** Names that are texts for readers, and where they are. */
function* namesToRead(pdf: CheckedPdf): Iterable<readonly [name: string, where: string]> {
  const { survey } = pdf;
  for (const { where, value } of survey.having('/BaseFont', '/FontName', '/RoleMap')) {
    const roles = Object.entries(pdf.dictionary(value['/RoleMap'])).flat();
    for (const item of [value['/BaseFont'], value['/FontName'], ...roles]) {
      const name = pdf.name(item);
      if (name !== undefined) yield [name, where];
    }
  }
  for (const { where, value } of survey.colourSpaces('/Separation', '/DeviceN')) {
    for (const item of pdf.list(value[1])) yield [pdf.name(item) ?? '', where];
  }
  for (const [type, { where }] of survey.structureTypes) yield [type, where];
}

function filterNames(pdf: CheckedPdf, filter: Value | undefined): string[] {
  return pdf.list(filter).map((item) => (pdf.name(item) ?? '').slice(1));
}

function* limits({ pdf, profile, content }: Subject): Iterable<Finding> {
  const isFirst = profile === '1b';
  const most = {
    integer: 2_147_483_647,
    real: isFirst ? 32_767 : Number.POSITIVE_INFINITY,
    string: isFirst ? 65_535 : 32_767,
    name: 127,
    array: isFirst ? 8_191 : Number.POSITIVE_INFINITY,
    dictionary: isFirst ? 4_095 : Number.POSITIVE_INFINITY,
  };
  let objects = 0;
  for (const _ of pdf.references()) objects += 1;
  if (objects > 8_388_607) yield { where: 'file', what: `${objects} objects` };
  for (const kind of ['integer', 'real', 'string', 'name', 'array', 'dictionary'] as const) {
    for (const { size, place } of [pdf.survey.largest[kind], content.largest[kind]]) {
      if (place && size > most[kind]) yield { where: place.where, what: `${kind} of ${size}` };
    }
  }
}
