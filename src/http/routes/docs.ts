/** GET /v1/docs: the reference and the guide, for people with a browser. */
import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { negotiate } from '@fastify/accept-negotiator';
import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify';
import { PlatenError } from '../../errors.ts';
import { pagesFolder } from '../../paths.ts';
import { pageHeaders } from '../page-headers.ts';

const contentTypes: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
};

/** A file as it is sent. */
interface PageFile {
  readonly type: string;
  readonly etag: string;
  readonly plain: Buffer;
  readonly gzip: Buffer;
}

/**
 * The pages and their assets, from memory: they are few, and a name that is not among them is no path to anything.
 * They are no part of the OpenAPI document: a client has no use for them.
 */
export const docsRoutes: FastifyPluginAsync = async (app) => {
  const assetsFolder = join(pagesFolder, 'assets');
  const names = (await readdir(assetsFolder)).filter((name) => !name.endsWith('.gz'));
  const assets = new Map<string, PageFile>();
  for (const name of names) assets.set(name, await readPageFile(assetsFolder, name));
  const options = { config: { quiet: true }, schema: { hide: true } };

  const pages = (await readdir(pagesFolder)).filter((name) => name.endsWith('.html'));
  for (const name of pages) {
    const path = pagePath(name);
    const page = await readPageFile(pagesFolder, name);
    app.get(path, options, async (request, reply) => {
      // A page names its assets, so it must be the current one.
      reply.headers({ ...pageHeaders, 'cache-control': 'no-cache' });
      return sendFile(page, request, reply);
    });
    app.get(`${path}/`, options, async (_request, reply) => reply.redirect(path, 308));
  }

  app.get<{ Params: { name: string } }>('/v1/docs/assets/:name', options, async (request, reply) => {
    const asset = assets.get(request.params.name);
    if (!asset) throw new PlatenError('NOT_FOUND');
    // Its name changes with its content.
    reply.headers({ ...pageHeaders, 'cache-control': 'public, max-age=31536000, immutable' });
    return sendFile(asset, request, reply);
  });
};

/** `reference.html` is the first page, `guide.html` that of the guide, `guide-NAME.html` another one of the guide. */
function pagePath(name: string): string {
  const [, page] = /^guide-(.+)\.html$/.exec(name) ?? [];
  if (page !== undefined) return `/v1/docs/guide/${page}`;
  return name === 'guide.html' ? '/v1/docs/guide' : '/v1/docs';
}

async function readPageFile(folder: string, name: string): Promise<PageFile> {
  const path = join(folder, name);
  const [plain, gzip] = await Promise.all([readFile(path), readFile(`${path}.gz`)]);
  const type = contentTypes[extname(name)] ?? 'application/octet-stream';
  const digest = createHash('sha256').update(plain).digest('base64url');
  // Weak: the same for both forms (RFC 9110, section 8.8.3.3).
  return { type, etag: `W/"${digest}"`, plain, gzip };
}

function sendFile(file: PageFile, { headers }: FastifyRequest, reply: FastifyReply): FastifyReply {
  reply.headers({ etag: file.etag, vary: 'accept-encoding' });
  if (headers['if-none-match']?.split(/\s*,\s*/).includes(file.etag)) return reply.code(304).send();
  reply.type(file.type);
  if (negotiate(headers['accept-encoding'] ?? '', ['gzip']) !== 'gzip') return reply.send(file.plain);
  return reply.header('content-encoding', 'gzip').send(file.gzip);
}
