/** Rules for the form of the file, its objects and its streams. */
import { isDictionary, type PdfFile, type Value } from './pdf-file.ts';
import { archive, type Finding, type Rule, type Subject } from './rule.ts';

const HIGHEST_LOW_BYTE = 127;
/** Bytes of the dictionary of a stream. */
const MAX_DICTIONARY = 65_536;
/** Bits of `P` in an encryption dictionary count from 1. */
const EXTRACT_FOR_ACCESS = 1 << 9;

const filters14 =
  'ASCIIHexDecode ASCII85Decode FlateDecode RunLengthDecode CCITTFaxDecode DCTDecode JBIG2Decode';
const inlineFilters = 'AHx A85 Fl RL CCF DCT';

export const fileRules: readonly Rule[] = [
  {
    clauses: archive('6.1.1', '6.1.1', '6.1.1', '6.1'),
    demand: 'Nothing in the file needs repair, as far as qpdf finds.',
    check: ({ pdf }) => pdf.repairs.map((what) => ({ where: 'file', what })),
  },
  {
    clauses: archive('6.1.2', '6.1.2', '6.1.2', '6.1'),
    demand: 'The file starts with %PDF-1.0 to 1.7, for part 4 %PDF-2.0 to 2.9, and a line end.',
    *check({ pdf, profile }) {
      const line = pdf.bytes.toString('latin1', 0, 16).split(/[\r\n]/)[0] ?? '';
      const versions = profile === '4' ? /^%PDF-2\.\d$/ : /^%PDF-1\.[0-7]$/;
      if (!versions.test(line)) yield { where: 'header', what: line };
    },
  },
  {
    clauses: archive('6.1.2', '6.1.2', '6.1.2'),
    demand: 'A comment with four bytes above 127 follows the header.',
    *check({ pdf }) {
      const found = /^%PDF-\d\.\d(?:\r\n|\r|\n)%(.{4})/s.exec(pdf.bytes.toString('latin1', 0, 32));
      const bytes = [...(found?.[1] ?? '')].map((character) => character.charCodeAt(0));
      if (bytes.length < 4 || bytes.some((byte) => byte <= HIGHEST_LOW_BYTE)) {
        yield { where: 'header', what: 'there is no such comment' };
      }
    },
  },
  {
    clauses: archive('6.1.3', '6.1.3', '6.1.3'),
    demand: 'The trailer has an identifier.',
    *check({ pdf }) {
      if (pdf.array(pdf.trailer['/ID']).length !== 2) yield { where: 'trailer', what: 'no /ID' };
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
    clauses: archive('6.1.3', '6.1.3', '6.1.3'),
    demand: 'The file is not encrypted.',
    *check({ pdf }) {
      if (pdf.trailer['/Encrypt'] !== undefined) yield { where: 'trailer', what: '/Encrypt' };
    },
  },
  {
    clauses: { ua: '7.16' },
    demand: 'Encryption lets screen readers read the text.',
    *check({ pdf }) {
      const encryption = pdf.dictionary(pdf.trailer['/Encrypt']);
      if (pdf.trailer['/Encrypt'] === undefined) return;
      const permissions = pdf.number(encryption['/P']) ?? 0;
      if ((permissions & EXTRACT_FOR_ACCESS) === 0) yield { where: 'encryption', what: `/P ${permissions}` };
    },
  },
  {
    clauses: archive('6.1.3', '6.1.3', '6.1.3'),
    demand: 'Only a line end follows the last %%EOF.',
    *check({ pdf }) {
      const end = pdf.bytes.toString('latin1', Math.max(0, pdf.bytes.length - 1_024));
      const behind = end.slice(end.lastIndexOf('%%EOF') + 5);
      if (!end.includes('%%EOF') || !/^(\r\n|\r|\n)?$/.test(behind)) yield { where: 'end', what: behind };
    },
  },
  {
    clauses: archive('6.1.4'),
    demand: 'The cross-references are a table, not a stream.',
    *check({ pdf }) {
      if (!crossReferences(pdf).startsWith('xref')) yield { where: 'cross-references', what: 'a stream' };
    },
  },
  {
    clauses: archive('6.1.4', '6.1.4', '6.1.4'),
    demand: 'A table of cross-references has single spaces and line ends.',
    *check({ pdf }) {
      const start = crossReferences(pdf);
      if (start.startsWith('xref') && !/^xref(\r\n|\r|\n)\d+ \d+[\r\n ]/.test(start)) {
        yield { where: 'cross-references', what: JSON.stringify(start.slice(0, 16)) };
      }
    },
  },
  {
    clauses: archive('6.1.8', '6.1.9', '6.1.8'),
    demand: 'Objects start with their number, in single spaces and a line of its own.',
    *check({ pdf }) {
      for (const [reference, offset] of pdf.offsets) {
        const start = pdf.bytes.toString('latin1', offset, offset + 32);
        if (!/^\d+ \d+ obj[\r\n]/.test(start))
          yield { where: `object ${reference}`, what: JSON.stringify(start) };
      }
    },
  },
  {
    clauses: archive('6.1.7', '6.1.7.1', '6.1.6.1'),
    demand: 'Streams have the length that they say, and line ends before and after their data.',
    *check({ pdf }) {
      if (pdf.trailer['/Encrypt'] !== undefined) return;
      for (const [reference] of pdf.streams) {
        const offset = pdf.offsets.get(reference);
        if (offset === undefined) continue;
        const start = /stream(\r\n|\n)/.exec(pdf.bytes.toString('latin1', offset, offset + MAX_DICTIONARY));
        const data = offset + (start?.index ?? 0) + (start?.[0].length ?? 0);
        const end = data + pdf.packedLength(reference);
        const behind = pdf.bytes.toString('latin1', end, end + 11);
        if (!start || !/^(\r\n|\r|\n)endstream/.test(behind)) {
          yield { where: `stream ${reference}`, what: JSON.stringify(behind) };
        }
      }
    },
  },
  {
    clauses: archive('6.1.7', '6.1.7.1', '6.1.6.1'),
    demand: 'Streams are in the file, not in others.',
    *check({ pdf }) {
      for (const [reference, dictionary] of pdf.streams) {
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
      for (const [reference, dictionary] of pdf.streams) {
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

/** What the file has where its end says that the cross-references are. */
function crossReferences({ bytes }: PdfFile): string {
  const end = bytes.toString('latin1', Math.max(0, bytes.length - 1_024));
  const position = Number(/startxref\s+(\d+)\s+%%EOF\s*$/.exec(end)?.[1] ?? Infinity);
  return bytes.toString('latin1', position, position + 64);
}

function filterNames(pdf: PdfFile, filter: Value | undefined): string[] {
  return pdf.list(filter).map((item) => (pdf.name(item) ?? '').slice(1));
}

function* limits({ pdf, profile }: Subject): Iterable<Finding> {
  const isFirst = profile === '1b';
  const longestString = isFirst ? 65_535 : 32_767;
  const check = (value: Value): string | undefined => {
    if (typeof value === 'number') {
      if (Number.isInteger(value)) return Math.abs(value) > 2_147_483_647 ? `${value}` : undefined;
      return isFirst && Math.abs(value) > 32_767 ? `${value}` : undefined;
    }
    if (typeof value !== 'string') return undefined;
    if (value.startsWith('/')) return nameLength(value) > 127 ? `the name ${value}` : undefined;
    const bytes = value.startsWith('b:') ? value.length / 2 - 1 : Buffer.byteLength(value, 'utf16le');
    return bytes > longestString ? `a string of ${bytes} bytes` : undefined;
  };
  let objects = 0;
  for (const _ of pdf.references) objects += 1;
  if (objects > 8_388_607) yield { where: 'file', what: `${objects} objects` };
  for (const { where, value } of pdf.places()) {
    const items: readonly Value[] = isDictionary(value) ? Object.values(value) : value;
    const most = isDictionary(value) ? 4_095 : 8_191;
    if (isFirst && items.length > most) yield { where, what: `${items.length} entries` };
    const names = isDictionary(value) ? Object.keys(value) : [];
    for (const item of [...items, ...names]) {
      const what = check(item);
      if (what !== undefined) yield { where, what };
    }
  }
}

function nameLength(name: string): number {
  return Buffer.byteLength(name) - 1;
}
