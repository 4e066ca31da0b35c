/** "From the invitation to the first PDF" of the guide, word by word: its commands are run, what it names is chosen. */
import { execFile } from 'node:child_process';
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { Page } from 'playwright-core';
import t, { type Test } from 'tap';
import { launchBrowser } from '../support/browser.ts';
import { docx } from '../support/documents.ts';
import { fences, pages } from '../support/guide.ts';
import { Server } from '../support/server.ts';
import { until } from '../support/until.ts';
import { openConsole, originOf } from './support/member-browser.ts';
import { pdfText } from './support/pdf.ts';

const run = promisify(execFile);
const root = fileURLToPath(new URL('../..', import.meta.url));
const server = await Server.start();
t.teardown(() => server.stop());
const browser = await launchBrowser();
t.teardown(() => browser.close());
const origin = originOf(server);
const folder = await mkdtemp(join(tmpdir(), 'platen-guide-'));
t.teardown(() => rm(folder, { recursive: true, force: true }));
await writeFile(join(folder, 'document.docx'), docx({ paragraphs: ['Dear customer'] }));
// As in the image.
const platen = join(folder, 'platen');
await writeFile(platen, `#!/bin/sh\nexec '${process.execPath}' '${join(root, 'dist/cli/main.js')}' "$@"\n`);
await chmod(platen, 0o755);

const { text = '' } = pages.find(({ name }) => name === 'console.md') ?? {};
const [, section = ''] = text.split(/^## From the invitation to the first PDF$/m);
/** The steps of the guide: the names of the controls to choose or fill in, in this order. */
const steps = (section.split(/^## /m)[0] ?? '')
  .split(/^\*\*\d\. /m)
  .slice(1)
  .map((step) => [...step.matchAll(/(?<!\*)\*([^*]+)\*(?!\*)/g)].map(([, name = '']) => name));
const codeOf = (name: string) =>
  fences.find((each) => each.page === 'console.md' && each.name === name)?.code ?? '';

async function shell(code: string, env: Readonly<Record<string, string>> = {}): Promise<string> {
  const { PATH = '' } = process.env;
  const { stdout } = await run('bash', ['-c', code], {
    cwd: folder,
    env: { PATH: `${folder}:${PATH}`, ...env },
  });
  return stdout;
}

async function takesPdf(t: Test, code: string, env?: Readonly<Record<string, string>>): Promise<void> {
  await rm(join(folder, 'document.pdf'), { force: true });
  await shell(code, env);
  t.match(await pdfText(await readFile(join(folder, 'document.pdf'))), 'Dear customer');
}

/** Chooses or fills in what has exactly this name. */
async function follow(page: Page, name: string): Promise<void> {
  const [field, button, link] = (['textbox', 'button', 'link'] as const).map((role) =>
    page.getByRole(role, { name, exact: true }),
  );
  if (!field || !button || !link) return;
  await field.or(button).or(link).waitFor();
  if (await field.isVisible()) await field.fill('Anna Smith');
  else await button.or(link).click();
}

t.test('the guide leads from an invitation to the first PDF', async (t) => {
  const [invited = [], opened = [], made = [], found = []] = steps;
  t.strictSame([steps.length, invited], [4, []]);
  t.ok(
    [opened, made, found].every((names) => names.length > 0),
    'it names what is chosen',
  );

  // The guide assumes that this account exists.
  const [account = ''] = /(?<=--account )\w+/.exec(codeOf('invite.sh')) ?? [];
  await server.createAccount({ id: account, name: 'Acme Ltd', plan: 'pro' });
  await until('the server has told where it listens', async () =>
    (await server.cli<{ port: number | null }[]>('servers')).some(({ port }) => port !== null),
  );
  const printed = await shell(codeOf('invite.sh'), { DATA_DIR: server.dataDir });
  const [link = ''] = /https?:\S+/.exec(printed) ?? [];
  t.equal(new URL(link).origin, origin, 'a link that can be opened, though only the server knows its port');

  const { page, problems } = await openConsole({ server, browser }, link.slice(origin.length));
  const [signIn = '', ...joining] = opened.toReversed();
  for (const name of joining.toReversed()) await follow(page, name);
  await page.getByRole('heading', { name: 'Overview' }).waitFor();
  await page.getByRole('button', { name: 'Sign out' }).click();
  await follow(page, signIn);
  await page.getByRole('heading', { name: 'Overview' }).waitFor();

  const [hide = '', ...making] = made.toReversed();
  for (const name of making.toReversed()) await follow(page, name);
  await page.locator('.secret').waitFor();
  const [key = '', shown = ''] = await page.locator('.secret .copyable code').allInnerTexts();
  const example = codeOf('first-pdf.sh').trim().replace('\\\n  ', '');
  t.equal(
    shown.replaceAll("'", '"'),
    example.replace('$PLATEN_API_KEY', key).replace('$PLATEN_URL', origin),
    'the page shows the command of the guide',
  );
  await takesPdf(t, shown);
  await takesPdf(t, example, { PLATEN_API_KEY: key, PLATEN_URL: server.url });
  await follow(page, hide);
  await page.locator('.secret').waitFor({ state: 'detached' });

  const refused = await fetch(`${server.url}/v1/convert`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}` },
  });
  const error = await refused.text();
  const [requests = '', find = ''] = found;
  await follow(page, requests);
  await until('all are there', async () => {
    await page.reload();
    await page.locator('#requests tbody tr, #requests .empty').first().waitFor();
    return (await page.locator('#requests tbody tr').count()) === 3;
  });
  await page.getByRole('searchbox').fill(error);
  await follow(page, find);
  await page.getByText(`${refused.status} ${JSON.parse(error).code}`).waitFor();
  t.strictSame(problems, []);
  await page.context().close();
});
