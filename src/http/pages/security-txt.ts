/** GET /.well-known/security.txt: whom to tell of a vulnerability of this service (RFC 9116). */
import type { FastifyPluginAsync } from 'fastify';
import type { Config } from '../../config.ts';

const PATH = '/.well-known/security.txt';
/** How long a copy may be believed, in milliseconds: 30 days, of at most a year (section 2.5.5). */
const LIFETIME_MS = 2_592_000_000;

/** Only where the operator has named a contact. */
export const securityTxtRoute: FastifyPluginAsync<{ readonly config: Config }> = async (app, { config }) => {
  const { securityContacts, publicUrl } = config;
  if (securityContacts.length === 0) return;
  const lines = [
    ...securityContacts.map((contact) => `Contact: ${contact}`),
    ...(publicUrl === undefined ? [] : [`Canonical: ${publicUrl}${PATH}`]),
  ];
  app.get(PATH, async (_request, reply) => {
    const expires = new Date(Date.now() + LIFETIME_MS).toISOString();
    return reply.type('text/plain; charset=utf-8').send(`${[...lines, `Expires: ${expires}`].join('\n')}\n`);
  });
};
