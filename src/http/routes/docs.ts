/** GET /v1/docs: the reference and the guide, for people with a browser. */
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { FastifyPluginAsync } from 'fastify';
import { pagesFolder } from '../../paths.ts';
import { pageRoute, readPageFile, sendFile } from '../page-files.ts';
import { pageHeaders } from '../page-headers.ts';

export const docsRoutes: FastifyPluginAsync = async (app) => {
  const folder = join(pagesFolder, 'docs');
  const names = (await readdir(folder)).filter((name) => name.endsWith('.html'));
  for (const name of names) {
    const path = pagePath(name);
    const page = await readPageFile(folder, name);
    app.get(path, pageRoute, async (request, reply) => {
      // A page names its assets, so it must be the current one.
      reply.headers({ ...pageHeaders, 'cache-control': 'no-cache' });
      return sendFile(page, request, reply);
    });
    app.get(`${path}/`, pageRoute, async (_request, reply) => reply.redirect(path, 308));
  }
};

/** `reference.html` is the first page, `guide.html` that of the guide, `guide-NAME.html` another one of the guide. */
function pagePath(name: string): string {
  const [, page] = /^guide-(.+)\.html$/.exec(name) ?? [];
  if (page !== undefined) return `/v1/docs/guide/${page}`;
  return name === 'guide.html' ? '/v1/docs/guide' : '/v1/docs';
}
