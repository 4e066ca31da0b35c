/** GET /dashboard and below: the operator's pages. One document, whose script shows the page of the address. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import cookie from '@fastify/cookie';
import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify';
import { pagesFolder } from '../../paths.ts';
import { operatorCookie } from '../operator/session-cookie.ts';

const PLACEHOLDER = '{{cookie}}';
const PATH = '/dashboard';

/**
 * The address that the router reads: below the dashboard's one for all, as there is one document, whose script reads
 * the address of the browser. One that no router can read (`%E0%A4%A`) then gets a page that says so.
 */
export function dashboardUrl(url: string): string {
  return url.startsWith(`${PATH}/`) ? `${PATH}/` : url;
}

/** Nothing of a customer is in the document; no browser keeps it all the same, as its script shows keys. */
export const dashboardRoutes: FastifyPluginAsync = async (app) => {
  await app.register(cookie);
  const template = await readFile(join(pagesFolder, 'dashboard.html'), 'utf8');
  if (!template.includes(PLACEHOLDER)) throw new Error(`the dashboard has no ${PLACEHOLDER}`);
  // Its script cannot see the cookie, and would have to ask in vain where there is none.
  const [withCookie, withoutCookie] = ['yes', 'no'].map((value) => template.replace(PLACEHOLDER, value));
  const serve = async (request: FastifyRequest, reply: FastifyReply) =>
    reply
      .header('cache-control', 'no-store')
      .type('text/html; charset=utf-8')
      .send(operatorCookie.read(request) === undefined ? withoutCookie : withCookie);
  app.get(PATH, serve);
  app.get(dashboardUrl(`${PATH}/`), serve);
};
