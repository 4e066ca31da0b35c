/** A real browser that visits a server's pages and records every problem. */
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type axe from 'axe-core';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';

/** Its own `source` is twice as long, and each document compiles it. */
const AXE = await readFile(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8');
/** Time limit for expected events. */
const PATIENCE_MS = 120_000;

/** URLs that stay inside the browser: those of the page itself, and of the browser's PDF viewer. */
const INSIDE = new Set(['data:', 'blob:', 'chrome:', 'chrome-extension:']);

/** A page and its problems: errors, violations of the policy, requests to other hosts. */
export interface WatchedPage {
  readonly page: Page;
  readonly problems: string[];
}

/** @param hasViewer whether it shows PDFs: only all of Chromium does, and it takes twice the CPU time of its shell. */
export function launchBrowser({ hasViewer = false } = {}): Promise<Browser> {
  return chromium.launch({
    executablePath: hasViewer ? '/usr/bin/chromium' : '/usr/bin/chromium-headless-shell',
    // Root can only run it this way; only our own pages are opened.
    args: ['--no-sandbox', '--disable-background-networking'],
  });
}

/** Opens an empty page with a new profile, which may visit one origin only. */
export async function openPage(
  browser: Browser,
  origin: string,
  options: BrowserContextOptions = {},
): Promise<WatchedPage> {
  const context = await browser.newContext(options);
  // Also of further pages, such as other tabs.
  context.setDefaultTimeout(PATIENCE_MS);
  const page = await context.newPage();
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

// Code for the page is text, as the types here are Node's.

/** Everything that the page has stored in the browser, and its address. */
export function storedBy(page: Page): Promise<string> {
  return page.evaluate<string>(
    `(async () => JSON.stringify([
      { ...localStorage }, { ...sessionStorage }, document.cookie, history.state, location.href,
      await indexedDB.databases(), await caches.keys(),
    ]))()`,
  );
}

/** Whether nothing overflows to the right. */
export function isAsWideAsTheScreen(page: Page): Promise<boolean> {
  return page.evaluate<boolean>('document.documentElement.scrollWidth <= innerWidth');
}

/** Accessibility problems of the current page: each violated rule of axe, and where. */
export async function barriers(page: Page): Promise<string[]> {
  // Once for each document: it has half a megabyte.
  if (!(await page.evaluate<boolean>('"axe" in window'))) await page.evaluate(AXE);
  // The PDF viewer is the browser's own. What axe would load again, styles and sound, is for rules that we have no use for.
  const options = JSON.stringify({ iframes: false, preload: false, resultTypes: ['violations'] });
  // The rest of its results is large.
  const violations = await page.evaluate<axe.Result[]>(
    `axe.run(document, ${options}).then(({ violations }) => violations)`,
  );
  return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`));
}

/** Brightness of an element's text, 0 to 255. */
export async function textBrightness(page: Page, selector: string): Promise<number> {
  const element = `document.querySelector(${JSON.stringify(selector)})`;
  const color = await page.evaluate<string>(`getComputedStyle(${element}).color`);
  return Math.max(...(color.match(/\d+/g) ?? []).slice(0, 3).map(Number));
}

/** Links to missing anchors of the page itself. */
export function brokenLinks(page: Page): Promise<string[]> {
  return page.evaluate<string[]>(
    `[...document.querySelectorAll('a[href^="#"]')].map((link) => link.getAttribute('href'))
      .filter((href) => !document.getElementById(decodeURIComponent(href.slice(1))))`,
  );
}
