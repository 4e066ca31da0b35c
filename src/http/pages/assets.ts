/** GET /assets/NAME: what the pages load. */
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { FastifyPluginAsync } from 'fastify';
import { PlatenError } from '../../errors.ts';
import { pagesFolder } from '../../paths.ts';
import { type PageFile, pageRoute, readPageFile, sendFile } from './page-files.ts';
import { pageHeaders } from './page-headers.ts';

/** They are few, and a name that is not among them is no path to anything. */
export const assetRoutes: FastifyPluginAsync = async (app) => {
  const folder = join(pagesFolder, 'assets');
  const names = (await readdir(folder)).filter((name) => !name.endsWith('.gz'));
  const assets = new Map<string, PageFile>();
  for (const name of names) assets.set(name, await readPageFile(folder, name));

  app.get<{ Params: { name: string } }>('/assets/:name', pageRoute, async (request, reply) => {
    const asset = assets.get(request.params.name);
    if (!asset) throw new PlatenError('NOT_FOUND');
    // Its name changes with its content.
    reply.headers({ ...pageHeaders, 'cache-control': 'public, max-age=31536000, immutable' });
    return sendFile(asset, request, reply);
  });
};
