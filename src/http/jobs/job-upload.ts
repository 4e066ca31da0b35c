/** The upload of a job: parts that stream into the storage while they are counted. */
import { createHash } from 'node:crypto';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { MultipartFile } from '@fastify/multipart';
import type { FastifyRequest } from 'fastify';
import { PlatenError } from '../../errors.ts';
import type { JobRef } from '../../jobs/job.ts';
import { objectNames } from '../../jobs/job-objects.ts';
import type { FileIntake } from '../../jobs/job-record.ts';
import type { Attachment } from '../../shared/options/conversion-options.ts';
import type { ObjectStore } from '../../storage/object-store.ts';
import { AttachmentParts, MAX_ATTACHMENTS } from '../conversion/attachment-parts.ts';
import { shownName } from '../conversion/file-name.ts';
import {
  type FormLimits,
  type FormParser,
  headerLimits,
  MAX_FIELDS,
  receiveForm,
  tooLarge,
} from '../conversion/form-body.ts';
import { ATTACHMENT, addField, fileAsText, textFields } from '../conversion/upload.ts';

export const METADATA = 'metadata';
export const WEBHOOK = 'webhook';
/** Of a field, such as the metadata. */
const MAX_FIELD_BYTES = 8_192;

/** What was uploaded. */
interface JobUpload {
  /** In the order of the form. */
  readonly files: readonly FileIntake[];
  readonly fields: ReadonlyMap<string, string>;
  /** By ascending names; undefined for none. Their paths are keys of the storage. */
  readonly attachments: readonly Attachment[] | undefined;
}

export interface JobUploadOptions extends Omit<FormLimits, 'mistakes' | 'hasManyFiles'> {
  readonly storage: ObjectStore;
  /** Most bytes of a file. */
  readonly maxFileBytes: number;
  readonly maxFiles: number;
}

/**
 * Stores the parts `file` of the form and the parts `attachment`.
 *
 * @param signal ends the upload; the promise then rejects with the signal's reason.
 * @throws PlatenError `INVALID_REQUEST`, `MISSING_FILE`, `FILE_TOO_LARGE`; StorageError.
 */
export async function receiveJob(
  request: FastifyRequest,
  job: JobRef,
  options: JobUploadOptions,
  signal: AbortSignal,
): Promise<JobUpload> {
  const limits = { ...options, hasManyFiles: true, mistakes: mistakesOf(options) };
  return receiveForm(request, limits, signal, (receiving, parser) =>
    receiveParts(request, job, options, receiving, parser),
  );
}

function mistakesOf({ maxFiles }: JobUploadOptions): Readonly<Record<string, string>> {
  return { FST_FILES_LIMIT: tooManyFiles(maxFiles), FST_PARTS_LIMIT: tooManyFiles(maxFiles) };
}

const tooManyFiles = (maxFiles: number): string =>
  `The form has too many parts. Your plan allows ${maxFiles} files a job, with up to ${MAX_ATTACHMENTS} attachments.`;

async function receiveParts(
  request: FastifyRequest,
  { id }: JobRef,
  { storage, maxBytes, maxFileBytes, maxFiles }: JobUploadOptions,
  signal: AbortSignal,
  parser: FormParser,
): Promise<JobUpload> {
  const fields = new Map<string, string>();
  const files: FileIntake[] = [];
  const attachments = new AttachmentParts();
  let attached = 0;
  const room = { taken: 0 };
  const store = async (part: MultipartFile, key: string) => {
    parser.isWriting = true;
    const stored = await storePart(part, key, { storage, maxBytes, maxFileBytes, room, signal });
    parser.isWriting = false;
    return stored;
  };
  const limits = {
    files: maxFiles + MAX_ATTACHMENTS,
    fields: MAX_FIELDS,
    parts: maxFiles + MAX_ATTACHMENTS + MAX_FIELDS,
    fieldSize: MAX_FIELD_BYTES,
    fileSize: maxFileBytes,
    ...headerLimits,
  };
  for await (const part of request.parts({ limits })) {
    signal.throwIfAborted();
    const name = part.fieldname;
    if (part.type === 'field') {
      addField(fields, part, MAX_FIELD_BYTES);
    } else if (name === 'file') {
      if (files.length === maxFiles) throw invalid(tooManyFiles(maxFiles));
      const { bytes, sha256 } = await store(part, objectNames.document(id, files.length + 1));
      files.push({ name: shownName(part.filename), bytes, sha256 });
    } else if (name === ATTACHMENT) {
      const own = attachments.next(part.filename);
      attached++;
      const path = objectNames.attachment(id, attached);
      attachments.add({ name: own, type: part.mimetype, path, ...(await store(part, path)) });
    } else if ([...textFields, METADATA, WEBHOOK].includes(name)) {
      throw fileAsText(name);
    } else {
      throw new PlatenError('MISSING_FILE', {
        message: 'The form has a file in a field other than "file" and "attachment". Rename the field.',
      });
    }
  }
  if (files.length === 0) {
    throw new PlatenError('MISSING_FILE', {
      message: 'The form has no file. Send each document as a field "file".',
    });
  }
  return { files, fields, attachments: attachments.sorted() };
}

interface Store {
  readonly storage: ObjectStore;
  /** Most bytes of all files. */
  readonly maxBytes: number;
  readonly maxFileBytes: number;
  /** Bytes of all files so far. */
  readonly room: { taken: number };
  readonly signal: AbortSignal;
}

async function storePart(
  part: MultipartFile,
  key: string,
  { storage, maxBytes, maxFileBytes, room, signal }: Store,
) {
  const [sha256, md5] = [createHash('sha256'), createHash('md5')];
  let bytes = 0;
  const counting = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      bytes += chunk.length;
      room.taken += chunk.length;
      sha256.update(chunk);
      md5.update(chunk);
      if (room.taken > maxBytes) done(tooLarge(maxBytes, false));
      // As receiveFile in ../conversion/upload.ts: no client fills a turn of the event loop.
      else setImmediate(done, null, chunk);
    },
  });
  part.file.once('limit', () => counting.destroy(tooLarge(maxFileBytes)));
  // What fails in it fails the content as well.
  pipeline(part.file, counting).catch(() => {});
  await storage.put(key, counting, { signal });
  return { bytes, sha256: sha256.digest('hex'), md5: md5.digest('hex') };
}

const invalid = (message: string): PlatenError => new PlatenError('INVALID_REQUEST', { message });
