/** GET /v1/docs: the reference, the guide and the changelog, for people with a browser. */
import { readdir } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { FastifyPluginAsync } from 'fastify';
import { pagesFolder } from '../../paths.ts';
import { pageRoute, readPageFile, sendFile } from './page-files.ts';
import { pageHeaders } from './page-headers.ts';

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

/** `reference.html` is the first page, `NAME.html` another one, and `guide-NAME.html` one of the guide. */
function pagePath(file: string): string {
  const name = basename(file, '.html');
  return name === 'reference' ? '/v1/docs' : `/v1/docs/${name.replace('-', '/')}`;
}
