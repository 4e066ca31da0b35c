/** What a rule of PDF/A (ISO 19005) or PDF/UA (ISO 14289) looks like. */
import type { CheckedPdf } from './checked-pdf.ts';
import { Content, type Finding } from './content.ts';
import { Structure } from './structure.ts';
import { readXmp, type Xmp, type XmpNode } from './xmp.ts';

export type { Finding } from './content.ts';

/** PDF/A-1b, -2b, -3b or -4, or PDF/UA-1. */
export const profiles = ['1b', '2b', '3b', '4', 'ua'] as const;
export type Profile = (typeof profiles)[number];

/** A rule for something that is examined. */
export interface RuleOf<T> {
  /** The clause of each standard that has the rule. */
  readonly clauses: Partial<Readonly<Record<Profile, string>>>;
  /** What it demands. */
  readonly demand: string;
  check(subject: T): Iterable<Finding>;
}

/** A rule for the content of a PDF. */
export type Rule = RuleOf<Subject>;

/** Clauses of PDF/A: the parts 2 and 3 have the same numbers. */
export function archive(part1?: string, part2?: string, part4?: string, ua?: string): Rule['clauses'] {
  return {
    ...(part1 !== undefined && { '1b': part1 }),
    ...(part2 !== undefined && { '2b': part2, '3b': part2 }),
    ...(part4 !== undefined && { '4': part4 }),
    ...(ua !== undefined && { ua }),
  };
}

/** What several rules look at, in every standard: it is read once, and only if one does. */
export class Facts {
  readonly pdf: CheckedPdf;
  #content: Content | undefined;
  #structure: Structure | undefined;
  #xmp: Xmp | undefined;

  constructor(pdf: CheckedPdf) {
    this.pdf = pdf;
  }

  /** @throws Error if a content stream cannot be read; TooMuch. */
  get content(): Content {
    this.#content ??= new Content(this.pdf);
    return this.#content;
  }

  /** @throws TooMuch */
  get structure(): Structure {
    this.#structure ??= new Structure(this.pdf);
    return this.#structure;
  }

  /** Without properties if they are missing or cannot be read, which {@link readMetadata} tells. */
  get xmp(): Xmp {
    try {
      this.#xmp ??= this.readMetadata();
    } catch {
      this.#xmp = { header: '', properties: [] };
    }
    return this.#xmp;
  }

  /** @throws Error if they are missing or cannot be read. */
  readMetadata(): Xmp {
    return readXmp(this.pdf.streamData(this.pdf.catalog['/Metadata']));
  }
}

/** A PDF by one standard. */
export class Subject {
  readonly pdf: CheckedPdf;
  readonly profile: Profile;
  readonly #facts: Facts;

  constructor(facts: Facts, profile: Profile) {
    this.#facts = facts;
    this.pdf = facts.pdf;
    this.profile = profile;
  }

  /** As those of {@link Facts}. */
  get content(): Content {
    return this.#facts.content;
  }

  get structure(): Structure {
    return this.#facts.structure;
  }

  get xmp(): Xmp {
    return this.#facts.xmp;
  }

  readMetadata(): Xmp {
    return this.#facts.readMetadata();
  }

  property(namespace: string, name: string): XmpNode | undefined {
    return this.xmp.properties.find((node) => node.namespace === namespace && node.name === name);
  }
}
