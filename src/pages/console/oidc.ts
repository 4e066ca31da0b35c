/** Signing in at the identity provider (OpenID Connect). */
import { begun, post } from '../app/api.ts';
import type { ConsoleSession, OidcChoices, OidcStart } from '../app/api-types.ts';
import { ways } from '../app/place.ts';
import { HOME } from '../app/router.ts';

export { ways };

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

/** What the provider sent, which then is in no history; undefined on any other page. */
export function answerOfProvider(): string | undefined {
  if (location.pathname !== RETURN) return undefined;
  const query = location.search.slice(1);
  history.replaceState(null, '', HOME);
  return query;
}

/** @returns a session, or the accounts to choose from. @throws Failure */
export async function signInByProvider(query: string): Promise<ConsoleSession | OidcChoices> {
  const answer = await post<ConsoleSession | OidcChoices>('/oidc/session', { query });
  return 'accounts' in answer ? answer : entered(answer);
}

/** @throws Failure */
export async function chooseAccount(account: string): Promise<ConsoleSession> {
  return entered(await post<ConsoleSession>('/oidc/choice', { account }));
}

function entered(session: ConsoleSession): ConsoleSession {
  history.replaceState(null, '', sessionStorage.getItem(FROM) ?? HOME);
  sessionStorage.removeItem(FROM);
  return begun(session);
}
