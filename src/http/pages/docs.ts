/** GET /v1/docs: the reference, the guide and the changelog, for people with a browser; their Markdown and /llms.txt, for programs. */
import { readdir } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { FastifyPluginAsync } from 'fastify';
import { pagesFolder } from '../../paths.ts';

export const docsRoutes: FastifyPluginAsync = async (app) => {
  const names = await readdir(join(pagesFolder, 'docs'));
  app.get('/llms.txt', async (_request, reply) => reply.sendFile('/llms.txt'));
  for (const name of names.filter((each) => each.endsWith('.md'))) {
    app.get(`/v1/docs/${name.replace('-', '/')}`, async (_request, reply) =>
      reply.type('text/markdown; charset=utf-8').sendFile(`/docs/${name}`),
    );
  }
  for (const name of names.filter((each) => each.endsWith('.html'))) {
    const path = pagePath(name);
    app.get(path, async (_request, reply) => reply.sendFile(`/docs/${name}`));
    app.get(`${path}/`, async (_request, reply) => reply.redirect(path, 308));
  }
};

/** `reference.html` is the first page, `NAME.html` another one, and `guide-NAME.html` one of the guide. */
function pagePath(file: string): string {
  const name = basename(file, '.html');
  return name === 'reference' ? '/v1/docs' : `/v1/docs/${name.replace('-', '/')}`;
}
