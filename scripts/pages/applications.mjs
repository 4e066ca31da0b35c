/**
 * The pages that are programs: the reference, the page to try the service, the operator's dashboard, and the
 * console of customers.
 *
 * The reference is Swagger UI 5.35: it works without 'unsafe-inline' for scripts and styles, uploads files, and needs no
 * particular Node. Scalar 1.46.4, the last for Node 20, has inline styles, is twice as large, and contacts hosts of its own.
 * Current Scalar and Redoc need Node 22. Swagger UI searches tags and paths only; src/pages/reference.js replaces that. The
 * hook is not covered by semantic versioning, hence the "~" in package.json.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { document, page } from './document.mjs';
import { own } from './files.mjs';

/** @param {Record<string, string>} urls of the assets */
export function referencePage(urls) {
  const head = `<link rel="stylesheet" href="${urls['swagger-ui.css']}">
<link rel="stylesheet" href="${urls['reference.css']}">
<link rel="stylesheet" href="${urls['docs.css']}">
<script src="${urls['theme.js']}"></script>
<script src="${urls['swagger-ui-bundle.js']}" defer></script>
<script src="${urls['reference.js']}" defer></script>`;
  const body = `<section class="lead" id="content" aria-label="Introduction">
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
export function tryItPage(urls) {
  const head = `<meta name="description" content="Drop a Word document and see its PDF.">
<link rel="stylesheet" href="${urls['try-it.css']}">
<script src="${urls['try-it.js']}" defer></script>`;
  const body = readFileSync(join(own, 'try-it/try-it.html'), 'utf8').trimEnd();
  return page({ title: 'Platen: Word to PDF', current: '/', urls, head, body });
}

/** @param {Record<string, string>} urls of the assets */
export function dashboardPage(urls) {
  const head = `<meta name="robots" content="noindex">
<link rel="stylesheet" href="${urls['uPlot.min.css']}">
<link rel="stylesheet" href="${urls['dashboard.css']}">
<script src="${urls['dashboard.js']}" defer></script>`;
  const body = `<div id="dashboard" data-cookie="{{cookie}}" data-sign-in="{{signIn}}" data-home="/dashboard" data-api="/operator/v1"></div>
<noscript><main><p>The dashboard needs JavaScript. The commands of <code>platen</code> do not.</p></main></noscript>`;
  return document({ title: 'Platen', urls, head, body });
}

/** @param {Record<string, string>} urls of the assets */
export function consolePage(urls) {
  const head = `<meta name="robots" content="noindex">
<link rel="stylesheet" href="${urls['uPlot.min.css']}">
<link rel="stylesheet" href="${urls['console.css']}">
<script src="${urls['console.js']}" defer></script>`;
  const body = `<div id="console" data-cookie="{{cookie}}" data-sign-in="{{signIn}}" data-url="{{publicUrl}}" data-home="/console" data-api="/account/v1"></div>
<noscript><main><p>The console needs JavaScript.</p></main></noscript>`;
  return document({ title: 'Platen', urls, head, body });
}
