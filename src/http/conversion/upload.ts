/** The upload: multipart parts that stream into the job's folder while they are counted. */
import { createHash } from 'node:crypto';
import { closeSync, openSync, writeSync } from 'node:fs';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { MultipartFile, MultipartValue } from '@fastify/multipart';
import type { FastifyRequest } from 'fastify';
import type { Workspace } from '../../convert/workspace.ts';
import { PlatenError } from '../../errors.ts';
import { type Attachment, secretFields } from '../../options/conversion-options.ts';
import { AttachmentParts, MAX_ATTACHMENTS, TOO_MANY_ATTACHMENTS } from './attachment-parts.ts';
import {
  type FormLimits,
  type FormParser,
  headerLimits,
  MAX_FIELDS,
  receiveForm,
  tooLarge,
} from './form-body.ts';

/** Fields that may come as a file by mistake, such as by `-F password=@FILE` of curl. */
export const textFields: readonly string[] = secretFields;
/** The document and its attachments. */
const MAX_FILES = 1 + MAX_ATTACHMENTS;
/** Name of the parts of attachments. */
export const ATTACHMENT = 'attachment';
const MAX_FIELD_BYTES = 1_024;
/** Characters of a field's name that an answer repeats. */
const MAX_SHOWN = 40;
const MORE_THAN_ONE =
  'The form has more than one file. Send one document a request; "attachment" is the name of files to attach to its PDF.';
/** What to say of a form with too much in it. */
const mistakes = {
  FST_FILES_LIMIT: TOO_MANY_ATTACHMENTS,
  FST_PARTS_LIMIT: `The form has more than ${MAX_FIELDS + MAX_FILES} parts. Send only the file.`,
};

export interface Upload {
  /** The name that the client gave the file; any text. */
  readonly fileName: string | undefined;
  /** Size of the file, in bytes. */
  readonly bytes: number;
  /** SHA-256 of the file, in hexadecimal. */
  readonly sha256: string;
  /** The form's fields that are no files. */
  readonly fields: ReadonlyMap<string, string>;
  /** By ascending names; undefined for none. */
  readonly attachments: readonly Attachment[] | undefined;
}

/** Where the files go. */
type UploadPaths = Pick<Workspace, 'input' | 'attachment'>;

type UploadOptions = Omit<FormLimits, 'mistakes'>;

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
  const limits = { ...options, mistakes };
  return receiveForm(request, limits, signal, (receiving, parser) =>
    receiveParts(request, paths, options, receiving, parser),
  );
}

async function receiveParts(
  request: FastifyRequest,
  paths: UploadPaths,
  options: UploadOptions,
  signal: AbortSignal,
  parser: FormParser,
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
    ...headerLimits,
  };
  for await (const part of request.parts({ limits })) {
    signal.throwIfAborted();
    if (part.type === 'field') {
      addField(fields, part, MAX_FIELD_BYTES);
    } else if (textFields.includes(part.fieldname)) {
      throw fileAsText(part.fieldname);
    } else if (file && part.fieldname !== ATTACHMENT) {
      throw new PlatenError('INVALID_REQUEST', { message: MORE_THAN_ONE });
    } else if (part.fieldname === 'file') {
      const hash = createHash('sha256');
      const look = (chunk: Buffer) => void hash.update(chunk);
      parser.isWriting = true;
      const bytes = await receiveFile(part, paths.input, room, look, signal);
      parser.isWriting = false;
      file = { fileName: part.filename, bytes, sha256: hash.digest('hex') };
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

/**
 * @param maxBytes of a name; the parser has the same limit for values.
 * @throws PlatenError for a field that is to be a file, has no name, is too long, or comes again.
 */
export function addField(fields: Map<string, string>, part: MultipartValue, maxBytes: number): void {
  // The parser's types know no part without a name.
  const name: string | undefined = part.fieldname;
  if (name === 'file' || name === ATTACHMENT) {
    throw new PlatenError('MISSING_FILE', {
      message: `The part "${name}" is text. Send it as a file, with a file name.`,
    });
  }
  if (name === undefined) {
    throw new PlatenError('INVALID_REQUEST', { message: 'A part of the form has no name.' });
  }
  if (name.length > maxBytes || part.valueTruncated) {
    throw new PlatenError('INVALID_REQUEST', { message: 'A field of the form is too long.' });
  }
  if (fields.has(name)) {
    throw new PlatenError('INVALID_PARAMETER', {
      message: `${name.slice(0, MAX_SHOWN)} must be given once, or left out.`,
    });
  }
  fields.set(name, String(part.value));
}

export function fileAsText(name: string): PlatenError {
  return new PlatenError('INVALID_PARAMETER', {
    message: `${name} is a file. Send it as text, without a file name.`,
  });
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
        // Node reads 2 MB of a fast client at a time (32 times in libuv's uv__read), and then as much of the next one.
        await nextTurn();
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
