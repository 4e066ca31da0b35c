/** Rules for the bytes of the file: its start, its end, its cross-references, its encryption, and that it can be read at all. */
import type { TailReader } from '../../../system/tail-reader.ts';
import { type CrossReferences, readCrossReferences } from '../objects/cross-references.ts';
import { Parser } from '../objects/parser.ts';
import { type Dictionary, isDictionary, Reference } from '../objects/values.ts';
import { CheckedPdf } from './checked-pdf.ts';
import { type Patience, TooMuch } from './patience.ts';
import { archive, type Finding, type Profile, type RuleOf } from './rule.ts';

const HIGHEST_LOW_BYTE = 127;
/** Bits of `P` in an encryption dictionary count from 1. */
const EXTRACT_FOR_ACCESS = 1 << 9;
const END_BYTES = 1_024;
/** More than any encryption dictionary has. */
const ENCRYPTION_BYTES = 4_096;

/** A file that may be no PDF, or one that only a password opens. */
export class FileForm {
  readonly reader: TailReader;
  /** Undefined if it cannot be read, see {@link problem}, or is encrypted. */
  readonly pdf: CheckedPdf | undefined;
  /** What would have to be repaired. */
  readonly problem: string | undefined;
  readonly encryption: Dictionary | undefined;
  /** What the file has where its cross-references are, from the newest on. */
  readonly crossReferences: readonly string[];

  /** @throws TooMuch */
  constructor(reader: TailReader, patience: Patience) {
    this.reader = reader;
    let sections = [Number(/startxref\s+(\d{1,15})\s+%%EOF\s*$/.exec(this.end)?.[1] ?? 0)];
    try {
      const references = readCrossReferences(reader);
      sections = [...references.sections];
      this.encryption = readEncryption(reader, references);
      if (!this.encryption) this.pdf = new CheckedPdf(reader, patience);
    } catch (error) {
      if (error instanceof TooMuch) throw error;
      this.problem = (error as Error).message;
    }
    this.crossReferences = sections.map((position) => this.text(position, 64));
  }

  /** A character for each byte. */
  text(position: number, length: number): string {
    return this.reader.read(position, length).toString('latin1');
  }

  /** The last bytes. */
  get end(): string {
    return this.text(Math.max(0, this.reader.size - END_BYTES), END_BYTES);
  }
}

/** A file by one standard. */
export interface FormSubject {
  readonly file: FileForm;
  readonly profile: Profile;
}

export const formRules: readonly RuleOf<FormSubject>[] = [
  {
    clauses: archive('6.1.1', '6.1.1', '6.1.1', '6.1'),
    demand: 'Nothing in the file needs repair.',
    *check({ file: { problem } }): Iterable<Finding> {
      if (problem !== undefined) yield { where: 'file', what: problem };
    },
  },
  {
    clauses: archive('6.1.2', '6.1.2', '6.1.2', '6.1'),
    demand: 'The file starts with %PDF-1.0 to 1.7, for part 4 %PDF-2.0 to 2.9, and a line end.',
    *check({ file, profile }) {
      const line = file.text(0, 16).split(/[\r\n]/)[0] ?? '';
      const versions = profile === '4' ? /^%PDF-2\.\d$/ : /^%PDF-1\.[0-7]$/;
      if (!versions.test(line)) yield { where: 'header', what: line };
    },
  },
  {
    clauses: archive('6.1.2', '6.1.2', '6.1.2'),
    demand: 'A comment with four bytes above 127 follows the header.',
    *check({ file }) {
      const found = /^%PDF-\d\.\d(?:\r\n|\r|\n)%(.{4})/s.exec(file.text(0, 32));
      const bytes = [...(found?.[1] ?? '')].map((character) => character.charCodeAt(0));
      if (bytes.length < 4 || bytes.some((byte) => byte <= HIGHEST_LOW_BYTE)) {
        yield { where: 'header', what: 'there is no such comment' };
      }
    },
  },
  {
    clauses: archive('6.1.3', '6.1.3', '6.1.3'),
    demand: 'The file is not encrypted.',
    *check({ file: { encryption } }) {
      if (encryption) yield { where: 'trailer', what: '/Encrypt' };
    },
  },
  {
    clauses: { ua: '7.16' },
    demand: 'Encryption lets screen readers read the text.',
    *check({ file: { encryption } }) {
      if (!encryption) return;
      const permissions = Number(encryption['/P'] ?? 0);
      if ((permissions & EXTRACT_FOR_ACCESS) === 0) yield { where: 'encryption', what: `/P ${permissions}` };
    },
  },
  {
    clauses: archive('6.1.3', '6.1.3', '6.1.3'),
    demand: 'Only a line end follows the last %%EOF.',
    *check({ file: { end } }) {
      const behind = end.slice(end.lastIndexOf('%%EOF') + 5);
      if (!end.includes('%%EOF') || !/^(\r\n|\r|\n)?$/.test(behind)) yield { where: 'end', what: behind };
    },
  },
  {
    clauses: archive('6.1.4'),
    demand: 'The cross-references are a table, not a stream.',
    *check({ file: { crossReferences } }) {
      for (const start of crossReferences) {
        if (!start.startsWith('xref')) yield { where: 'cross-references', what: 'a stream' };
      }
    },
  },
  {
    clauses: archive('6.1.4', '6.1.4', '6.1.4'),
    demand: 'A table of cross-references has single spaces and line ends.',
    *check({ file: { crossReferences } }) {
      for (const start of crossReferences) {
        if (start.startsWith('xref') && !/^xref(\r\n|\r|\n)\d+ \d+[\r\n ]/.test(start)) {
          yield { where: 'cross-references', what: JSON.stringify(start.slice(0, 16)) };
        }
      }
    },
  },
];

/** The encryption dictionary, which is never encrypted itself. @throws Error if it cannot be read. */
function readEncryption(reader: TailReader, { trailer, places }: CrossReferences): Dictionary | undefined {
  const found = trailer['/Encrypt'];
  if (found === undefined) return undefined;
  if (!(found instanceof Reference)) return isDictionary(found) ? found : {};
  const parser = new Parser(reader.read(Math.max(0, places[found.number] ?? 0), ENCRYPTION_BYTES));
  parser.value();
  parser.value();
  parser.word();
  const value = parser.value();
  return isDictionary(value) ? value : {};
}
