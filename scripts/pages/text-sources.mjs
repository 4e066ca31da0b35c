/** The Markdown files that become pages, and their URLs. */
import { readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, extname, join } from 'node:path';
import { root } from '../run.mjs';

/** The folder of the guide's pages. */
export const guideFolder = join(root, 'docs/guide');

/** Pictures in the guide, which scripts/screenshots.ts makes. */
export const imageFolder = join(guideFolder, 'images');

export const changelog = join(root, 'CHANGELOG.md');
export const changelogUrl = '/v1/docs/changelog';
export const brunoUrl = '/v1/docs/bruno.zip';
export const feedUrl = `${changelogUrl}.atom`;

/** Sources of pages: the guide, whose first page is README.md, with its programs, and the changelog. */
export const textSources = [
  ...readdirSync(guideFolder, { recursive: true, encoding: 'utf8' })
    .filter((name) => extname(name) !== '')
    .map((name) => join(guideFolder, name)),
  changelog,
];

const languages = {
  '.sh': 'bash',
  '.mjs': 'js',
  '.ts': 'ts',
  '.py': 'python',
  '.java': 'java',
  '.go': 'go',
  '.php': 'php',
  '.html': 'html',
};

/**
 * A page's Markdown. A line that is only a link to a program is replaced by the program, as GitHub shows no other file in a page.
 *
 * @param {string} source
 */
export function readText(source) {
  return readFileSync(source, 'utf8').replaceAll(/^\[(\S+)\]\((programs\/\1)\)$/gm, (_, name, path) => {
    const language = languages[/** @type {keyof typeof languages} */ (extname(name))];
    return `\`\`\`${language} ${name}\n${readFileSync(join(dirname(source), path), 'utf8')}\`\`\``;
  });
}

/** @param {string} name of a source, without the extension */
export function guideUrl(name) {
  return name === 'README' ? '/v1/docs/guide' : `/v1/docs/guide/${name}`;
}

/**
 * Where the Markdown of a page is. Its links lead to that of others.
 *
 * @param {string} url of the page
 */
export function markdownUrl(url) {
  return url === guideUrl('README') ? `${url}/README.md` : `${url}.md`;
}

/** @param {string} file of the repository */
export function servedUrl(file) {
  if (file === changelog) return changelogUrl;
  return dirname(file) === guideFolder ? guideUrl(basename(file, '.md')) : undefined;
}
