/** The frame of all pages. */
import { changelogUrl, guideUrl } from './text-sources.mjs';

/**
 * A public page, with navigation.
 *
 * @param {{ title: string, current: string, urls: Record<string, string>, head: string, body: string }} content `body` has an element `content`
 */
export function page({ title, current, urls, head, body }) {
  const links = [
    ['/', 'Try it'],
    ['/v1/docs', 'Reference'],
    [guideUrl('README'), 'Guide'],
    [changelogUrl, 'Changelog'],
    ['/v1/openapi.json', 'OpenAPI'],
  ].map(([href, text]) => `<a href="${href}"${href === current ? ' aria-current="page"' : ''}>${text}</a>`);
  const header = `<a class="skip" href="#content">Skip to the content</a>
<header class="bar">
<a class="home" href="/"><img src="${urls['favicon.svg']}" alt="" width="24" height="24">Platen</a>
<nav aria-label="Pages">${links.join('\n')}</nav>
<a class="button small" href="/console">Sign in</a>
</header>`;
  return document({ title, urls, head, body: `${header}\n${body}` });
}

/** @param {{ title: string, urls: Record<string, string>, head: string, body: string }} content */
export function document({ title, urls, head, body }) {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<link rel="icon" href="${urls['favicon.svg']}" type="image/svg+xml">
<link rel="stylesheet" href="${urls['base.css']}">
${head}
</head>
<body>
${body}
</body>
</html>
`;
}
