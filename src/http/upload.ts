/** The upload: multipart parts that stream into the job's folder while they are counted. */
import { createHash, type Hash } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import type { MultipartFile } from '@fastify/multipart';
import type { FastifyError, FastifyRequest } from 'fastify';
import { PlatenError } from '../errors.ts';

/** Room for the boundaries, headers and fields around a file of the largest size. */
const FORM_OVERHEAD = 65_536;
const MAX_FIELDS = 10;
const MAX_FIELD_BYTES = 1_024;

export interface Upload {
  /** The name that the client gave the file; any text. */
  readonly fileName: string | undefined;
  /** Size of the file, in bytes. */
  readonly bytes: number;
  /** SHA-256 of the file, in hexadecimal. */
  readonly sha256: string;
  /** The form's other fields. */
  readonly fields: ReadonlyMap<string, string>;
}

/**
 * Writes the part `file` of the form to a path.
 *
 * @param maxBytes the largest file that is accepted.
 * @param signal ends the upload; the promise then rejects with the signal's reason.
 * @throws PlatenError `INVALID_REQUEST`, `MISSING_FILE`, `FILE_TOO_LARGE`
 */
export async function receiveUpload(
  request: FastifyRequest,
  path: string,
  maxBytes: number,
  signal: AbortSignal,
): Promise<Upload> {
  // The body of a client that is gone would never end.
  signal.throwIfAborted();
  if (!request.isMultipart()) {
    throw new PlatenError('INVALID_REQUEST', {
      message: 'The body is not multipart/form-data. Send the document as the field "file" of such a form.',
    });
  }
  if (Number(request.headers['content-length']) > maxBytes + FORM_OVERHEAD) throw tooLarge(maxBytes);
  try {
    // The parser waits for the next byte wherever the client stalls, and knows no signal.
    return await Promise.race([receiveParts(request, path, maxBytes, signal), rejection(signal)]);
  } catch (error) {
    signal.throwIfAborted();
    throw readFailure(error, maxBytes);
  }
}

function rejection(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
}

async function receiveParts(
  request: FastifyRequest,
  path: string,
  maxBytes: number,
  signal: AbortSignal,
): Promise<Upload> {
  const fields = new Map<string, string>();
  let file: Omit<Upload, 'fields'> | undefined;
  const limits = {
    files: 1,
    fields: MAX_FIELDS,
    parts: MAX_FIELDS + 1,
    fieldSize: MAX_FIELD_BYTES,
    fileSize: maxBytes,
    headerPairs: 20,
  };
  for await (const part of request.parts({ limits })) {
    signal.throwIfAborted();
    if (part.type === 'field' && part.fieldname === 'file') {
      throw new PlatenError('MISSING_FILE', {
        message: 'The part "file" is text. Send it as a file, with a file name.',
      });
    }
    if (part.type === 'field') {
      if (part.fieldname.length > MAX_FIELD_BYTES || part.valueTruncated) {
        throw new PlatenError('INVALID_REQUEST', { message: 'A field of the form is too long.' });
      }
      fields.set(part.fieldname, String(part.value));
    } else if (part.fieldname === 'file') {
      file = { fileName: part.filename, ...(await receiveFile(part, path, maxBytes, signal)) };
    } else {
      throw new PlatenError('MISSING_FILE', {
        message: 'The form has a file, but not under the name "file". Rename the field to "file".',
      });
    }
  }
  if (!file) throw new PlatenError('MISSING_FILE');
  return { ...file, fields };
}

async function receiveFile(
  { file }: MultipartFile,
  path: string,
  maxBytes: number,
  signal: AbortSignal,
): Promise<{ bytes: number; sha256: string }> {
  const hash = createHash('sha256');
  const stop = () => file.destroy(signal.reason);
  signal.addEventListener('abort', stop);
  file.once('limit', () => file.destroy(tooLarge(maxBytes)));
  try {
    await writeFile(path, hashed(file, hash), { flag: 'wx', mode: 0o600 });
  } finally {
    signal.removeEventListener('abort', stop);
  }
  return { bytes: file.bytesRead, sha256: hash.digest('hex') };
}

/** The chunks of a file, which pass through the hash. */
async function* hashed(file: Readable, hash: Hash): AsyncGenerator<Buffer> {
  for await (const chunk of file as AsyncIterable<Buffer>) {
    hash.update(chunk);
    yield chunk;
  }
}

function tooLarge(maxBytes: number): PlatenError {
  const megabytes = Math.round((maxBytes / 1_048_576) * 100) / 100;
  return new PlatenError('FILE_TOO_LARGE', {
    message: `The file is larger than ${megabytes} MB, the most that this endpoint accepts.`,
  });
}

/** Errors of the multipart parser, by what they mean to a client. */
function readFailure(error: unknown, maxBytes: number): unknown {
  if (error instanceof PlatenError) return error;
  const { code, syscall } = error as NodeJS.ErrnoException & FastifyError;
  if (code === 'FST_REQ_FILE_TOO_LARGE') return tooLarge(maxBytes);
  if (code === 'FST_FILES_LIMIT') {
    return new PlatenError('INVALID_REQUEST', {
      message: 'The form has more than one file. Send one document a request.',
      cause: error,
    });
  }
  // A system call failed (a full disk, say): ours, not the client's.
  if (syscall === 'write' || syscall === 'open') {
    return new PlatenError('SERVICE_UNAVAILABLE', { cause: error });
  }
  return new PlatenError('INVALID_REQUEST', { cause: error });
}
