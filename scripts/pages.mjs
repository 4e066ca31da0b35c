/**
 * The pages for a browser, as the service serves them: the reference, the guide and the changelog for integrators, the
 * page to try the service, and the operator's dashboard.
 *
 * The reference is Swagger UI 5.35: in a browser it works under a policy without 'unsafe-inline' for scripts and for
 * styles, uploads a file from the page and needs no particular Node. Scalar 1.46.4, which npm takes for Node 20, did
 * not: its styles are inline; it is also twice as large compressed (989 kB to 458 kB) and names hosts of its own, such
 * as a proxy, that would have to be switched off. The current Scalar and Redoc ask for Node 22 and were not tried.
 * Swagger UI's weak point, a search by tag and path only, is what src/pages/reference.js replaces; that hook is not
 * under semantic versioning, hence the "~" in package.json.
 */
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, extname, join, relative } from 'node:path';
import { gzipSync } from 'node:zlib';
import { buildSync } from 'esbuild';
import { Marked } from 'marked';
import { getHeadingList, gfmHeadingId } from 'marked-gfm-heading-id';
import { root } from './run.mjs';

const require = createRequire(import.meta.url);
const swaggerUi = dirname(require.resolve('swagger-ui-dist/package.json'));
const uPlot = dirname(require.resolve('uplot/package.json'));
const preact = dirname(require.resolve('preact/package.json'));
const own = join(root, 'src/pages');

const assets = [
  join(swaggerUi, 'swagger-ui.css'),
  join(swaggerUi, 'swagger-ui-bundle.js'),
  join(own, 'base.css'),
  join(own, 'docs.css'),
  join(own, 'reference.css'),
  join(own, 'theme.js'),
  join(own, 'reference.js'),
  join(own, 'try-it/try-it.css'),
  join(uPlot, 'dist/uPlot.min.css'),
  join(own, 'dashboard/dashboard.css'),
  join(own, 'favicon.svg'),
];

/** Modules in TypeScript, each of which becomes one asset with all that it imports. */
const scripts = [join(own, 'try-it/try-it.ts'), join(own, 'dashboard/dashboard.tsx')];

/** Licences that want to go with the files, by the names that they get. */
const licences = {
  LICENSE: join(swaggerUi, 'LICENSE'),
  NOTICE: join(swaggerUi, 'NOTICE'),
  'swagger-ui-bundle.js.LICENSE.txt': join(swaggerUi, 'swagger-ui-bundle.js.LICENSE.txt'),
  'uplot.LICENSE': join(uPlot, 'LICENSE'),
  'preact.LICENSE': join(preact, 'LICENSE'),
};

/** The folder of the guide's pages. */
const guideFolder = join(root, 'docs/guide');

const changelog = join(root, 'CHANGELOG.md');
const changelogUrl = '/v1/docs/changelog';

/** What pages are made of: the guide, whose first page is README.md, and the changelog. */
export const textSources = [...readdirSync(guideFolder).map((name) => join(guideFolder, name)), changelog];

/**
 * Writes a folder `assets`, whose names change with their content; `docs`, with `reference.html`, `changelog.html`,
 * `guide.html` and a `guide-NAME.html` for each of its other pages; and `try-it.html` and `dashboard.html`, whose
 * placeholders the service fills in.
 * Each file is there a second time, compressed, with `.gz` behind its name.
 *
 * @param {string} folder
 */
export function buildPages(folder) {
  const urls = buildAssets(join(folder, 'assets'));
  const licencesFolder = join(folder, 'licences');
  mkdirSync(licencesFolder);
  for (const [name, source] of Object.entries(licences)) {
    writeFileSync(join(licencesFolder, name), readFileSync(source));
  }
  const docs = join(folder, 'docs');
  mkdirSync(docs);
  write(join(docs, 'reference.html'), Buffer.from(referencePage(urls)));
  const guide = readGuide();
  for (const current of guide) {
    const name = current.name === 'README' ? 'guide.html' : `guide-${current.name}.html`;
    write(join(docs, name), Buffer.from(guidePage(urls, guide, current)));
  }
  write(join(docs, 'changelog.html'), Buffer.from(changelogPage(urls)));
  write(join(folder, 'try-it.html'), Buffer.from(tryItPage(urls)));
  write(join(folder, 'dashboard.html'), Buffer.from(dashboardPage(urls)));
}

/**
 * @param {string} folder
 * @returns {Record<string, string>} the address of each asset by its name
 */
function buildAssets(folder) {
  mkdirSync(folder, { recursive: true });
  /** @type {(readonly [string, Buffer])[]} */
  const contents = [
    ...assets.map((path) => /** @type {const} */ ([basename(path), readFileSync(path)])),
    ...scripts.map(
      (path) => /** @type {const} */ ([`${basename(path, extname(path))}.js`, bundleScript(path)]),
    ),
  ];
  return Object.fromEntries(
    contents.map(([name, content]) => {
      const extension = extname(name);
      const digest = createHash('sha256').update(content).digest('hex').slice(0, 12);
      const file = `${basename(name, extension)}.${digest}${extension}`;
      write(join(folder, file), content);
      return [name, `/assets/${file}`];
    }),
  );
}

/** @param {string} path of a module */
function bundleScript(path) {
  const { outputFiles } = buildSync({
    entryPoints: [path],
    bundle: true,
    minify: true,
    format: 'iife',
    target: 'es2022',
    write: false,
    logLevel: 'warning',
  });
  const [script] = outputFiles;
  if (!script) throw new Error(`nothing was made of ${path}`);
  return Buffer.from(script.contents);
}

/**
 * @param {string} path
 * @param {Buffer} content
 */
function write(path, content) {
  writeFileSync(path, content);
  writeFileSync(`${path}.gz`, gzipSync(content, { level: 9 }));
}

/** @param {Record<string, string>} urls of the assets */
function referencePage(urls) {
  const head = `<link rel="stylesheet" href="${urls['swagger-ui.css']}">
<link rel="stylesheet" href="${urls['reference.css']}">
<link rel="stylesheet" href="${urls['docs.css']}">
<script src="${urls['theme.js']}"></script>
<script src="${urls['swagger-ui-bundle.js']}" defer></script>
<script src="${urls['reference.js']}" defer></script>`;
  const body = `<section class="lead" aria-label="Introduction">
<h1>API reference</h1>
<p>From here to a PDF:</p>
<ol>
<li>Press <em>Authorize</em> and paste your key. It stays in this page and is gone when you close it.</li>
<li>Open <a href="#/conversion/convertDocument"><code>POST /v1/convert</code></a>, choose a DOCX as <code>file</code>, press <em>Execute</em>.</li>
<li>Press <em>Download file</em>.</li>
</ol>
<p>No key yet? <a href="#/conversion/convertDocumentPublic"><code>POST /v1/public/convert</code></a> takes smaller files without one.
The <a href="/v1/docs/guide">guide</a> has examples to copy, retries, and what to do about each error.</p>
</section>
<main id="reference"></main>
<noscript><p class="lead">The reference needs JavaScript. The guide and the
<a href="/v1/openapi.json">OpenAPI document</a> do not.</p></noscript>`;
  return page({ title: 'Platen API reference', current: '/v1/docs', urls, head, body });
}

/** @param {Record<string, string>} urls of the assets */
function tryItPage(urls) {
  const head = `<meta name="description" content="Drop a Word document and see its PDF.">
<link rel="stylesheet" href="${urls['try-it.css']}">
<script src="${urls['try-it.js']}" defer></script>`;
  const body = readFileSync(join(own, 'try-it/try-it.html'), 'utf8').trimEnd();
  return page({ title: 'Platen: Word to PDF', current: '/', urls, head, body });
}

/** @param {Record<string, string>} urls of the assets */
function dashboardPage(urls) {
  const head = `<meta name="robots" content="noindex">
<link rel="stylesheet" href="${urls['uPlot.min.css']}">
<link rel="stylesheet" href="${urls['dashboard.css']}">
<script src="${urls['dashboard.js']}" defer></script>`;
  const body = `<div id="dashboard" data-cookie="{{cookie}}"></div>
<noscript><main><p>The dashboard needs JavaScript. The commands of <code>platen</code> do not.</p></main></noscript>`;
  return document({ title: 'Platen', urls, head, body });
}

/**
 * @typedef {object} GuidePage
 * @property {string} name of its source, without the extension
 * @property {string} title
 * @property {string} html
 * @property {ReturnType<typeof getHeadingList>} headings
 */

/**
 * The pages of the guide, in the order in which the first one names them.
 *
 * @returns {GuidePage[]}
 */
function readGuide() {
  const first = readFileSync(join(guideFolder, 'README.md'), 'utf8');
  const named = [...first.matchAll(/^\| \[[^\]]+\]\(([\w-]+)\.md\)/gm)].map(([, name = '']) => name);
  return ['README', ...named].map((name) => {
    const { html, headings } = renderMarkdown(join(guideFolder, `${name}.md`));
    return { name, title: headings[0]?.text ?? name, html, headings };
  });
}

/** @param {string} name of a source, without the extension */
function guideUrl(name) {
  return name === 'README' ? '/v1/docs/guide' : `/v1/docs/guide/${name}`;
}

/**
 * @param {Record<string, string>} urls of the assets
 * @param {readonly GuidePage[]} guide
 * @param {GuidePage} current
 */
function guidePage(urls, guide, current) {
  const contents = guide.flatMap((each) => [
    `<li><a href="${guideUrl(each.name)}"${each === current ? ' aria-current="page"' : ''}>${each.title}</a></li>`,
    ...(each === current ? headingLinks(current.headings) : []),
  ]);
  const title = current.name === 'README' ? 'Platen guide' : `${current.title} · Platen guide`;
  const body = textBody(contents, current.html);
  return page({ title, current: '/v1/docs/guide', urls, head: textHead(urls), body });
}

/** @param {Record<string, string>} urls of the assets */
function changelogPage(urls) {
  const { html, headings } = renderMarkdown(changelog);
  const body = textBody(headingLinks(headings), html);
  return page({ title: 'Platen changelog', current: changelogUrl, urls, head: textHead(urls), body });
}

/** @param {Record<string, string>} urls of the assets */
function textHead(urls) {
  return `<link rel="stylesheet" href="${urls['docs.css']}">`;
}

/** @param {ReturnType<typeof getHeadingList>} headings */
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

/**
 * GitHub's Markdown, with its heading ids. A link to a file that is served becomes its address. One to another file of
 * the repository becomes its text, which has to name the file.
 *
 * @param {string} source
 */
function renderMarkdown(source) {
  const marked = new Marked(gfmHeadingId(), {
    renderer: {
      table(token) {
        const cells = (/** @type {typeof token.header} */ row, /** @type {string} */ tag) =>
          `<tr>${row.map(({ tokens }) => `<${tag}>${this.parser.parseInline(tokens)}</${tag}>`).join('')}</tr>`;
        const rows = token.rows.map((row) => cells(row, 'td')).join('\n');
        return `<div class="table"><table><thead>${cells(token.header, 'th')}</thead><tbody>\n${rows}\n</tbody></table></div>\n`;
      },
      link({ href, tokens }) {
        if (/^(https?:|mailto:|#|\/)/.test(href)) return false;
        const text = this.parser.parseInline(tokens);
        const [path = '', anchor] = href.split('#');
        const file = join(dirname(source), path);
        const url = servedUrl(file);
        if (url !== undefined)
          return `<a href="${url}${anchor === undefined ? '' : `#${anchor}`}">${text}</a>`;
        const name = relative(root, file);
        if (!text.includes(name))
          throw new Error(`${source}: ${name} is not served; say "${name}" in the link`);
        return text;
      },
    },
  });
  const html = marked.parse(readFileSync(source, 'utf8'), { async: false });
  return { html, headings: getHeadingList() };
}

/** @param {string} file of the repository */
function servedUrl(file) {
  if (file === changelog) return changelogUrl;
  return dirname(file) === guideFolder ? guideUrl(basename(file, '.md')) : undefined;
}

/**
 * A page for everybody, with the way to the others.
 *
 * @param {{ title: string, current: string, urls: Record<string, string>, head: string, body: string }} content
 */
function page({ title, current, urls, head, body }) {
  const links = [
    ['/', 'Try it'],
    ['/v1/docs', 'Reference'],
    ['/v1/docs/guide', 'Guide'],
    [changelogUrl, 'Changelog'],
    ['/v1/openapi.json', 'OpenAPI'],
  ].map(([href, text]) => `<a href="${href}"${href === current ? ' aria-current="page"' : ''}>${text}</a>`);
  const header = `<header class="bar">
<a class="home" href="/"><img src="${urls['favicon.svg']}" alt="" width="24" height="24">Platen</a>
<nav aria-label="Pages">${links.join('\n')}</nav>
</header>`;
  return document({ title, urls, head, body: `${header}\n${body}` });
}

/** @param {{ title: string, urls: Record<string, string>, head: string, body: string }} content */
function document({ title, urls, head, body }) {
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
