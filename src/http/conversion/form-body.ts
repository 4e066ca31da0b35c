/** The body of a form, within its limits: of size, of time, and of progress. */
import type { IncomingMessage } from 'node:http';
import type { FastifyError, FastifyRequest } from 'fastify';
import { PlatenError } from '../../errors.ts';
import { LOOK_MS, type UploadProgress } from '../../queue/upload-progress.ts';
import { StorageError } from '../../storage/object-store.ts';
import { withLinkedController } from '../../system/linked-controller.ts';
import { assertReadable } from '../core/client-errors.ts';
import { assertNotEncoded } from '../core/content-encoding.ts';
import { boundaryOf, MAX_PART_HEADER_BYTES, PartHeaders } from './part-headers.ts';

/** Room for the boundaries, headers and fields around files of the largest size. */
const FORM_OVERHEAD = 65_536;
export const MAX_FIELDS = 10;
/** Of the header of each part, for the parser. */
export const headerLimits = { headerPairs: 20, headerSize: MAX_PART_HEADER_BYTES } as const;
/** An upload that has been stalled for this long does not delay the server's stop. */
const DRAIN_STALLED_MS = 5_000;
const LONG_HEADER = `The form has a part whose header is longer than ${MAX_PART_HEADER_BYTES / 1_024} kB. Send it with shorter names.`;
const STUCK = 'The form has a part that is no form-data. Send each part with Content-Disposition: form-data.';

export interface FormLimits {
  /** Most bytes of all files together. */
  readonly maxBytes: number;
  /** How long all of the body may take, in milliseconds. */
  readonly timeoutMs: number;
  /** Is kept up to date. */
  readonly progress: UploadProgress;
  /** Aborts when the server begins to drain. */
  readonly draining: AbortSignal;
  /** What to say of a form that breaks a limit of the multipart parser, by its code. */
  readonly mistakes: Readonly<Record<string, string>>;
  /** Whether it is meant to have several files. */
  readonly hasManyFiles?: boolean;
}

/**
 * Receives a form.
 *
 * @param receive reads its parts, and ends with the signal; tells the parser when it is writing a file.
 * @param signal ends the upload; the promise then rejects with the signal's reason.
 * @throws PlatenError `INVALID_REQUEST`, `FILE_TOO_LARGE`; `SERVICE_UNAVAILABLE` when it is stalled while the server drains.
 */
export async function receiveForm<T>(
  request: FastifyRequest,
  options: FormLimits,
  signal: AbortSignal,
  receive: (signal: AbortSignal, parser: FormParser) => Promise<T>,
): Promise<T> {
  // The body of a client that is gone would never end.
  signal.throwIfAborted();
  if (!request.isMultipart()) {
    throw new PlatenError('INVALID_REQUEST', {
      message: `The body is not multipart/form-data. Send ${options.hasManyFiles ? 'each' : 'the'} document as ${options.hasManyFiles ? 'a' : 'the'} field "file" of such a form.`,
    });
  }
  assertNotEncoded(request);
  assertReadable(request.raw);
  const { maxBytes, timeoutMs, progress, draining, hasManyFiles = false } = options;
  const formBytes = maxBytes + FORM_OVERHEAD;
  const contentLength = request.headers['content-length'];
  if (contentLength !== undefined) progress.totalBytes = Number(contentLength);
  if (Number(contentLength) > formBytes) throw tooLarge(maxBytes, !hasManyFiles);
  const boundary = boundaryOf(request.headers['content-type']);
  const headers = boundary === undefined ? undefined : new PartHeaders(boundary);
  return withLinkedController([signal], async (receiving) => {
    const refuse = (message: string) => receiving.abort(new PlatenError('INVALID_REQUEST', { message }));
    const timer = setTimeout(() => refuse(tooSlow(options)), timeoutMs);
    const parser: FormParser = { isWriting: false };
    let stopWatching: (() => void) | undefined;
    try {
      const parts = receive(receiving.signal, parser);
      stopWatching = watch(request.raw, parser, progress, {
        came: (chunk) => {
          if (headers?.write(chunk)) refuse(LONG_HEADER);
          if (progress.receivedBytes > formBytes) receiving.abort(tooLarge(maxBytes, !hasManyFiles));
        },
        stuck: () => refuse(STUCK),
        looked: () => {
          if (draining.aborted && progress.stalledMs >= DRAIN_STALLED_MS) receiving.abort(leftBehind());
        },
      });
      // The parser waits for the next byte wherever the client stalls, and knows no signal.
      return await Promise.race([parts, aborted(receiving.signal)]);
    } catch (error) {
      receiving.signal.throwIfAborted();
      throw readFailure(error, options);
    } finally {
      clearTimeout(timer);
      stopWatching?.();
      progress.end();
    }
  });
}

export interface FormParser {
  /** Whether a file is being written, which may take its time. */
  isWriting: boolean;
}

/** Events of a body. */
interface Watcher {
  /** A chunk has arrived. The parser does not limit what is outside of parts, or in parts that are skipped. */
  readonly came: (chunk: Buffer) => void;
  /**
   * It makes no progress although bytes have arrived: after a part of more than 16 kB that is not form-data, the parser
   * (@fastify/busboy 3.2.6) reads nothing more. A working parser reads something between two checks.
   */
  readonly stuck: () => void;
  /** Its progress was checked. */
  readonly looked: () => void;
}

/**
 * @param body must be flowing already.
 * @returns what ends the watch.
 */
function watch(
  body: IncomingMessage,
  parser: FormParser,
  progress: UploadProgress,
  { came, stuck, looked }: Watcher,
): () => void {
  let before: number | undefined;
  const count = (chunk: Buffer) => {
    progress.receivedBytes += chunk.length;
    came(chunk);
  };
  body.on('data', count);
  const timer = setInterval(() => {
    const isWaiting = body.complete || body.readableLength > 0;
    progress.look(isWaiting);
    looked();
    if (isWaiting && !parser.isWriting && progress.receivedBytes === before) stuck();
    before = progress.receivedBytes;
  }, LOOK_MS);
  return () => {
    clearInterval(timer);
    body.off('data', count);
  };
}

/** Rejects with the signal's reason once it aborts. */
function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    const abort = () => reject(signal.reason);
    if (signal.aborted) abort();
    else signal.addEventListener('abort', abort, { once: true });
  });
}

function leftBehind(): PlatenError {
  return new PlatenError('SERVICE_UNAVAILABLE', {
    message:
      'The service is stopping, and the upload stalled. Wait for the seconds in the Retry-After header, then ' +
      'send it again.',
    retryAfter: 2,
  });
}

function tooSlow({ timeoutMs, hasManyFiles = false }: FormLimits): string {
  const rest = hasManyFiles ? ', or in several jobs' : '';
  return `The upload took longer than ${timeoutMs / 1_000} seconds. Send it again over a faster connection${rest}.`;
}

/** @param isOnly whether it is about one file, or about several together. */
export function tooLarge(maxBytes: number, isOnly = true): PlatenError {
  const files = isOnly ? 'The file is' : 'The files of the form are together';
  return new PlatenError('FILE_TOO_LARGE', {
    message: `${files} larger than ${inMegabytes(maxBytes)} MB, the most that this endpoint accepts.`,
  });
}

/** The unit in which messages give limits. */
export const inMegabytes = (bytes: number): number => Math.round((bytes / 1_048_576) * 100) / 100;

/** What to say of a form that breaks a limit or rule of the multipart parser. */
const formMistakes: Readonly<Record<string, string>> = {
  FST_FIELDS_LIMIT: `The form has more than ${MAX_FIELDS} fields. Send only those that the reference lists.`,
  FST_PROTO_VIOLATION:
    'A part of the form has a name that is not allowed. Send only those that the reference lists.',
  FST_INVALID_JSON_FIELD_ERROR: 'A field of the form is declared as JSON, and is not. Send it as text.',
};

/** Errors of the multipart parser, by what they mean to a client. */
function readFailure(error: unknown, { maxBytes, mistakes }: FormLimits): unknown {
  if (error instanceof PlatenError || error instanceof StorageError) return error;
  const { code, syscall } = error as NodeJS.ErrnoException & FastifyError;
  if (code === 'FST_REQ_FILE_TOO_LARGE') return tooLarge(maxBytes);
  // A system call failed (a full disk, say): ours, not the client's.
  if (syscall === 'write' || syscall === 'open') {
    return new PlatenError('SERVICE_UNAVAILABLE', { cause: error });
  }
  const message = mistakes[code] ?? formMistakes[code];
  return new PlatenError('INVALID_REQUEST', { cause: error, ...(message !== undefined && { message }) });
}
