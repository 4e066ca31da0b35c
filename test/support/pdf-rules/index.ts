/** Checks whether a PDF keeps the rules of PDF/A or PDF/UA that LibreOffice or qpdf may break; README.md lists them. */
import { PdfFile } from './pdf-file.ts';
import { type Profile, profiles, type Rule, Subject } from './rule.ts';
import { rules } from './rules.ts';

export { type Profile, profiles } from './rule.ts';

export interface Violation {
  /** The standard and the clause, such as `ISO 19005-2 6.2.11.5`. */
  readonly rule: string;
  readonly demand: string;
  readonly where: string;
  readonly what: string;
}

const STANDARDS: Readonly<Record<Profile, string>> = {
  '1b': 'ISO 19005-1',
  '2b': 'ISO 19005-2',
  '3b': 'ISO 19005-3',
  '4': 'ISO 19005-4',
  ua: 'ISO 14289-1',
};

/**
 * What is wrong in a PDF by the rules of one standard. A rule that cannot be checked, as the PDF cannot be read, is broken.
 *
 * @param path of the PDF.
 * @param password of an encrypted PDF, which may be PDF/UA.
 * @throws Error if qpdf cannot read the file.
 */
export async function violations(path: string, profile: Profile, password?: string): Promise<Violation[]> {
  // The rules for how objects are written are of PDF/A only.
  const pdf = await PdfFile.read(path, password, { hasOffsets: profile !== 'ua' });
  const subject = new Subject(pdf, profile);
  return rules.flatMap((rule) => broken(rule, subject));
}

/** A table of all rules in Markdown. */
export function ruleTable(): string {
  const row = (cells: readonly string[]) => `| ${cells.join(' | ')} |\n`;
  const heads = row(['demand', ...profiles]) + row(['demand', ...profiles].map(() => '---'));
  const rows = rules.map(({ demand, clauses }) =>
    row([demand, ...profiles.map((name) => clauses[name] ?? '')]),
  );
  return heads + rows.join('');
}

function broken({ clauses, demand, check }: Rule, subject: Subject): Violation[] {
  const clause = clauses[subject.profile];
  if (clause === undefined) return [];
  const rule = `${STANDARDS[subject.profile]} ${clause}`;
  try {
    return [...check(subject)].map((finding) => ({ rule, demand, ...finding }));
  } catch (error) {
    return [{ rule, demand, where: 'file', what: `cannot be checked: ${(error as Error).message}` }];
  }
}
