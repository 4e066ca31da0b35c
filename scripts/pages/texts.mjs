/** The guide for integrators, and the changelog. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { page } from './document.mjs';
import { renderMarkdown } from './markdown.mjs';
import { changelog, changelogUrl, guideFolder, guideUrl } from './text-sources.mjs';

/**
 * @typedef {object} GuidePage
 * @property {string} name of its source, without the extension
 * @property {string} title
 * @property {string} html
 * @property {ReturnType<typeof renderMarkdown>['headings']} headings
 */

/**
 * The pages of the guide, in the order in which the first one names them.
 *
 * @param {Record<string, string>} urls of the assets
 * @returns {GuidePage[]}
 */
export function readGuide(urls) {
  const first = readFileSync(join(guideFolder, 'README.md'), 'utf8');
  const named = [...first.matchAll(/^\| \[[^\]]+\]\(([\w-]+)\.md\)/gm)].map(([, name = '']) => name);
  return ['README', ...named].map((name) => {
    const { html, headings } = renderMarkdown(join(guideFolder, `${name}.md`), urls);
    return { name, title: headings[0]?.text ?? name, html, headings };
  });
}

/**
 * @param {Record<string, string>} urls of the assets
 * @param {readonly GuidePage[]} guide
 * @param {GuidePage} current
 */
export function guidePage(urls, guide, current) {
  const contents = guide.flatMap((each) => [
    `<li><a href="${guideUrl(each.name)}"${each === current ? ' aria-current="page"' : ''}>${each.title}</a></li>`,
    ...(each === current ? headingLinks(current.headings) : []),
  ]);
  const title = current.name === 'README' ? 'Platen guide' : `${current.title} · Platen guide`;
  const body = textBody(contents, current.html);
  return page({ title, current: guideUrl('README'), urls, head: textHead(urls), body });
}

/** @param {Record<string, string>} urls of the assets */
export function changelogPage(urls) {
  const { html, headings } = renderMarkdown(changelog, urls);
  const body = textBody(headingLinks(headings), html);
  return page({ title: 'Platen changelog', current: changelogUrl, urls, head: textHead(urls), body });
}

/** @param {Record<string, string>} urls of the assets */
function textHead(urls) {
  return `<link rel="stylesheet" href="${urls['docs.css']}">`;
}

/** @param {ReturnType<typeof renderMarkdown>['headings']} headings */
function headingLinks(headings) {
  return headings
    .filter(({ level }) => level === 2 || level === 3)
    .map(({ level, id, text }) => `<li class="level-${level}"><a href="#${id}">${text}</a></li>`);
}

/**
 * @param {readonly string[]} contents items of a list
 * @param {string} html
 */
function textBody(contents, html) {
  return `<div class="guide">
<nav class="contents" aria-label="Contents"><ul>
${contents.join('\n')}
</ul></nav>
<main>
${html}
</main>
</div>`;
}
