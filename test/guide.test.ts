/** What the guide for integrators says of errors, and its list of pages. */
import t from 'tap';
import { withSections } from '../scripts/errors-page.ts';
import { withTable } from '../scripts/warnings-page.ts';
import { catalogue } from '../src/errors.ts';
import { warningCodes } from '../src/shared/warning-levels.ts';
import { pages } from './support/guide.ts';

t.test('its page about errors is made from the catalogue', async (t) => {
  const { text } = pages.find(({ name }) => name === 'errors.md') ?? { text: '' };
  t.equal(text, withSections(text), 'run "npm run openapi"');
  for (const code of Object.keys(catalogue)) t.match(text, `\n### \`${code}\`\n`, code);
  t.match(text, /^\*\*Status\*\* 400, 408 or 431\. \*\*Retry\*\* 408 only\.$/m);
  t.match(text, /^\*\*Status\*\* 429\. \*\*Retry\*\* yes, after `Retry-After`\.$/m);
});

t.test('its table of warnings is made from their catalogue', async (t) => {
  const { text } = pages.find(({ name }) => name === 'warnings.md') ?? { text: '' };
  t.equal(text, withTable(text), 'run "npm run openapi"');
  for (const code of warningCodes) t.match(text, `\n| \`${code}\` |`, code);
});

t.test('each page of the guide is on its first page', async (t) => {
  const index = pages.find(({ name }) => name === 'README.md') ?? { text: '' };
  const linked = [...index.text.matchAll(/^\| \[[^\]]+\]\(([a-z-]+\.md)\)/gm)].map(([, name]) => name);
  t.strictSame(
    linked.sort(),
    pages.map(({ name }) => name).filter((name) => name !== 'README.md'),
  );
});
