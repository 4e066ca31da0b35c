/** The Markdown files that become pages, and their URLs. */
import { readdirSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { root } from '../run.mjs';

/** The folder of the guide's pages. */
export const guideFolder = join(root, 'docs/guide');

export const changelog = join(root, 'CHANGELOG.md');
export const changelogUrl = '/v1/docs/changelog';

/** Sources of pages: the guide, whose first page is README.md, and the changelog. */
export const textSources = [...readdirSync(guideFolder).map((name) => join(guideFolder, name)), changelog];

/** @param {string} name of a source, without the extension */
export function guideUrl(name) {
  return name === 'README' ? '/v1/docs/guide' : `/v1/docs/guide/${name}`;
}

/** @param {string} file of the repository */
export function servedUrl(file) {
  if (file === changelog) return changelogUrl;
  return dirname(file) === guideFolder ? guideUrl(basename(file, '.md')) : undefined;
}
