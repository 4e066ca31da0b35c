/** The console in a real browser, whose authenticator is virtual. */
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { openPage, type WatchedPage } from '../../support/browser.ts';
import type { Server } from '../../support/server.ts';

interface MemberBrowser {
  readonly server: Server;
  readonly browser: Browser;
}

/** Passkeys need a name of the host. */
export function originOf({ url }: Server): string {
  return url.replace('127.0.0.1', 'localhost');
}

/** Opens a page of the console with a device that makes passkeys. */
export async function openConsole(
  { server, browser }: MemberBrowser,
  path: string,
  options: BrowserContextOptions = {},
): Promise<WatchedPage> {
  const watched = await openPage(browser, originOf(server), options);
  const devTools = await watched.page.context().newCDPSession(watched.page);
  await devTools.send('WebAuthn.enable');
  await devTools.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      ...{ protocol: 'ctap2', transport: 'internal', hasResidentKey: true, hasUserVerification: true },
      ...{ isUserVerified: true, automaticPresenceSimulation: true },
    },
  });
  await watched.page.goto(`${originOf(server)}${path}`);
  return watched;
}

/** A browser in which somebody has just joined an account. */
export async function joinConsole(
  at: MemberBrowser,
  account: string,
  role: 'owner' | 'developer' | 'billing',
  options: BrowserContextOptions = {},
): Promise<WatchedPage> {
  const email = `${role}@${account}.example`;
  const { link } = await at.server.cli<{ link: string }>(
    ...['members', 'invite', '--account', account, '--email', email, '--role', role],
  );
  const { hash, pathname } = new URL(link);
  const watched = await openConsole(at, pathname + hash, options);
  await watched.page.getByLabel('Your name').fill('Anna Smith');
  await watched.page.getByRole('button', { name: 'Make a passkey and join' }).click();
  await heading(watched.page, 'Overview').waitFor();
  return watched;
}

export function heading(page: Page, name: string) {
  return page.getByRole('heading', { name, exact: true });
}
