/** GET /assets/NAME: what the pages load. */
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { FastifyPluginAsync } from 'fastify';
import { pagesFolder } from '../../paths.ts';

export const assetRoutes: FastifyPluginAsync = async (app) => {
  const names = (await readdir(join(pagesFolder, 'assets'))).filter((name) => !name.endsWith('.gz'));
  for (const name of names) {
    const path = `/assets/${name}`;
    app.get(path, async (_request, reply) => {
      // Its name changes with its content.
      reply.header('cache-control', 'public, max-age=31536000, immutable');
      return reply.sendFile(path);
    });
  }
};
