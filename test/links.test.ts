/** The links between the Markdown files: each leads to a file, and to a heading of it. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import t from 'tap';

const root = join(import.meta.dirname, '..');
const files = [
  ...readdirSync(root).filter((name) => name.endsWith('.md')),
  ...readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => join('docs', name)),
  'docker/fonts/README.md',
  'docker/fonts/stand-ins.md',
  'docker/licensed-fonts/README.md',
];

for (const file of files) {
  t.test(file, async (t) => {
    const links = withoutFences(read(file)).matchAll(/\]\((?!https?:|mailto:|\/)([^)\s]+)\)/g);
    for (const [, target = ''] of links) {
      const [path = '', anchor] = target.split('#');
      const other = path === '' ? file : join(dirname(file), path);
      if (!t.ok(existsSync(join(root, other)), target) || anchor === undefined) continue;
      t.ok(anchors(read(other)).has(anchor), target);
    }
  });
}

function read(file: string): string {
  return readFileSync(join(root, file), 'utf8');
}

function withoutFences(text: string): string {
  return text.replaceAll(/^```.*?^```$/gms, '');
}

/** The anchors of a page's headings, as GitHub makes them of headings that are unique. */
function anchors(text: string): ReadonlySet<string> {
  const headings = withoutFences(text).matchAll(/^#+ (.+)$/gm);
  return new Set(
    [...headings].map(([, title = '']) =>
      title
        .toLowerCase()
        .replaceAll(/[^\p{L}\p{N}_\s-]/gu, '')
        .trim()
        .replaceAll(' ', '-'),
    ),
  );
}
