/** The guide for integrators, and the changelog. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { page } from './document.mjs';
import { renderMarkdown } from './markdown.mjs';
import {
  brunoUrl,
  changelog,
  changelogUrl,
  feedUrl,
  guideFolder,
  guideUrl,
  markdownUrl,
  readText,
} from './text-sources.mjs';

/**
 * @typedef {object} GuidePage
 * @property {string} name of its source, without the extension
 * @property {string} title
 * @property {string} html
 * @property {string} markdown
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
    const source = join(guideFolder, `${name}.md`);
    const { html, headings } = renderMarkdown(source, urls);
    return { name, title: headings[0]?.text ?? name, html, markdown: readText(source), headings };
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
  const head = `${textHead(urls, markdownUrl(guideUrl(current.name)))}
<script src="${urls['guide.js']}" defer></script>`;
  return page({ title, current: guideUrl('README'), urls, head, body });
}

/**
 * What its search reads: the sections of all pages, without their markup.
 *
 * @param {readonly GuidePage[]} guide
 */
export function guideIndex(guide) {
  return guide.flatMap(({ name, title, html }) =>
    html.split(/(?=<h[23] id=")/).map((section) => {
      const [, id, heading = ''] = /^<h[23] id="([^"]+)">(.*?)<\/h[23]>/s.exec(section) ?? [];
      const url = id === undefined ? guideUrl(name) : `${guideUrl(name)}#${id}`;
      return { page: title, title: id === undefined ? title : plain(heading), url, text: plain(section) };
    }),
  );
}

/** @param {string} html */
function plain(html) {
  return html
    .replaceAll(/<[^>]+>/g, ' ')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&')
    .replaceAll(/\s+/g, ' ')
    .trim();
}

/** @param {Record<string, string>} urls of the assets */
export function changelogPage(urls) {
  const { html, headings } = renderMarkdown(changelog, urls);
  const body = textBody(headingLinks(headings), html);
  const head = `${textHead(urls, markdownUrl(changelogUrl))}
<link rel="alternate" type="application/atom+xml" href="${feedUrl}">`;
  return page({ title: 'Platen changelog', current: changelogUrl, urls, head, body });
}

/**
 * What a language model reads first: https://llmstxt.org.
 *
 * @param {readonly GuidePage[]} guide
 */
export function llmsText(guide) {
  const first = readFileSync(join(guideFolder, 'README.md'), 'utf8');
  const about = new Map(
    [...first.matchAll(/^\| \[[^\]]+\]\(([\w-]+)\.md\) \| (.+) \|$/gm)].map(([, name, text]) => [name, text]),
  );
  const pages = guide.map(({ name, title }) => {
    const text = about.get(name);
    return `- [${title}](${markdownUrl(guideUrl(name))})${text === undefined ? '' : `: ${text}`}`;
  });
  return `# Platen

> Converts Word documents (DOCX) to PDF over HTTP: post a document with an API key, and the PDF is the response.

The OpenAPI document, /v1/openapi.json, has every operation, option, header and error. \`GET /v1\` says what this server allows.
/sample.docx is a document to try it with, ${brunoUrl} a collection for Bruno, and ${feedUrl} a feed of releases.

## Guide

${pages.join('\n')}

## Optional

- [Changelog](${markdownUrl(changelogUrl)}): what changed, by version
`;
}

/**
 * @param {Record<string, string>} urls of the assets
 * @param {string} markdown where the same is for programs
 */
function textHead(urls, markdown) {
  return `<link rel="stylesheet" href="${urls['docs.css']}">
<link rel="alternate" type="text/markdown" href="${markdown}">`;
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
<main id="content">
${html}
</main>
</div>`;
}
