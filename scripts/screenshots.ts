/**
 * Makes the pictures of the console in the guide and of the dashboard anew, of the service as it is built here.
 *
 *   npm run -s screenshots
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import { heading, joinConsole } from '../test/e2e/support/member-browser.ts';
import { operatorToken } from '../test/e2e/support/operator.ts';
import { convert } from '../test/e2e/support/requests.ts';
import { launchBrowser } from '../test/support/browser.ts';
import { docx } from '../test/support/documents.ts';
import { Server } from '../test/support/server.ts';
import { until } from '../test/support/until.ts';
import { imageFolder } from './pages/text-sources.mjs';
import { root } from './run.mjs';

const QUALITY = 80;
const MAX_BYTES = 100_000;
const DAY_MS = 86_400_000;
const DASHBOARD = join(root, 'docs/images/dashboard.png');
/** How many minutes have traffic on the dashboard. */
const MINUTES = 8;
const viewport = { width: 1280, height: 800 };

// The pages show its address.
const server = await Server.start({ env: { PORT: '3000' } });
const browser = await launchBrowser();
try {
  await server.createAccount({ id: 'acme', name: 'Acme Ltd', plan: 'pro' });
  const { page } = await joinConsole({ server, browser }, 'acme', 'owner', { viewport, locale: 'en-GB' });
  const key = await server.createKey({ account: 'acme', name: 'back end' });
  await server.createKey({
    ...{ account: 'acme', name: 'shop', ipRestrictions: ['203.0.113.0/24'] },
    expiresAt: new Date(Date.now() + 20 * DAY_MS).toISOString(),
  });
  await server.createKey({ account: 'acme', name: 'continuous integration', environment: 'test' });
  for (let pages = 1; pages <= 12; pages++) await convert(server, key.key, docx({ pages }));
  for (let i = 0; i < 2; i++) await convert(server, key.key, Buffer.from('no document'));
  await until('all requests are listed', async () => {
    await page.goto(new URL('/console/requests', page.url()).href);
    await page.locator('#requests tbody tr, #requests .empty').first().waitFor();
    return (await page.locator('#requests tbody tr').count()) >= 14;
  });
  mkdirSync(imageFolder, { recursive: true });
  await take(page, 'requests', 'Requests');
  await take(page, 'keys', 'Keys');
  await take(page, 'docs', 'Documentation', async () => {
    await page.getByRole('button', { name: 'Create a test key' }).click();
    await page.getByRole('button', { name: 'I have it, hide it' }).click();
  });
  await take(page, '', 'Overview');
  await makeTraffic(key.key);
  await takeDashboard();
} finally {
  await browser.close();
  await server.stop();
}

/** @param path of the page below the console's. */
async function take(page: Page, path: string, title: string, prepare = async () => {}): Promise<void> {
  await page.goto(new URL(`/console/${path}`, page.url()).href);
  await heading(page, title).waitFor();
  await page.waitForLoadState('networkidle');
  await prepare();
  await page.evaluate('scrollTo(0, 0)');
  const devTools = await page.context().newCDPSession(page);
  const { data } = await devTools.send('Page.captureScreenshot', { format: 'webp', quality: QUALITY });
  const image = Buffer.from(data, 'base64');
  if (image.length > MAX_BYTES) throw new Error(`${title}: ${image.length} bytes are more than ${MAX_BYTES}`);
  writeFileSync(join(imageFolder, `${path === '' ? 'overview' : path}.webp`), image);
}

/** Sends documents, most of them good, for some minutes. */
async function makeTraffic(key: string): Promise<void> {
  const end = performance.now() + MINUTES * 60_000;
  for (let sent = 1; performance.now() < end; sent++) {
    const document = sent % 25 === 0 ? Buffer.from('no document') : docx({ pages: 1 + (sent % 7) });
    await convert(server, key, document);
    // It has rises and falls.
    await delay(1_500 + 1_000 * Math.sin(sent / 12));
  }
}

async function takeDashboard(): Promise<void> {
  const page = await browser.newPage({ viewport: { width: 1120, height: 1360 }, locale: 'en-GB' });
  await page.goto(new URL('/dashboard', server.url).href);
  await page.getByLabel('Operator token').fill(await operatorToken(server));
  await page.getByRole('button', { name: 'Sign in with the token' }).click();
  await page.getByRole('heading', { name: 'Outcomes' }).waitFor();
  await page.getByText('All is well').waitFor();
  await page.screenshot({ path: DASHBOARD });
  await page.close();
}
