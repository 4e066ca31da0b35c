/** How a request ended, as the log, the metrics and its span tell it. */
import type { Receipt } from '../../accounts/billing/conversions.ts';
import type { KeyLocation } from '../../accounts/keys/locate.ts';
import type { Phases } from '../../convert/converter.ts';
import type { Judgement } from '../../convert/pagination/page-judge.ts';
import type { Pagination } from '../../convert/pagination/word-pages.ts';
import type { ConversionReport } from '../../convert/report/warnings.ts';
import type { ErrorCode } from '../../errors.ts';
import type { Isolation } from '../../shared/options/conversion-options.ts';

/** Record of a conversion, filled in while it runs: sizes in bytes, times in milliseconds. */
export interface ConversionRecord {
  pages?: number | undefined;
  /** Documents of a PDF of several. */
  documents?: number;
  bytesIn?: number;
  bytesOut?: number;
  peakBytes?: number | undefined;
  cpuMs?: number | undefined;
  attempts?: number;
  tagged?: boolean;
  isolation?: Isolation;
  pagination?: Pagination | undefined;
  /** How near each layout of the document is to Word's pages, the engine's own first. */
  layouts?: readonly Judgement[] | undefined;
  /** The code of the error by which a further layout of the document failed. */
  layoutFailure?: string | undefined;
  /** Names of the rules by which the document was rewritten for the engine. */
  rewrites?: readonly string[];
  /** Not logged: font names come from the document. */
  report?: ConversionReport;
  /** Not logged: it identifies the document. */
  receipt?: Receipt;
  /** When the delivery of the PDF began, by `performance.now()`. */
  sentAt?: number;
  readonly phases: Phases & { upload?: number; delivery?: number };
}

/** How a request ended. */
export interface RequestOutcome {
  readonly requestId: string;
  /** Undefined if there are no traces, or this is in none. */
  readonly traceId: string | undefined;
  /** The request's key; undefined if it had none, or an unknown one. */
  readonly key: KeyLocation | undefined;
  /** Whether its key was admitted. */
  readonly admitted: boolean;
  /** Whether it asked for a conversion. */
  readonly converts: boolean;
  readonly method: string;
  /** The route's pattern, not the path: an unknown path may contain anything. */
  readonly route: string;
  /** Undefined when the client left before it had the whole answer. */
  readonly status: number | undefined;
  readonly code: ErrorCode | 'success' | 'client_left' | 'simulated';
  /** Why it was refused, if the code alone does not say. */
  readonly reason: string | undefined;
  /** What its error said to the client. Not logged: it may name what the client sent. */
  readonly message: string | undefined;
  /** The key's environment, or `public`. */
  readonly class: 'live' | 'test' | 'public';
  readonly conversion: ConversionRecord | undefined;
  /** From the request's head to the end of its answer, in milliseconds. */
  readonly ms: number;
}

/** An observer of requests. */
export interface RequestObserver {
  began(): void;
  ended(outcome: RequestOutcome): void;
}
