/** What a command asks of its conversions: the options of the API, checked as the service checks them. */
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { basename } from 'node:path';
import mime from 'mime';
import type { Static } from 'typebox';
import { OperatorError } from '../../errors.ts';
import { AttachmentParts } from '../../http/conversion/attachment-parts.ts';
import {
  assertCombination,
  assertPageNumbers,
  readForm,
  readOptions,
} from '../../http/conversion/conversion-request.ts';
import type {
  ConversionOptions,
  FormOptions,
  PageNumbering,
} from '../../shared/options/conversion-options.ts';
import type { AttachedContent } from '../local/local-engine.ts';
import { type SizeLimit, tooLarge } from './converter.ts';
import { assertMatches, optionsSchema } from './schema.ts';

/** Longer than any password. */
const MAX_SECRET_BYTES = 4_096;

/** What is asked, as read from a command line. */
export interface RawRequest {
  /** By the names of the API; numbers and truth values as such. */
  readonly options: Readonly<Record<string, unknown>>;
  /** Files with the passwords of the form, by the names of the API. */
  readonly secretFiles: Readonly<Record<string, string>>;
  /** Paths of the files to attach. */
  readonly attachments: readonly string[];
}

export interface BatchRequest {
  /** The options as a query has them. */
  readonly query: Readonly<Record<string, string>>;
  /** The same without defaults. */
  readonly options: ConversionOptions;
  /** Of several documents in one PDF. */
  readonly pageNumbers?: PageNumbering | undefined;
  readonly secrets: Omit<FormOptions, 'attachments'>;
  /** By ascending names; undefined for none. */
  readonly attachments: readonly AttachedContent[] | undefined;
}

/** Reads the first bytes of a file. */
type ReadFirst = (path: string, bytes: number) => Promise<Buffer>;

/**
 * @param limit that of the attachments together.
 * @param read reads attachments and passwords.
 * @throws PlatenError as the service: `INVALID_PARAMETER`, `INVALID_REQUEST`, `FILE_TOO_LARGE`.
 * @throws OperatorError if a file cannot be read; what `read` throws.
 */
export async function readRequest(
  raw: RawRequest,
  limit: SizeLimit,
  read: ReadFirst = readFirst,
): Promise<BatchRequest> {
  assertMatches(optionsSchema, raw.options);
  const { pageNumbers, ...others } = raw.options as Static<typeof optionsSchema>;
  const options = readOptions(others);
  assertPageNumbers(pageNumbers, options);
  const attachments = await readAttachments(raw.attachments, limit, read);
  const fields = new Map<string, string>();
  for (const [name, path] of Object.entries(raw.secretFiles)) fields.set(name, await readSecret(path, read));
  const secrets = readForm({ fields, attachments: undefined }, options);
  const held = attachments?.map((each) => ({ ...each, path: '' }));
  assertCombination({ ...options, ...secrets, ...(held && { attachments: held }) });
  const query = Object.fromEntries(Object.entries(raw.options).map(([name, value]) => [name, String(value)]));
  return { query, options, pageNumbers, secrets, attachments };
}

async function readAttachments(
  paths: readonly string[],
  limit: SizeLimit,
  read: ReadFirst,
): Promise<readonly AttachedContent[] | undefined> {
  const parts = new AttachmentParts();
  const contents = new Map<string, Buffer>();
  let left = limit.bytes;
  for (const path of paths) {
    const name = parts.next(basename(path));
    const content = await read(path, left + 1);
    left -= content.length;
    if (left < 0)
      throw tooLarge(limit, paths.length === 1 ? 'The attachment is' : 'The attachments are together');
    contents.set(name, content);
    const digest = (algorithm: string) => createHash(algorithm).update(content).digest('hex');
    const type = mime.getType(path) ?? 'application/octet-stream';
    parts.add({ name, type, bytes: content.length, sha256: digest('sha256'), md5: digest('md5'), path });
  }
  return parts
    .sorted()
    ?.map(({ path: _, ...each }) => ({ ...each, content: contents.get(each.name) ?? Buffer.alloc(0) }));
}

/** The key of a service, from a file or as it is. @throws OperatorError if it is none. */
export async function readKey(key: string | undefined, file: string | undefined): Promise<string> {
  const secret = file === undefined ? (key ?? '') : await readSecret(file, readFirst);
  if (/^[\x21-\x7e]+$/.test(secret)) return secret;
  throw new OperatorError('the key is not one line of letters and digits');
}

/** The content of a file without the line end after it. @throws OperatorError if it is too large; what `read` throws. */
async function readSecret(path: string, read: ReadFirst): Promise<string> {
  const content = await read(path, MAX_SECRET_BYTES + 1);
  if (content.length > MAX_SECRET_BYTES) throw new OperatorError(`${path} is larger than a secret`);
  return content.toString('utf8').replace(/\r?\n$/, '');
}

/** The first bytes of a file, which may be a pipe. @throws OperatorError if it cannot be read. */
async function readFirst(path: string, bytes: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  try {
    for await (const chunk of createReadStream(path, { end: bytes - 1 })) chunks.push(chunk as Buffer);
  } catch (cause) {
    throw new OperatorError(`${path} cannot be read: ${(cause as Error).message}`, { cause });
  }
  return Buffer.concat(chunks);
}
