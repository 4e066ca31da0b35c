/** The upload: multipart parts that stream into the job's folder while they are counted. */
import { createHash } from 'node:crypto';
import { closeSync, openSync, writeSync } from 'node:fs';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { MultipartFile, MultipartValue } from '@fastify/multipart';
import type { FastifyRequest } from 'fastify';
import type { Workspace } from '../../convert/workspace.ts';
import { PlatenError } from '../../errors.ts';
import { type Attachment, secretFields } from '../../shared/options/conversion-options.ts';
import { AttachmentParts, MAX_ATTACHMENTS, TOO_MANY_ATTACHMENTS } from './attachment-parts.ts';
import { shownName } from './file-name.ts';
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
/** Name of the parts of attachments. */
export const ATTACHMENT = 'attachment';
const MAX_FIELD_BYTES = 1_024;
/** Characters of a field's name that an answer repeats. */
const MAX_SHOWN = 40;
const MORE_THAN_ONE =
  'The form has more than one file. Send one document a request; "attachment" is the name of files to attach to its PDF.';
/** What to say of a form of one document with too much in it. */
const mistakes = {
  FST_FILES_LIMIT: TOO_MANY_ATTACHMENTS,
  FST_PARTS_LIMIT: `The form has more than ${MAX_FIELDS + 1 + MAX_ATTACHMENTS} parts. Send only the file.`,
};

/** A document that was uploaded. */
export interface UploadedFile {
  /** The name that the client gave the file; any text. */
  readonly fileName: string | undefined;
  /** Size of the file, in bytes. */
  readonly bytes: number;
  /** SHA-256 of the file, in hexadecimal. */
  readonly sha256: string;
}

/** What a form has besides documents. */
interface FormRest {
  /** The form's fields that are no files. */
  readonly fields: ReadonlyMap<string, string>;
  /** By ascending names; undefined for none. */
  readonly attachments: readonly Attachment[] | undefined;
}

/** A form with one document. */
export interface Upload extends UploadedFile, FormRest {}

/** A form with several. */
export interface ManyUpload extends FormRest {
  /** In the order of the form; at least one. */
  readonly files: readonly UploadedFile[];
}

/** Where the files go. */
type UploadPaths = Pick<Workspace, 'input' | 'attachment'>;

type UploadOptions = Omit<FormLimits, 'mistakes' | 'hasManyFiles'>;

/** Where several documents and their attachments go, and how many there may be. */
interface ManyUploadOptions extends UploadOptions {
  /** The path of the next document. */
  readonly nextPath: () => string;
  readonly attachmentPath: (number: number) => string;
  readonly maxFiles: number;
  /** Most bytes of one file. */
  readonly maxFileBytes: number;
  /** What to say of too many. */
  readonly tooMany: string;
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
  const limits = { ...options, mistakes };
  const { files, ...rest } = await receiveForm(request, limits, signal, (receiving, parser) => {
    const many = { maxFiles: 1, maxFileBytes: options.maxBytes, tooMany: MORE_THAN_ONE };
    const places = {
      nextPath: () => paths.input,
      attachmentPath: (number: number) => paths.attachment(number),
    };
    return receiveParts(request, { ...options, ...many, ...places }, receiving, parser);
  });
  const [file] = files;
  if (!file) throw new PlatenError('MISSING_FILE');
  return { ...file, ...rest };
}

/** As {@link receiveUpload}, of a form with several parts `file`. An error about one of them says which. */
export async function receiveUploads(
  request: FastifyRequest,
  options: ManyUploadOptions,
  signal: AbortSignal,
): Promise<ManyUpload> {
  const { tooMany } = options;
  const limits = {
    ...options,
    hasManyFiles: true,
    mistakes: { FST_FILES_LIMIT: tooMany, FST_PARTS_LIMIT: tooMany },
  };
  const upload = await receiveForm(request, limits, signal, (receiving, parser) =>
    receiveParts(request, options, receiving, parser),
  );
  if (upload.files.length > 0) return upload;
  throw new PlatenError('MISSING_FILE', {
    message: 'The form has no file. Send each document as a field "file".',
  });
}

async function receiveParts(
  request: FastifyRequest,
  { maxFiles, maxBytes, maxFileBytes, tooMany, nextPath, attachmentPath }: ManyUploadOptions,
  signal: AbortSignal,
  parser: FormParser,
): Promise<ManyUpload> {
  const fields = new Map<string, string>();
  const files: UploadedFile[] = [];
  const attachments = new AttachmentParts();
  const room: Room = { ofBytes: maxBytes, ofFile: maxFileBytes, files: 0, taken: 0 };
  const limits = {
    files: maxFiles + MAX_ATTACHMENTS,
    fields: MAX_FIELDS,
    parts: MAX_FIELDS + maxFiles + MAX_ATTACHMENTS,
    fieldSize: MAX_FIELD_BYTES,
    fileSize: maxFileBytes,
    ...headerLimits,
  };
  for await (const part of request.parts({ limits })) {
    signal.throwIfAborted();
    if (part.type === 'field') {
      addField(fields, part, MAX_FIELD_BYTES);
    } else if (textFields.includes(part.fieldname)) {
      throw fileAsText(part.fieldname);
    } else if (files.length === maxFiles && part.fieldname !== ATTACHMENT) {
      throw new PlatenError('INVALID_REQUEST', { message: tooMany });
    } else if (part.fieldname === 'file') {
      const hash = createHash('sha256');
      const look = (chunk: Buffer) => void hash.update(chunk);
      parser.isWriting = true;
      const index = files.length;
      const bytes = await receiveFile(part, nextPath(), room, look, signal).catch((error: unknown) => {
        const isOwn =
          maxFiles > 1 &&
          error instanceof PlatenError &&
          error.code === 'FILE_TOO_LARGE' &&
          room.taken <= maxBytes;
        throw isOwn ? error.ofFile({ index, name: shownName(part.filename) }) : error;
      });
      parser.isWriting = false;
      files.push({ fileName: part.filename, bytes, sha256: hash.digest('hex') });
    } else if (part.fieldname === ATTACHMENT) {
      const name = attachments.next(part.filename);
      const path = attachmentPath(room.files + 1);
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
  return { files, fields, attachments: attachments.sorted() };
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
  readonly ofFile: number;
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
  // One file may be as large as all of them, unless there are meant to be several.
  const refuseFile = () => (room.ofFile < room.ofBytes ? file.destroy(tooLarge(room.ofFile)) : refuse());
  signal.addEventListener('abort', stop);
  file.once('limit', refuseFile);
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
