/** The link of an invitation. */
import { HOME } from '../router.ts';

/** The token of the opened invitation, which is then removed from the history; undefined on any other page. */
export function tokenOfInvitation(): string | undefined {
  if (location.pathname !== `${HOME}/invite`) return undefined;
  const token = location.hash.slice(1);
  history.replaceState(null, '', HOME);
  return token;
}
