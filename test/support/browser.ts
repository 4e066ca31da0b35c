/** A real browser on the pages of a server, and what it met there that should not be. */
import axe from 'axe-core';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';

/** How long it waits for what must happen. */
const PATIENCE_MS = 30_000;

/** Of what a page has itself, and of the browser's own viewer of PDFs: none leaves the browser. */
const INSIDE = new Set(['data:', 'blob:', 'chrome:', 'chrome-extension:']);

/** A page with all that went wrong on it: errors, refusals of the policy, requests to other hosts. */
export interface WatchedPage {
  readonly page: Page;
  readonly problems: string[];
}

/**
 * @param hasViewer whether it shows PDFs: that is all of Chromium, which works twice as much for each page as the shell that
 *   is made for programs.
 */
export function launchBrowser({ hasViewer = false } = {}): Promise<Browser> {
  return chromium.launch({
    executablePath: hasViewer ? '/usr/bin/chromium' : '/usr/bin/chromium-headless-shell',
    // A root user has no other way; only our own pages are opened.
    args: ['--no-sandbox', '--disable-background-networking'],
  });
}

/** Opens an empty page of its own profile that may go to one origin only. */
export async function openPage(
  browser: Browser,
  origin: string,
  options: BrowserContextOptions = {},
): Promise<WatchedPage> {
  const context = await browser.newContext(options);
  const page = await context.newPage();
  page.setDefaultTimeout(PATIENCE_MS);
  const problems: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') problems.push(message.text());
  });
  page.on('pageerror', (error) => problems.push(String(error)));
  page.on('request', (request) => {
    const { protocol, origin: to } = new URL(request.url());
    if (to !== origin && !INSIDE.has(protocol)) problems.push(`asked ${request.url()}`);
  });
  return { page, problems };
}

// What runs in the page is text: the types here are those of Node.

/** Everything that the page has stored in the browser, and its address. */
export function storedBy(page: Page): Promise<string> {
  return page.evaluate<string>(
    `(async () => JSON.stringify([
      { ...localStorage }, { ...sessionStorage }, document.cookie, history.state, location.href,
      await indexedDB.databases(), await caches.keys(),
    ]))()`,
  );
}

/** Whether nothing sticks out to the right. */
export function isAsWideAsTheScreen(page: Page): Promise<boolean> {
  return page.evaluate<boolean>('document.documentElement.scrollWidth <= innerWidth');
}

/** What keeps people with disabilities from using the page as it is now: each rule of axe that it breaks, and where. */
export async function barriers(page: Page): Promise<string[]> {
  await page.evaluate(axe.source);
  // The viewer of PDFs is the browser's own.
  const options = JSON.stringify({ iframes: false, resultTypes: ['violations'] });
  const { violations } = await page.evaluate<axe.AxeResults>(`axe.run(document, ${options})`);
  return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`));
}

/** How bright the text of an element is, 0 to 255. */
export async function textBrightness(page: Page, selector: string): Promise<number> {
  const element = `document.querySelector(${JSON.stringify(selector)})`;
  const color = await page.evaluate<string>(`getComputedStyle(${element}).color`);
  return Math.max(...(color.match(/\d+/g) ?? []).slice(0, 3).map(Number));
}

/** The links to places on the page itself that are not there. */
export function brokenLinks(page: Page): Promise<string[]> {
  return page.evaluate<string[]>(
    `[...document.querySelectorAll('a[href^="#"]')].map((link) => link.getAttribute('href'))
      .filter((href) => !document.getElementById(decodeURIComponent(href.slice(1))))`,
  );
}
