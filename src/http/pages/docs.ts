/**
 * GET /v1/docs, and /docs, which leads there: the reference, the guide and the changelog, for people with a browser. For programs,
 * what the build has of them in other forms, and /llms.txt.
 */
import { readdir } from 'node:fs/promises';
import { basename, extname, join } from 'node:path';
import type { FastifyPluginAsync } from 'fastify';
import { pagesFolder } from '../../paths.ts';

export const docsRoutes: FastifyPluginAsync = async (app) => {
  const names = (await readdir(join(pagesFolder, 'docs'))).filter((name) => !name.endsWith('.gz'));
  for (const path of ['/docs', '/docs/']) {
    app.get(path, async (_request, reply) => reply.redirect('/v1/docs', 308));
  }
  app.get('/llms.txt', async (_request, reply) => reply.sendFile('/llms.txt'));
  for (const name of names) {
    const isPage = extname(name) === '.html';
    const path = isPage ? pagePath(name) : `/v1/docs/${name.replace('-', '/')}`;
    app.get(path, async (_request, reply) => reply.sendFile(`/docs/${name}`));
    if (isPage) app.get(`${path}/`, async (_request, reply) => reply.redirect(path, 308));
  }
};

/** `reference.html` is the first page, `NAME.html` another one, and `guide-NAME.html` one of the guide. */
function pagePath(file: string): string {
  const name = basename(file, '.html');
  return name === 'reference' ? '/v1/docs' : `/v1/docs/${name.replace('-', '/')}`;
}
