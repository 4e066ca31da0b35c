/** Checks whether a PDF keeps the rules of PDF/A or PDF/UA that LibreOffice or qpdf may break; docs/conformance.md lists them. */
import type { TailReader } from '../../../system/tail-reader.ts';
import { FileForm, formRules } from './form-rules.ts';
import { Patience, TooMuch } from './patience.ts';
import { Facts, type Finding, type Profile, type RuleOf, Subject } from './rule.ts';
import { rules } from './rules.ts';

/** Most violations that are kept of a rule, and of all. */
const MAX_OF_RULE = 5;
const MAX_VIOLATIONS = 25;
/** Longest text of a finding, in characters. */
const MAX_TEXT = 200;

/** A broken rule, and where. */
export interface Violation extends Finding {
  /** Of the standard, such as `6.2.11.5`. */
  readonly clause: string;
  /** What the rule demands. */
  readonly demand: string;
}

/** What is wrong in a PDF by the rules of one standard. */
export interface Examination {
  readonly violations: readonly Violation[];
  /** There are more than these. */
  readonly hasMore: boolean;
  /** Why the rules for its content were not checked, such as that it is encrypted; undefined if they were. */
  readonly unchecked?: string;
}

/** Processor time that the check of a PDF may take, in milliseconds: a reading has ten seconds. */
const PATIENCE_MS = 4_000;

/**
 * Checks a PDF by each of some standards. A rule that cannot be checked, as the PDF cannot be read, is broken. Time and memory are
 * linear in its size.
 */
export function examine(reader: TailReader, profiles: readonly Profile[]): Examination[] {
  let file: FileForm;
  try {
    file = new FileForm(reader, new Patience(PATIENCE_MS));
  } catch (error) {
    if (!(error instanceof TooMuch)) throw error;
    return profiles.map(() => ({ violations: [], hasMore: false, unchecked: error.message }));
  }
  const facts = file.pdf && new Facts(file.pdf);
  return profiles.map((profile) => examineAs(profile, file, facts));
}

function examineAs(profile: Profile, file: FileForm, facts: Facts | undefined): Examination {
  const found = new Found(profile);
  try {
    for (const rule of formRules) found.add(rule, { file, profile });
    if (file.encryption && profile === 'ua') return { ...found.result, unchecked: 'the PDF is encrypted' };
    if (!facts) return found.result;
    const subject = new Subject(facts, profile);
    for (const rule of rules) found.add(rule, subject);
    return found.result;
  } catch (error) {
    if (error instanceof TooMuch) return { ...found.result, unchecked: error.message };
    throw error;
  }
}

class Found {
  readonly #profile: Profile;
  readonly #violations: Violation[] = [];
  #hasMore = false;

  constructor(profile: Profile) {
    this.#profile = profile;
  }

  get result(): Examination {
    return { violations: this.#violations, hasMore: this.#hasMore };
  }

  add<T>({ clauses, demand, check }: RuleOf<T>, subject: T): void {
    const clause = clauses[this.#profile];
    if (clause === undefined) return;
    let ofRule = 0;
    try {
      for (const { where, what } of check(subject)) {
        ofRule += 1;
        if (ofRule > MAX_OF_RULE || this.#violations.length === MAX_VIOLATIONS) {
          this.#hasMore = true;
          return;
        }
        this.#violations.push({
          clause,
          demand,
          where: where.slice(0, MAX_TEXT),
          what: what.slice(0, MAX_TEXT),
        });
      }
    } catch (error) {
      if (error instanceof TooMuch) throw error;
      if (this.#violations.length === MAX_VIOLATIONS) this.#hasMore = true;
      else
        this.#violations.push({
          clause,
          demand,
          where: 'file',
          what: `cannot be checked: ${(error as Error).message}`,
        });
    }
  }
}
