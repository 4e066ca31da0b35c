/** One conversion: the upload, its progress, and how it ended. */
import type { Failure } from './failures.ts';
import { describeWarnings } from './warnings.ts';

/** Longer than the service's own limits: only a dead connection takes this long. */
const PATIENCE_MS = 600_000;

/** A PDF and what the service said of it; times are milliseconds. */
export interface ConvertedPdf {
  readonly pdf: Blob;
  readonly pages: number;
  readonly times: ReadonlyMap<string, number>;
  /** Sentences. */
  readonly warnings: readonly string[];
}

export type Outcome =
  | { readonly kind: 'pdf'; readonly result: ConvertedPdf }
  | { readonly kind: 'failure'; readonly failure: Failure }
  | { readonly kind: 'cancelled' };

export interface ConversionEvents {
  /** @param part of the upload that has left, 0 to 1. */
  onProgress(part: number): void;
  /** The upload has left; the answer is to come. */
  onSent(): void;
}

export interface Conversion {
  readonly outcome: Promise<Outcome>;
  cancel(): void;
}

/**
 * `fetch` does not tell the progress of an upload; XMLHttpRequest does.
 *
 * @param query of the options, with its question mark.
 */
export function startConversion(
  file: File,
  query: string,
  { onProgress, onSent }: ConversionEvents,
): Conversion {
  const request = new XMLHttpRequest();
  const outcome = new Promise<Outcome>((resolve) => {
    request.addEventListener('load', async () => resolve(await readOutcome(request)));
    request.addEventListener('abort', () => resolve({ kind: 'cancelled' }));
    for (const kind of ['error', 'timeout']) {
      request.addEventListener(kind, () => resolve({ kind: 'failure', failure: { code: 'UNREACHABLE' } }));
    }
  });
  request.upload.addEventListener('progress', ({ loaded, total }) => onProgress(loaded / total));
  request.upload.addEventListener('load', onSent);
  request.open('POST', `/v1/public/convert${query}`);
  request.responseType = 'blob';
  request.timeout = PATIENCE_MS;
  const form = new FormData();
  form.set('file', file);
  request.send(form);
  return { outcome, cancel: () => request.abort() };
}

async function readOutcome(request: XMLHttpRequest): Promise<Outcome> {
  const body = request.response as Blob;
  // A network that wants a sign-in first answers 200 with a page of its own.
  const isPdf = request.status === 200 && body.type === 'application/pdf';
  if (!isPdf) return { kind: 'failure', failure: await readFailure(request, body) };
  const pages = Number(request.getResponseHeader('x-conversion-pages'));
  const times = readTimes(request.getResponseHeader('server-timing') ?? '');
  const warnings = describeWarnings(request.getResponseHeader('x-conversion-warnings'));
  return { kind: 'pdf', result: { pdf: body, pages, times, warnings } };
}

/** A proxy in between may answer in its own format: then there is only the status. */
async function readFailure(request: XMLHttpRequest, body: Blob): Promise<Failure> {
  const { status } = request;
  const wait = Number(request.getResponseHeader('retry-after'));
  const retryAfter = wait > 0 ? { retryAfter: wait } : {};
  const requestId = request.getResponseHeader('x-request-id');
  const id = requestId === null ? {} : { requestId };
  try {
    const { code, message } = JSON.parse(await body.text()) as Record<string, unknown>;
    if (typeof code === 'string' && typeof message === 'string') {
      return { code, status, message, ...retryAfter, ...id };
    }
  } catch {
    // Not JSON, so not of the service.
  }
  return { code: 'UNKNOWN', status, ...retryAfter, ...id };
}

/** The durations of a header Server-Timing, by name. */
function readTimes(header: string): Map<string, number> {
  const entries = header.matchAll(/([\w-]+);dur=([\d.]+)/g);
  return new Map([...entries].map(([, name = '', duration]) => [name, Number(duration)]));
}
