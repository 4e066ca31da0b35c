/** URLs of pages: where an invitation is accepted, and where the issuer sends people back to. */
import type { Config } from '../config.ts';
import type { Realm } from './realm.ts';

/** The origin of a realm's pages; undefined: only this machine reaches them. */
export function originOf(
  { noun }: Pick<Realm, 'noun'>,
  { publicUrl, dashboardUrl }: Pick<Config, 'publicUrl' | 'dashboardUrl'>,
): string | undefined {
  return noun === 'operator' ? dashboardUrl : publicUrl;
}

/**
 * The link of an invitation. The token is in the fragment, which browsers do not send, so no log has it.
 *
 * @param origin of the realm's pages; undefined: this machine, where browsers make passkeys without TLS.
 * @param port of this machine.
 */
export function invitationLink(
  { pages }: Pick<Realm, 'pages'>,
  token: string,
  origin: string | undefined,
  port: number | null,
): string {
  return `${origin ?? `http://localhost${port === null ? '' : `:${port}`}`}${pages}/invite#${token}`;
}

/** Where the issuer sends people of a realm back to. */
export function signedInUrl({ pages }: Pick<Realm, 'pages'>, origin: string): string {
  return `${origin}${pages}/signed-in`;
}
