/** The dashboard of one server in one browser, which all its tests share. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, BrowserContextOptions, Locator, Page } from 'playwright-core';
import type { Test } from 'tap';
import { barriers, launchBrowser, openPage, storedBy, type WatchedPage } from '../../support/browser.ts';
import { Server } from '../../support/server.ts';
import { operatorToken } from '../support/operator.ts';
import { writePlans } from '../support/plans.ts';

/** Of the plan `small`. */
export const PER_HOUR = 4;
export const PER_MONTH = 8;

const NO_PROBLEM = 'no console error, no request to another host';

export class Dashboard {
  readonly server: Server;
  readonly token: string;
  readonly #browser: Browser;
  #shared: WatchedPage | undefined;

  private constructor(server: Server, token: string, browser: Browser) {
    this.server = server;
    this.token = token;
    this.#browser = browser;
  }

  /** Its server has the plans `small` and `large`; the last test ends it. */
  static async start(t: Test): Promise<Dashboard> {
    const folder = await mkdtemp(join(tmpdir(), 'platen-dashboard-'));
    t.teardown(() => rm(folder, { recursive: true }));
    const plans = { small: { perHour: PER_HOUR, perMonth: PER_MONTH }, large: { features: ['jobs'] } };
    const server = await Server.start({ env: { PLANS_FILE: await writePlans(folder, plans) } });
    const browser = await launchBrowser();
    t.teardown(() => browser.close());
    return new Dashboard(server, await operatorToken(server), browser);
  }

  /** A page in a profile of its own, at the sign-in. */
  async open(path: string, options: BrowserContextOptions = {}): Promise<WatchedPage> {
    const watched = await openPage(this.#browser, this.server.url, { timezoneId: 'Asia/Tokyo', ...options });
    await watched.page.goto(`${this.server.url}/dashboard${path}`);
    return watched;
  }

  async signIn(page: Page): Promise<void> {
    await page.getByLabel('Operator token').fill(this.token);
    await button(page, 'Sign in with the token').click();
    await button(page, 'Sign out').waitFor();
  }

  async openSignedIn(path: string, options: BrowserContextOptions = {}): Promise<WatchedPage> {
    const watched = await this.open(path, options);
    await this.signIn(watched.page);
    return watched;
  }

  /** The one page that most tests share, signed in: a page of its own takes five times the CPU time. */
  async visit(path: string): Promise<WatchedPage> {
    if (!this.#shared) {
      this.#shared = await this.openSignedIn(path);
      return this.#shared;
    }
    const { page } = this.#shared;
    // So that the page begins anew, even if it is the same.
    await follow(page, '/nowhere');
    await heading(page, 'There is no such page').waitFor();
    await follow(page, path);
    return this.#shared;
  }

  /** Asserts that the page had no problems and loaded nothing unexpected. Another test may visit it if it is shared. */
  async endsWell(t: Test, watched: WatchedPage, expected: readonly string[] = []): Promise<void> {
    if (watched !== this.#shared) return endsWell(t, watched, expected);
    await watched.page.unrouteAll();
    t.strictSame(watched.problems.splice(0), expected, NO_PROBLEM);
  }

  /** The places that contain a text: the current page, its address, its storage, and the service's log. */
  async placesWith(page: Page, text: string): Promise<string[]> {
    const places = {
      html: await page.content(),
      fields: await page.evaluate<string>(
        `JSON.stringify([...document.querySelectorAll('input, textarea')].map(({ value }) => value))`,
      ),
      stored: await storedBy(page),
      log: JSON.stringify(this.server.log),
      printed: this.server.printed.join('\n'),
    };
    return Object.entries(places).flatMap(([place, content]) => (content.includes(text) ? [place] : []));
  }
}

/** What the console says of a request that was refused. */
export const refusal = (status: string) =>
  `Failed to load resource: the server responded with a status of ${status}`;

export const heading = (page: Page, name: string): Locator =>
  page.getByRole('heading', { name, exact: true });

export const button = (page: Page, name: string | RegExp): Locator => page.getByRole('button', { name });

/** Goes to a path as a link does: to load the page anew costs more than most tests. */
export async function follow(page: Page, path: string): Promise<void> {
  await page.evaluate(`history.pushState(null, '', '/dashboard${path}')`);
  await page.evaluate(`dispatchEvent(new PopStateEvent('popstate'))`);
}

/** Follows a link in the navigation. */
export async function go(page: Page, link: string): Promise<void> {
  await page.getByRole('navigation').getByRole('link', { name: link }).click();
  await heading(page, link).waitFor();
}

export async function isAccessible(t: Test, page: Page, state: string): Promise<void> {
  t.strictSame(await barriers(page), [], `${state}: no barriers`);
}

/** Asserts that the page had no problems and loaded nothing unexpected. */
export async function endsWell(
  t: Test,
  { page, problems }: WatchedPage,
  expected: readonly string[] = [],
): Promise<void> {
  t.strictSame(problems, expected, NO_PROBLEM);
  await page.context().close();
}
