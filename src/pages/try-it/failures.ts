/** Messages for people when there is no PDF. */
import { formatBytes, formatWait } from '../format.ts';

/** An error of the service, or `UNREACHABLE`, `UNKNOWN` and `NO_FILE`, which only the page knows. */
export interface Failure {
  readonly code: string;
  readonly status?: number;
  /** What the service said, for people. */
  readonly message?: string;
  readonly requestId?: string;
  /** Seconds. */
  readonly retryAfter?: number;
}

/** The limits of the public endpoint. */
export interface Limits {
  readonly maxFileBytes: number;
  /** The same in words. */
  readonly maxFile: string;
  readonly perHour: number;
  readonly perSecond: number;
}

export interface Explanation {
  readonly title: string;
  /** What happened and what to do. */
  readonly text: string;
  /** Whether the same document may do another time. */
  readonly canRetry: boolean;
}

type Explain = (failure: Failure, limits: Limits) => Explanation;

const fatal =
  (title: string, text: string): Explain =>
  () => ({ title, text, canRetry: false });

/** The service's own message explains best what is wrong with a document. */
const aboutDocument =
  (title: string, fallback: string): Explain =>
  ({ message }) => ({ title, text: message ?? fallback, canRetry: false });

const temporary =
  (title: string, cause: string | ((limits: Limits) => string)): Explain =>
  ({ retryAfter }, limits) => {
    const when = retryAfter === undefined ? 'in a moment' : `in ${formatWait(retryAfter)}`;
    const text = `${typeof cause === 'string' ? cause : cause(limits)} Try again ${when}.`;
    return { title, text, canRetry: true };
  };

/** Errors that only a bug of this page can cause. */
const outdated = fatal(
  'The service did not understand this page',
  'Reload the page and try again. If that does not help, tell the operator, with the request id.',
);

/** By code: those that `POST /v1/public/convert` answers with, and the page's own. */
const explanations: Readonly<Record<string, Explain>> = {
  INVALID_FILE_TYPE: aboutDocument('This is not a Word document', 'Choose a Word document (.docx).'),
  CORRUPTED_FILE: aboutDocument(
    'The document cannot be read',
    'Open it in a word processor, save it again, and choose it once more.',
  ),
  FETCH_FAILED: fatal('The document could not be fetched', 'Choose the document on your computer instead.'),
  PASSWORD_PROTECTED: fatal(
    'The document needs a password',
    'Remove the password in your word processor, save the document, and choose it once more.',
  ),
  FILE_TOO_LARGE: (_failure, { maxFile }) => ({
    title: 'The document is too large',
    text:
      `This page takes documents up to ${maxFile}. Most of a large document is pictures: compress them in your ` +
      'word processor. With an API key, documents may be larger.',
    canRetry: false,
  }),
  RATE_LIMIT_EXCEEDED: temporary(
    'That was the limit for now',
    ({ perHour, perSecond }) =>
      `Without an API key, an address may send ${perHour} documents an hour and ${perSecond} a second.`,
  ),
  CONVERSION_FAILED: aboutDocument(
    'The document could not be converted',
    'Simplify it: fewer nested tables, smaller pictures, several parts.',
  ),
  INVALID_REQUEST: temporary('The upload did not arrive whole', 'The connection broke or was too slow.'),
  OVERLOADED: temporary('The service is busy', 'Many documents are being converted right now.'),
  SERVICE_UNAVAILABLE: temporary(
    'The service is taking a break',
    'It starts, stops or is being looked after, and will be back.',
  ),
  INTERNAL_ERROR: temporary('Something went wrong on our side', 'Your document is not to blame.'),
  MISSING_FILE: outdated,
  INVALID_PARAMETER: aboutDocument(
    'The options do not fit',
    'Change the options, and choose the document again.',
  ),
  FEATURE_NOT_IN_PLAN: outdated,
  NOT_FOUND: outdated,
  METHOD_NOT_ALLOWED: outdated,
  UNREACHABLE: temporary(
    'The service cannot be reached',
    'Check your connection to the internet. The document may also have been moved or changed on your disk.',
  ),
  NO_FILE: fatal('That was no document', 'Drop one Word document (.docx), no folder and no text.'),
};

/** @param failure of any code: one that the page does not know is explained by its status. */
export function explain(failure: Failure, limits: Limits): Explanation {
  const known = Object.hasOwn(explanations, failure.code) ? explanations[failure.code] : undefined;
  if (known) return known(failure, limits);
  const { status = 0, message } = failure;
  if (status === 413) return explain({ ...failure, code: 'FILE_TOO_LARGE' }, limits);
  const text = message ?? `Something between you and the service answered with status ${status}.`;
  if (status >= 500 || status === 429 || status === 408) {
    return temporary('There is no PDF this time', text)(failure, limits);
  }
  return { title: 'The service refused the document', text, canRetry: false };
}

/** What is known before anything is sent. */
export function tooLarge(file: { readonly size: number }, limits: Limits): Explanation {
  const explanation = explain({ code: 'FILE_TOO_LARGE' }, limits);
  return { ...explanation, text: `It has ${formatBytes(file.size)}. ${explanation.text}` };
}
