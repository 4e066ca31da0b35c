/** The upload: multipart parts that stream into the job's folder while they are counted. */
import { createHash } from 'node:crypto';
import { closeSync, openSync, writeSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import type { MultipartFile } from '@fastify/multipart';
import type { FastifyError, FastifyRequest } from 'fastify';
import { StoredParts } from '../../convert/package/stored-parts.ts';
import type { Workspace } from '../../convert/workspace.ts';
import { PlatenError } from '../../errors.ts';
import { type Attachment, secretFields } from '../../options/conversion-options.ts';
import { LOOK_MS, type UploadProgress } from '../../queue/upload-progress.ts';
import { withLinkedController } from '../../system/linked-controller.ts';
import { assertReadable } from '../core/client-errors.ts';
import { assertNotEncoded } from '../core/content-encoding.ts';
import { AttachmentParts, MAX_ATTACHMENTS, TOO_MANY_ATTACHMENTS } from './attachment-parts.ts';

/** Room for the boundaries, headers and fields around files of the largest size. */
const FORM_OVERHEAD = 65_536;
const MAX_FIELDS = 10;
/** Fields that may come as a file by mistake, such as by `-F password=@FILE` of curl. */
const textFields: readonly string[] = secretFields;
/** The document and its attachments. */
const MAX_FILES = 1 + MAX_ATTACHMENTS;
/** Name of the parts of attachments. */
export const ATTACHMENT = 'attachment';
const MAX_FIELD_BYTES = 1_024;
/** Characters of a field's name that an answer repeats. */
const MAX_SHOWN = 40;
/** Of the header of a part: room for a file name of any length that file systems have, and more. */
const MAX_PART_HEADER_BYTES = 16_384;
/** When it has been stalled for so long, an upload does not hold up the end of the server. */
const DRAIN_STALLED_MS = 5_000;
const TOO_SLOW = 'The upload took too long. Send it again over a faster connection.';
const MORE_THAN_ONE =
  'The form has more than one file. Send one document a request; "attachment" is the name of files to attach to its PDF.';
const STUCK =
  'The form has a part that is no form-data. Send only the file, with Content-Disposition: form-data.';

export interface Upload {
  /** The name that the client gave the file; any text. */
  readonly fileName: string | undefined;
  /** Size of the file, in bytes. */
  readonly bytes: number;
  /** What was looked at of the file while it arrived. */
  readonly storedParts: StoredParts;
  /** SHA-256 of the file, in hexadecimal. */
  readonly sha256: string;
  /** The form's fields that are no files. */
  readonly fields: ReadonlyMap<string, string>;
  /** By ascending names; undefined for none. */
  readonly attachments: readonly Attachment[] | undefined;
}

/** Where the files go. */
export type UploadPaths = Pick<Workspace, 'input' | 'attachment'>;

export interface UploadOptions {
  /** Most bytes of all files together. */
  readonly maxBytes: number;
  /** How long all of the body may take, in milliseconds. */
  readonly timeoutMs: number;
  /** Is kept up to date. */
  readonly progress: UploadProgress;
  /** Aborts when the server begins to drain. */
  readonly draining: AbortSignal;
}

/**
 * Writes the part `file` of the form and the parts `attachment` to their paths.
 *
 * @param signal ends the upload; the promise then rejects with the signal's reason.
 * @throws PlatenError `INVALID_REQUEST`, `MISSING_FILE`, `FILE_TOO_LARGE`; `SERVICE_UNAVAILABLE` when it is
 * stalled while the server drains.
 */
export async function receiveUpload(
  request: FastifyRequest,
  paths: UploadPaths,
  options: UploadOptions,
  signal: AbortSignal,
): Promise<Upload> {
  // The body of a client that is gone would never end.
  signal.throwIfAborted();
  if (!request.isMultipart()) {
    throw new PlatenError('INVALID_REQUEST', {
      message: 'The body is not multipart/form-data. Send the document as the field "file" of such a form.',
    });
  }
  assertNotEncoded(request);
  assertReadable(request.raw);
  const { maxBytes, timeoutMs, progress, draining } = options;
  const formBytes = maxBytes + FORM_OVERHEAD;
  const contentLength = request.headers['content-length'];
  if (contentLength !== undefined) progress.totalBytes = Number(contentLength);
  if (Number(contentLength) > formBytes) throw tooLarge(maxBytes);
  return withLinkedController([signal], async (receiving) => {
    const refuse = (message: string) => receiving.abort(new PlatenError('INVALID_REQUEST', { message }));
    const timer = setTimeout(() => refuse(TOO_SLOW), timeoutMs);
    const parser: Parser = { isWriting: false };
    let stopWatching: (() => void) | undefined;
    try {
      const parts = receiveParts(request, paths, options, receiving.signal, parser);
      stopWatching = watch(request.raw, parser, progress, {
        came: () => {
          if (progress.receivedBytes > formBytes) receiving.abort(tooLarge(maxBytes));
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
      throw readFailure(error, maxBytes);
    } finally {
      clearTimeout(timer);
      stopWatching?.();
      progress.end();
    }
  });
}

interface Parser {
  /** Whether a file is being written, which may take its time. */
  isWriting: boolean;
}

/** What is told of a body. */
interface Watcher {
  /** Some of it has come: no limit of the parser bounds what is outside the parts, or in parts that are passed over. */
  readonly came: () => void;
  /**
   * It makes no progress although its bytes are there: behind a part of more than 16 kB that is no form-data, the parser
   * (@fastify/busboy 3.2.6) takes nothing any more. Within two looks, one that works has taken some of what is there.
   */
  readonly stuck: () => void;
  /** A look was taken at its progress. */
  readonly looked: () => void;
}

/**
 * @param body must be flowing already.
 * @returns what ends the watch.
 */
function watch(
  body: IncomingMessage,
  parser: Parser,
  progress: UploadProgress,
  { came, stuck, looked }: Watcher,
): () => void {
  let before: number | undefined;
  const count = (chunk: Buffer) => {
    progress.receivedBytes += chunk.length;
    came();
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

async function receiveParts(
  request: FastifyRequest,
  paths: UploadPaths,
  options: UploadOptions,
  signal: AbortSignal,
  parser: Parser,
): Promise<Upload> {
  const fields = new Map<string, string>();
  let file: Omit<Upload, 'fields' | 'attachments'> | undefined;
  const attachments = new AttachmentParts();
  const room: Room = { ofBytes: options.maxBytes, files: 0, taken: 0 };
  const limits = {
    files: MAX_FILES,
    fields: MAX_FIELDS,
    parts: MAX_FIELDS + MAX_FILES,
    fieldSize: MAX_FIELD_BYTES,
    fileSize: options.maxBytes,
    headerPairs: 20,
    headerSize: MAX_PART_HEADER_BYTES,
  };
  for await (const part of request.parts({ limits })) {
    signal.throwIfAborted();
    if (part.type === 'field' && ['file', ATTACHMENT].includes(part.fieldname)) {
      throw new PlatenError('MISSING_FILE', {
        message: `The part "${part.fieldname}" is text. Send it as a file, with a file name.`,
      });
    }
    if (part.type === 'field') {
      // The parser's types know no part without a name.
      const name: string | undefined = part.fieldname;
      if (name === undefined) {
        throw new PlatenError('INVALID_REQUEST', { message: 'A part of the form has no name.' });
      }
      if (name.length > MAX_FIELD_BYTES || part.valueTruncated) {
        throw new PlatenError('INVALID_REQUEST', { message: 'A field of the form is too long.' });
      }
      if (fields.has(name)) {
        throw new PlatenError('INVALID_PARAMETER', {
          message: `${name.slice(0, MAX_SHOWN)} must be given once, or left out.`,
        });
      }
      fields.set(name, String(part.value));
    } else if (textFields.includes(part.fieldname)) {
      throw new PlatenError('INVALID_PARAMETER', {
        message: `${part.fieldname} is a file. Send it as text, without a file name.`,
      });
    } else if (file && part.fieldname !== ATTACHMENT) {
      throw new PlatenError('INVALID_REQUEST', { message: MORE_THAN_ONE });
    } else if (part.fieldname === 'file') {
      const storedParts = new StoredParts(signal);
      const hash = createHash('sha256');
      const look = (chunk: Buffer) => {
        hash.update(chunk);
        storedParts.write(chunk);
      };
      parser.isWriting = true;
      const bytes = await receiveFile(part, paths.input, room, look, signal);
      parser.isWriting = false;
      file = { fileName: part.filename, bytes, storedParts, sha256: hash.digest('hex') };
    } else if (part.fieldname === ATTACHMENT) {
      const name = attachments.next(part.filename);
      const path = paths.attachment(room.files + 1);
      const [sha256, md5] = [createHash('sha256'), createHash('md5')];
      const look = (chunk: Buffer) => {
        sha256.update(chunk);
        md5.update(chunk);
      };
      parser.isWriting = true;
      const bytes = await receiveFile(part, path, room, look, signal);
      parser.isWriting = false;
      const digests = { sha256: sha256.digest('hex'), md5: md5.digest('hex') };
      attachments.add({ name, type: part.mimetype, bytes, ...digests, path });
    } else {
      throw new PlatenError('MISSING_FILE', {
        message:
          'The form has a file, but not under the name "file". Rename the field to "file", or to "attachment" if the file is ' +
          'to be attached to the PDF.',
      });
    }
  }
  if (!file) throw new PlatenError('MISSING_FILE');
  return { ...file, fields, attachments: attachments.sorted() };
}

/** What the files of a form may take, and have taken. */
interface Room {
  readonly ofBytes: number;
  files: number;
  taken: number;
}

/**
 * Writes the content of a part to a new file.
 *
 * @param look is called with each piece.
 * @returns its size in bytes.
 */
async function receiveFile(
  { file }: MultipartFile,
  path: string,
  room: Room,
  look: (chunk: Buffer) => void,
  signal: AbortSignal,
): Promise<number> {
  room.files += 1;
  const isOnly = room.taken === 0;
  const stop = () => file.destroy(signal.reason);
  const refuse = () => file.destroy(tooLarge(room.ofBytes, isOnly));
  signal.addEventListener('abort', stop);
  file.once('limit', refuse);
  try {
    const fd = openSync(path, 'wx', 0o600);
    try {
      for await (const chunk of file as AsyncIterable<Buffer>) {
        room.taken += chunk.length;
        if (room.taken > room.ofBytes) refuse();
        look(chunk);
        writeFully(fd, chunk);
      }
    } finally {
      closeSync(fd);
    }
  } finally {
    signal.removeEventListener('abort', stop);
  }
  return file.bytesRead;
}

/** In this thread: the file is in memory, and copying a chunk to it takes less time than handing it to another. */
function writeFully(fd: number, chunk: Buffer): void {
  for (let done = 0; done < chunk.length; ) done += writeSync(fd, chunk, done);
}

function leftBehind(): PlatenError {
  return new PlatenError('SERVICE_UNAVAILABLE', {
    message:
      'The service is stopping, and the upload stalled. Wait for the seconds in the Retry-After header, then ' +
      'send it again.',
    retryAfter: 2,
  });
}

function tooLarge(maxBytes: number, isOnly = true): PlatenError {
  const megabytes = Math.round((maxBytes / 1_048_576) * 100) / 100;
  const files = isOnly ? 'The file is' : 'The files of the form are together';
  return new PlatenError('FILE_TOO_LARGE', {
    message: `${files} larger than ${megabytes} MB, the most that this endpoint accepts.`,
  });
}

/** What to say of a form that breaks a limit or rule of the multipart parser. */
const formMistakes: Readonly<Record<string, string>> = {
  FST_FILES_LIMIT: TOO_MANY_ATTACHMENTS,
  FST_PARTS_LIMIT: `The form has more than ${MAX_FIELDS + MAX_FILES} parts. Send only the file.`,
  FST_FIELDS_LIMIT: `The form has more than ${MAX_FIELDS} fields. Send only the file.`,
  FST_PROTO_VIOLATION: 'A part of the form has a name that is not allowed. Send only the file.',
  FST_INVALID_JSON_FIELD_ERROR: 'A field of the form is declared as JSON, and is not. Send only the file.',
};

/** Errors of the multipart parser, by what they mean to a client. */
function readFailure(error: unknown, maxBytes: number): unknown {
  if (error instanceof PlatenError) return error;
  const { code, syscall } = error as NodeJS.ErrnoException & FastifyError;
  if (code === 'FST_REQ_FILE_TOO_LARGE') return tooLarge(maxBytes);
  // A system call failed (a full disk, say): ours, not the client's.
  if (syscall === 'write' || syscall === 'open') {
    return new PlatenError('SERVICE_UNAVAILABLE', { cause: error });
  }
  const message = formMistakes[code];
  return new PlatenError('INVALID_REQUEST', { cause: error, ...(message !== undefined && { message }) });
}
