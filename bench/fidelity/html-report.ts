/** The results of the fidelity benchmark as a page: the worst document first, its pages beside Word's. */
import {
  escapeHtml,
  figuresHtml,
  htmlPage,
  listHtml,
  pageHtml,
  tableHtml,
} from '../../src/cli/compare/html.ts';
import { causesOf } from './causes.ts';
import type { PageLikeness } from './pages.ts';
import { type DocumentResult, type FidelityResults, meanOf, missingGlyphCount, percent } from './results.ts';

/**
 * The page as HTML, with its style. It needs only the pictures in `documents/NAME/` next to it, which a browser loads
 * when they become visible.
 */
export function htmlReport(results: FidelityResults): Promise<string> {
  const documents = [...results.documents].sort((one, other) => score(one) - score(other));
  return htmlPage(
    `Fidelity: LibreOffice ${results.libreOffice}`,
    `<header>
<h1>Our PDF against Word's</h1>
<div class="quiet">LibreOffice ${escapeHtml(results.libreOffice)} · ${escapeHtml(results.at)} · worst first ·
<a href="thumbnails.html">at a glance</a> · in the differences, <span class="only-one">only Word's</span> and <span class="only-other">only ours</span></div>
</header>
${overallFigures(results)}
${listHtml(
  'Not measured',
  'bad',
  results.failures.map(({ name, error }) => [name, error]),
)}
${listHtml(
  'Left out',
  '',
  results.leftOut.map(({ name, reason }) => [name, reason]),
)}
${table(documents)}
${documents.map(section).join('\n')}`,
  );
}

/**
 * A page with the one of each document whose letters are least alike, ours beside Word's, the worst first: to be looked through
 * in a minute. It needs the pictures as {@link htmlReport} does.
 */
export function thumbnailsPage({ libreOffice, documents }: FidelityResults): Promise<string> {
  const worst = documents
    .flatMap(({ name, likeness }) => {
      const [page] = likeness.filter(({ words }) => words > 0).sort((a, b) => a.letters - b.letters);
      return page ? [{ name, page }] : [];
    })
    .sort((one, other) => one.page.letters - other.page.letters);
  return htmlPage(
    `Fidelity at a glance: LibreOffice ${libreOffice}`,
    `<h1>Word's page, and ours</h1>
<div class="quiet">the page of each document whose letters are least alike, worst first</div>
<div class="thumbnails">${worst.map(({ name, page }) => thumbnail(name, page)).join('\n')}</div>`,
  );
}

function thumbnail(name: string, { page, letters, width, height }: PageLikeness): string {
  const pictures = ['word', 'ours'].map(
    (kind) =>
      `<img loading="lazy" width="${width}" height="${height}" src="${path(name, `${page}-${kind}.png`)}" alt="${kind}">`,
  );
  return `<figure><a href="index.html#${anchor(name)}">${pictures.join('')}</a>
<figcaption>${escapeHtml(name)}, page ${page}: ${percent(letters)}</figcaption></figure>`;
}

/** The sort key of documents; smaller is worse. */
function score({ flow, place, similarity, letters }: DocumentResult): number {
  return meanOf([flow, place, similarity, letters]);
}

function overallFigures({ overall }: FidelityResults): string {
  return figuresHtml([
    ['documents', String(overall.documents)],
    ['pages', percent(overall.pages)],
    ['flow', percent(overall.flow)],
    ['place', percent(overall.place)],
    ['likeness', percent(overall.similarity)],
    ['letters', percent(overall.letters)],
    ['no glyph', String(overall.missingGlyphs)],
  ]);
}

function table(documents: readonly DocumentResult[]): string {
  const rows = documents.map((document) => [
    `<a href="#${anchor(document.name)}">${escapeHtml(document.name)}</a>`,
    pageCount(document),
    ...[document.flow, document.place, document.similarity, document.letters].map(bar),
    missingCount(document),
  ]);
  return tableHtml(['document', 'pages', 'flow', 'place', 'likeness', 'letters', 'no glyph'], rows);
}

function section(document: DocumentResult): string {
  const { name, flow, place, similarity, letters, fonts, missingGlyphs } = document;
  const names = (list: readonly { name: string }[]) =>
    escapeHtml(list.map((font) => font.name).join(', ') || 'none');
  const lists = [
    ['The DOCX wants', names(fonts.wanted)],
    ["Word's PDF has", names(fonts.word)],
    ['Ours has', names(fonts.ours)],
    ...causesOf(document).map(([about, text]) => [about, escapeHtml(text)]),
    ...missingGlyphs.map(({ font, count, characters }) => [
      'No glyph',
      `<span class="bad">${count} in ${escapeHtml(font)}, such as ${escapeHtml(characters)}</span>`,
    ]),
  ];
  return `<section id="${anchor(name)}">
<h2>${escapeHtml(name)}</h2>
<div>pages ${pageCount(document)} · flow ${percent(flow)} · place ${percent(place)} · likeness ${percent(similarity)} ·
letters ${percent(letters)} · <a href="${path(name, 'word.pdf')}">Word's PDF</a> · <a href="${path(name, 'ours.pdf')}">ours</a></div>
<dl class="fonts">${lists.map(([term, value]) => `<dt>${term}</dt><dd>${value}</dd>`).join('')}</dl>
${document.likeness.map((page) => pictures(name, page)).join('\n')}
</section>`;
}

function pictures(name: string, { page, similarity, letters, width, height }: PageLikeness): string {
  const heading = `Page ${page} <span class="quiet">likeness ${percent(similarity)}, letters ${percent(letters)}</span>`;
  const figure = (kind: string, caption: string) => ({ caption, src: path(name, `${page}-${kind}.png`) });
  const figures = [figure('word', 'Word'), figure('ours', 'Ours'), figure('difference', 'Difference')];
  return pageHtml({ heading, page, width, height, pictures: figures });
}

function pageCount({ pages: { word, ours, same } }: DocumentResult): string {
  return same ? String(ours) : `<span class="bad">${ours} of ${word}</span>`;
}

function missingCount(document: DocumentResult): string {
  const count = missingGlyphCount(document);
  return count === 0 ? '0' : `<span class="bad">${count}</span>`;
}

function bar(share: number): string {
  return `${percent(share)} <meter value="${share.toFixed(4)}"></meter>`;
}

function path(name: string, file: string): string {
  return `documents/${encodeURIComponent(name)}/${file}`;
}

function anchor(name: string): string {
  return `document-${encodeURIComponent(name)}`;
}
