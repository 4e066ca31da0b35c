/** Where an invitation is accepted. */

/**
 * The link of an invitation. The token is behind the "#", which browsers send nowhere: so it is in no log.
 *
 * @param publicUrl the origin that customers know; undefined: this machine, where browsers make passkeys without TLS.
 * @param port of this machine.
 */
export function invitationLink(token: string, publicUrl: string | undefined, port: number | null): string {
  const origin = publicUrl ?? `http://localhost${port === null ? '' : `:${port}`}`;
  return `${origin}/console/invite#${token}`;
}

/** Where the issuer of OpenID Connect sends people back to. */
export const SIGNED_IN_PATH = '/console/signed-in';
