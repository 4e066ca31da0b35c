/** What the guide for integrators says of errors, and where it leads. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { catalogue } from '../src/errors.ts';
import { guideFolder, pages, prose } from './support/guide.ts';

t.test(
  'each code of the catalogue has a section with its status, cause and remedy, and no other has',
  async (t) => {
    const { text } = pages.find(({ name }) => name === 'errors.md') ?? { text: '' };
    const sections = new Map(
      text
        .split(/^### `/m)
        .slice(1)
        .map((section) => [section.slice(0, section.indexOf('`')), section] as const),
    );
    t.strictSame([...sections.keys()].sort(), Object.keys(catalogue).sort());
    for (const [code, { status }] of Object.entries(catalogue)) {
      const section = sections.get(code) ?? '';
      const [, statuses = '', retry = ''] =
        /^\*\*Status\*\* (\d[^.]*)\. \*\*Retry\*\* ([^.]+)\.$/m.exec(section) ?? [];
      t.equal(Number.parseInt(statuses, 10), status, `${code}: status`);
      t.match(retry, /^(no|yes|\d+ only)\b/, `${code}: whether to retry`);
      if (/\b(409|429|503)\b/.test(statuses))
        t.match(retry, /^yes, after `Retry-After`$/, `${code}: how long to wait`);
      t.match(section, /^\*\*Cause\.\*\* \S.*^\*\*What to do\.\*\* \S/ms, `${code}: cause and remedy`);
    }
  },
);

t.test('no link of the guide leads nowhere', async (t) => {
  for (const page of pages) {
    for (const [, target = ''] of prose(page).matchAll(/\]\((?!https?:)([^)\s]+)\)/g)) {
      const [file = '', anchor] = target.split('#');
      const path = file === '' ? join(guideFolder, page.name) : join(guideFolder, file);
      if (!t.ok(existsSync(path), `${page.name}: ${target}`) || anchor === undefined) continue;
      t.ok(anchors(readFileSync(path, 'utf8')).has(anchor), `${page.name}: ${target}`);
    }
  }
});

t.test('each page of the guide is on its first page', async (t) => {
  const index = pages.find(({ name }) => name === 'README.md') ?? { text: '' };
  const linked = [...index.text.matchAll(/^\| \[[^\]]+\]\(([a-z-]+\.md)\)/gm)].map(([, name]) => name);
  t.strictSame(
    linked.sort(),
    pages.map(({ name }) => name).filter((name) => name !== 'README.md'),
  );
});

/** The anchors of a page's headings, as renderers of Markdown commonly make them. */
function anchors(text: string): ReadonlySet<string> {
  const headings = [...text.replaceAll(/^```.*?^```$/gms, '').matchAll(/^#+ (.+)$/gm)].map(
    ([, title = '']) => title,
  );
  return new Set(
    headings.map((title) =>
      title
        .toLowerCase()
        .replaceAll(/[^\w\s-]/g, '')
        .trim()
        .replaceAll(' ', '-'),
    ),
  );
}
