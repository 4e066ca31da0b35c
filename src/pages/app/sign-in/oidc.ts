/** Signing in at the identity provider (OpenID Connect). */
import { begun, post, type WithToken } from '../api.ts';
import type { OidcChoices, OidcStart } from '../api-types.ts';
import { HOME } from '../router.ts';

/** Where the provider sends the browser back to. */
const RETURN = `${HOME}/signed-in`;
/** Where somebody was; only this tab has it, so nothing in a link can lead elsewhere. */
const FROM = 'platen:from';

/** Goes to the identity provider. @throws Failure */
export async function goToProvider(): Promise<void> {
  const { url } = await post<OidcStart>('/oidc', {});
  sessionStorage.setItem(FROM, location.pathname + location.search);
  location.assign(url);
}

/** What the provider sent, which is then removed from the history; undefined on any other page. */
export function answerOfProvider(): string | undefined {
  if (location.pathname !== RETURN) return undefined;
  const query = location.search.slice(1);
  history.replaceState(null, '', HOME);
  return query;
}

/** @returns a session, or the accounts to choose from. @throws Failure */
export async function signInByProvider<Session extends WithToken>(
  query: string,
): Promise<Session | OidcChoices> {
  const answer = await post<Session | OidcChoices>('/oidc/session', { query });
  return 'accounts' in answer ? answer : entered(answer);
}

/** @throws Failure */
export async function chooseAccount<Session extends WithToken>(account: string): Promise<Session> {
  return entered(await post<Session>('/oidc/choice', { account }));
}

function entered<Session extends WithToken>(session: Session): Session {
  history.replaceState(null, '', sessionStorage.getItem(FROM) ?? HOME);
  sessionStorage.removeItem(FROM);
  return begun(session);
}
