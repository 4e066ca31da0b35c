/** Messages for people when there is no PDF. */
import { formatBytes, formatWait } from '../format.ts';

/** An error of the service, or `UNREACHABLE`, `UNKNOWN`, `NO_FILE` and `NEEDS_KEY`, which only the page knows. */
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

/** The limits of a job; a plan may allow fewer files. */
export interface JobLimits {
  readonly maxFileBytes: number;
  readonly maxFiles: number;
  /** Of all files together. */
  readonly maxBytes: number;
  /** The sizes in words. */
  readonly maxFile: string;
  readonly maxTotal: string;
}

export interface Explanation {
  readonly title: string;
  /** What happened and what to do. */
  readonly text: string;
  /** Whether the same document may succeed another time. */
  readonly canRetry: boolean;
}

type Explain<Known> = (failure: Failure, limits: Known) => Explanation;

const fatal =
  (title: string, text: string): Explain<unknown> =>
  () => ({ title, text, canRetry: false });

/** Another try may succeed, once something else has changed. */
const mendable =
  (title: string, text: string): Explain<unknown> =>
  () => ({ title, text, canRetry: true });

/** The service's own message explains best what is wrong with a document or a key. */
const bySaying =
  (title: string, canRetry = false): Explain<unknown> =>
  ({ message = `${title}.` }) => ({ title, text: message, canRetry });

const temporary =
  <Known>(title: string, cause: string | ((limits: Known) => string)): Explain<Known> =>
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

const brokenUpload: Explain<unknown> = temporary(
  'The upload did not arrive whole',
  'The connection broke or was too slow.',
);

/** By code: what a document, the service or the page is to blame for. */
const common: Readonly<Record<string, Explain<unknown>>> = {
  INVALID_FILE_TYPE: bySaying('This is not a Word document'),
  CORRUPTED_FILE: bySaying('The document cannot be read'),
  FETCH_FAILED: fatal('The document could not be fetched', 'Choose the document on your computer instead.'),
  PASSWORD_PROTECTED: fatal(
    'The document needs a password',
    'Remove the password in your word processor, save the document, and choose it once more.',
  ),
  CONVERSION_FAILED: bySaying('The document could not be converted'),
  INVALID_REQUEST: brokenUpload,
  OVERLOADED: temporary('The service is busy', 'Many documents are being converted right now.'),
  SERVICE_UNAVAILABLE: temporary(
    'The service is taking a break',
    'It is starting, stopping or under maintenance, and will be back.',
  ),
  INTERNAL_ERROR: temporary('Something went wrong on our side', 'Your document is not to blame.'),
  MISSING_FILE: outdated,
  INVALID_PARAMETER: bySaying('The options do not fit'),
  METHOD_NOT_ALLOWED: outdated,
  UNREACHABLE: temporary(
    'The service cannot be reached',
    'Check your connection to the internet. The document may also have been moved or changed on your disk.',
  ),
  NO_FILE: fatal('That was no document', 'Drop one Word document (.docx), no folder and no text.'),
};

/** By code: those that `POST /v1/public/convert` answers with, and the page's own. */
const ofPublic: Readonly<Record<string, Explain<Limits>>> = {
  ...common,
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
  FEATURE_NOT_IN_PLAN: outdated,
  NOT_FOUND: outdated,
  NEEDS_KEY: mendable(
    'Several documents need an API key',
    'Enter one under “Several documents”, then try again; or choose one document.',
  ),
};

/** By code: those that the operations of jobs answer with, and those of a job's files. */
const ofJobs: Readonly<Record<string, Explain<JobLimits>>> = {
  ...common,
  MISSING_AUTH: mendable('An API key is missing', 'Enter one under “Several documents”, then try again.'),
  INVALID_API_KEY: bySaying('The API key does not work', true),
  EXPIRED_API_KEY: bySaying('The API key has expired', true),
  ACCOUNT_SUSPENDED: bySaying('The account is suspended', true),
  ORIGIN_NOT_ALLOWED: bySaying('The API key may not be used by this page', true),
  IP_NOT_ALLOWED: bySaying('The API key may not be used from here', true),
  INSUFFICIENT_PERMISSIONS: mendable(
    'The API key is not for jobs',
    'Use a key with the permission “jobs”, which several documents need.',
  ),
  FEATURE_NOT_IN_PLAN: mendable(
    'The plan has no jobs',
    'Several documents need a plan with the feature “jobs”. Ask your operator, or use a test key.',
  ),
  QUOTA_EXCEEDED: bySaying('The quota is used up'),
  FILE_TOO_LARGE: (_failure, { maxFile, maxTotal }) => ({
    title: 'That is too large',
    text: `A document may have up to ${maxFile}, all of them together ${maxTotal}.`,
    canRetry: false,
  }),
  TOO_MANY_FILES: (_failure, { maxFiles }) => ({
    title: 'That is too many at once',
    text: `Choose up to ${maxFiles} documents.`,
    canRetry: false,
  }),
  RATE_LIMIT_EXCEEDED: temporary(
    'That was the limit for now',
    'The plan of the account allows no more requests or jobs at the moment.',
  ),
  INVALID_REQUEST: (failure, limits) => {
    // Only the message says what the plan allows.
    const [, most] = /plan allows (\d+) files a job/.exec(failure.message ?? '') ?? [];
    if (most === undefined) return brokenUpload(failure, limits);
    return {
      title: 'The plan allows fewer at once',
      text: `Choose up to ${most} documents.`,
      canRetry: false,
    };
  },
  IDEMPOTENCY_KEY_REUSED: mendable('The documents have changed meanwhile', 'Choose them again.'),
  REQUEST_IN_PROGRESS: temporary('There is no PDF yet', 'It is still being made.'),
  NOT_FOUND: fatal(
    'The job is gone',
    'It was deleted, its PDFs were removed after their time, or the API key is of another account.',
  ),
};

/** @param failure of any code: one that the page does not know is explained by its status. */
export function explain(failure: Failure, limits: Limits): Explanation {
  return explainBy(ofPublic, failure, limits);
}

/** The same of a job, or of one of its files. */
export function explainJob(failure: Failure, limits: JobLimits): Explanation {
  return explainBy(ofJobs, failure, limits);
}

function explainBy<Known>(
  explanations: Readonly<Record<string, Explain<Known>>>,
  failure: Failure,
  limits: Known,
): Explanation {
  const known = Object.hasOwn(explanations, failure.code) ? explanations[failure.code] : undefined;
  if (known) return known(failure, limits);
  const { status = 0, message } = failure;
  if (status === 413) return explainBy(explanations, { ...failure, code: 'FILE_TOO_LARGE' }, limits);
  const text = message ?? `Something between you and the service answered with status ${status}.`;
  if (isTemporary(failure)) return temporary('There is no PDF this time', text)(failure, limits);
  return { title: 'The service refused the document', text, canRetry: false };
}

/** Whether the same request may succeed another time, unchanged. */
export function isTemporary({ code, status = 0 }: Failure): boolean {
  return code === 'UNREACHABLE' || status >= 500 || status === 429 || status === 408;
}

/** What is known before anything is sent. */
export function tooLarge(file: { readonly size: number }, limits: Limits): Explanation {
  const explanation = explain({ code: 'FILE_TOO_LARGE' }, limits);
  return { ...explanation, text: `It has ${formatBytes(file.size)}. ${explanation.text}` };
}

/** What is known of a job before anything is sent; undefined if nothing is wrong. */
export function misfit(
  files: readonly { readonly name: string; readonly size: number }[],
  limits: JobLimits,
): Explanation | undefined {
  const prefixed = (code: string, text: string) => {
    const explanation = explainJob({ code }, limits);
    return { ...explanation, text: `${text} ${explanation.text}` };
  };
  if (files.length > limits.maxFiles) return prefixed('TOO_MANY_FILES', `These are ${files.length}.`);
  const large = files.find(({ size }) => size > limits.maxFileBytes);
  if (large) return prefixed('FILE_TOO_LARGE', `${large.name} has ${formatBytes(large.size)}.`);
  const total = files.reduce((sum, { size }) => sum + size, 0);
  if (total > limits.maxBytes) return prefixed('FILE_TOO_LARGE', `Together they have ${formatBytes(total)}.`);
  return undefined;
}
