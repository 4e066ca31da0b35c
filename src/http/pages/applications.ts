/**
 * GET /dashboard, /console and below: the pages of operators and of members of accounts. Each is one document, whose
 * script shows the page of the address.
 */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import cookie from '@fastify/cookie';
import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify';
import type { Config } from '../../config.ts';
import { pagesFolder } from '../../paths.ts';
import { memberCookie, operatorCookie, type SessionCookie } from '../operator/session-cookie.ts';

const PLACEHOLDER = '{{cookie}}';
/** This machine by a number, which no browser makes a passkey for. */
const NUMBERED = /^(?:127\.0\.0\.1|\[::1\])(:\d{1,5})?$/;

interface Application {
  readonly path: string;
  /** Its document, as the build makes it. */
  readonly file: string;
  readonly cookie: SessionCookie;
}

const applications: readonly Application[] = [
  { path: '/dashboard', file: 'dashboard.html', cookie: operatorCookie },
  { path: '/console', file: 'console.html', cookie: memberCookie },
];

/**
 * Maps all addresses below an application to one, as there is one document, whose script reads the address of the browser. An
 * address that no router can read (`%E0%A4%A`) then gets a page that says so.
 */
export function applicationUrl(url: string): string {
  const found = applications.find(({ path }) => url.startsWith(`${path}/`));
  return found ? `${found.path}/` : url;
}

/** The documents have no customer data, but browsers must not store them, as their scripts show keys. */
export const applicationRoutes: FastifyPluginAsync<{ readonly config: Config }> = async (app, { config }) => {
  const { oidc, publicUrl = '' } = config;
  const ways = [...(oidc?.isOnly ? [] : ['passkey']), ...(oidc ? ['oidc'] : [])].join(' ');
  await app.register(cookie);
  for (const application of applications) {
    const template = await readFile(join(pagesFolder, application.file), 'utf8');
    if (!template.includes(PLACEHOLDER)) throw new Error(`${application.file} has no ${PLACEHOLDER}`);
    // The script cannot see the cookie; without this, it would ask for a session that does not exist.
    const [withCookie, withoutCookie] = ['yes', 'no'].map((value) =>
      template.replace(PLACEHOLDER, value).replace('{{signIn}}', ways).replace('{{publicUrl}}', publicUrl),
    );
    const serve = async (request: FastifyRequest, reply: FastifyReply) => {
      const elsewhere = application.cookie === memberCookie ? namedUrl(request, config) : undefined;
      if (elsewhere !== undefined) return reply.redirect(elsewhere, 307);
      return reply
        .type('text/html; charset=utf-8')
        .send(application.cookie.read(request) === undefined ? withoutCookie : withCookie);
    };
    app.get(application.path, serve);
    app.get(`${application.path}/`, serve);
  }
};

/**
 * Where members can sign in, if it is not here: without an address that the operator names, `localhost` is the only site of
 * passkeys (`sign-in/site.ts`). The dashboard takes the token everywhere. Browsers keep the fragment, such as that of an invitation.
 */
function namedUrl(
  { host, originalUrl, protocol }: FastifyRequest,
  { publicUrl }: Config,
): string | undefined {
  // TLS ends at a proxy, whose names only its operator knows.
  const numbered = publicUrl === undefined && protocol === 'http' ? NUMBERED.exec(host) : null;
  return numbered ? `http://localhost${numbered[1] ?? ''}${originalUrl}` : undefined;
}
