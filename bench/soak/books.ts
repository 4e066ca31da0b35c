/** The clients' records: what they sent, how it ended, and all faults. */

/** A conversion that one client waited for, or a file of a job. */
interface AccountBooks {
  /** Ids of the requests that brought the PDFs of conversions, each under an idempotency key of its own. */
  readonly delivered: Set<string>;
  /** Jobs by id. */
  readonly jobs: Map<string, JobBooks>;
}

export interface JobBooks {
  /** Whether it was a conversion with `respond-async`: its bill has the id of that request. */
  readonly isConversion: boolean;
  /** Whether its end is also sent to a URL of its own. */
  readonly hasWebhook: boolean;
  readonly expected: readonly (string | undefined)[];
  /** Numbers of files with PDFs; undefined until it has ended. */
  succeeded: readonly number[] | undefined;
}

/** Most faults that are kept as texts. */
const MOST_FAULTS = 200;

export class Books {
  readonly #accounts = new Map<string, AccountBooks>();
  /** Answers and other events by name. */
  readonly counts = new Map<string, number>();
  readonly faults: string[] = [];
  /** All faults, also those that are not among the texts. */
  faultCount = 0;
  /** Documents whose end is known. */
  documents = 0;

  of(account: string): AccountBooks {
    let books = this.#accounts.get(account);
    if (!books) {
      books = { delivered: new Set(), jobs: new Map() };
      this.#accounts.set(account, books);
    }
    return books;
  }

  get accounts(): readonly string[] {
    return [...this.#accounts.keys()];
  }

  count(name: string, more = 1): void {
    this.counts.set(name, (this.counts.get(name) ?? 0) + more);
  }

  fault(text: string): void {
    this.faultCount++;
    if (this.faults.length >= MOST_FAULTS) return;
    this.faults.push(`${new Date().toISOString()} ${text}`);
    console.error(this.faults.at(-1));
  }
}
