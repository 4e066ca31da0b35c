/** What the guide for integrators says of errors, and its list of pages. */
import t from 'tap';
import { catalogue } from '../src/errors.ts';
import { pages } from './support/guide.ts';

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

t.test('each page of the guide is on its first page', async (t) => {
  const index = pages.find(({ name }) => name === 'README.md') ?? { text: '' };
  const linked = [...index.text.matchAll(/^\| \[[^\]]+\]\(([a-z-]+\.md)\)/gm)].map(([, name]) => name);
  t.strictSame(
    linked.sort(),
    pages.map(({ name }) => name).filter((name) => name !== 'README.md'),
  );
});
