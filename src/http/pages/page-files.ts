/** Pages for a browser, what they load, and other files: sent from memory, compressed where the client takes it. */
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';
import Negotiator from 'negotiator';

const contentTypes: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.svg': 'image/svg+xml',
};

/** Routes of pages are no part of the OpenAPI document, as a client has no use for them, nor of the log of requests. */
export const pageRoute = { config: { quiet: true }, schema: { hide: true } } as const;

/** A file as it is sent. */
export interface PageFile {
  readonly type: string;
  readonly etag: string;
  readonly plain: Buffer;
  readonly gzip: Buffer;
}

/** Reads a file and its compressed form, see scripts/pages. */
export async function readPageFile(folder: string, name: string): Promise<PageFile> {
  const path = join(folder, name);
  const [plain, gzip] = await Promise.all([readFile(path), readFile(`${path}.gz`)]);
  return pageFile(name, plain, gzip);
}

/**
 * @param name whose extension says what it is.
 * @param gzip the compressed form, where there is one already.
 */
export function pageFile(name: string, plain: Buffer, gzip = gzipSync(plain, { level: 9 })): PageFile {
  const type = contentTypes[extname(name)] ?? 'application/octet-stream';
  const digest = createHash('sha256').update(plain).digest('base64url');
  // Weak: the same for both forms (RFC 9110, section 8.8.3.3).
  return { type, etag: `W/"${digest}"`, plain, gzip };
}

/** Answers with the file, or that it has not changed. */
export function sendFile(file: PageFile, { headers }: FastifyRequest, reply: FastifyReply): FastifyReply {
  reply.headers({ etag: file.etag, vary: 'accept-encoding' });
  if (hasCurrent(headers['if-none-match'], file.etag)) return reply.code(304).send();
  reply.type(file.type);
  // Also to who refuses both: there is nothing else.
  if (new Negotiator({ headers }).encoding(['gzip', 'identity']) !== 'gzip') return reply.send(file.plain);
  return reply.header('content-encoding', 'gzip').send(file.gzip);
}

/**
 * Whether If-None-Match names the file, or anything that there is (RFC 9110, section 13.1.2). Not by a pattern: one that
 * looks for white space around commas takes the square of the header's length, half a second of everybody's time.
 */
function hasCurrent(header: string | undefined, etag: string): boolean {
  if (header?.trim() === '*') return true;
  // A proxy that compresses may have made a strong tag weak, or the other way round: both name the same.
  return header?.split(',').some((tag) => opaque(tag.trim()) === opaque(etag)) ?? false;
}

/** The tag without its mark of a weak one (RFC 9110, section 8.8.3.2). */
function opaque(tag: string): string {
  return tag.startsWith('W/') ? tag.slice(2) : tag;
}
