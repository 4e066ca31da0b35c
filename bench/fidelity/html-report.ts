/** The results of the fidelity benchmark as a page: the worst document first, its pages beside Word's. */
import { readFile } from 'node:fs/promises';
import { causesOf } from './causes.ts';
import type { PageLikeness } from './pages.ts';
import { type DocumentResult, type FidelityResults, meanOf, missingGlyphCount, percent } from './results.ts';

/**
 * The page as HTML, with its style. It needs only the pictures in `documents/NAME/` next to it, which a browser loads
 * when they become visible.
 */
export async function htmlReport(results: FidelityResults): Promise<string> {
  const style = await readFile(new URL('report.css', import.meta.url), 'utf8');
  const documents = [...results.documents].sort((one, other) => score(one) - score(other));
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; img-src 'self' file:; style-src 'unsafe-inline'">
<title>Fidelity: LibreOffice ${escapeHtml(results.libreOffice)}</title>
<style>${style}</style>
<header>
<h1>Our PDF against Word's</h1>
<div class="quiet">LibreOffice ${escapeHtml(results.libreOffice)} · ${escapeHtml(results.at)} · worst first ·
in the differences, <span class="only-word">only Word's</span> and <span class="only-ours">only ours</span></div>
</header>
${overallFigures(results)}
${list(
  'Not measured',
  'bad',
  results.failures.map(({ name, error }) => [name, error]),
)}
${list(
  'Left out',
  '',
  results.leftOut.map(({ name, reason }) => [name, reason]),
)}
${table(documents)}
${documents.map(section).join('\n')}
</html>
`;
}

/** The sort key of documents; smaller is worse. */
function score({ flow, place, similarity }: DocumentResult): number {
  return meanOf([flow, place, similarity]);
}

function overallFigures({ overall }: FidelityResults): string {
  const figures: [string, string][] = [
    ['documents', String(overall.documents)],
    ['pages', percent(overall.pages)],
    ['flow', percent(overall.flow)],
    ['place', percent(overall.place)],
    ['likeness', percent(overall.similarity)],
    ['no glyph', String(overall.missingGlyphs)],
  ];
  const items = figures.map(([name, value]) => `<div><dt>${name}</dt><dd>${value}</dd></div>`);
  return `<dl class="figures">${items.join('')}</dl>`;
}

function list(title: string, style: string, pairs: readonly (readonly [string, string])[]): string {
  if (pairs.length === 0) return '';
  const items = pairs.map(
    ([name, reason]) => `<li><strong>${escapeHtml(name)}</strong>: ${escapeHtml(reason)}</li>`,
  );
  return `<h2 class="${style}">${title}</h2><ul>${items.join('')}</ul>`;
}

function table(documents: readonly DocumentResult[]): string {
  const rows = documents.map(
    (
      document,
    ) => `<tr><th scope="row"><a href="#${anchor(document.name)}">${escapeHtml(document.name)}</a></th>
<td>${pageCount(document)}</td><td>${bar(document.flow)}</td><td>${bar(document.place)}</td>
<td>${bar(document.similarity)}</td><td>${missingCount(document)}</td></tr>`,
  );
  const heads = ['document', 'pages', 'flow', 'place', 'likeness', 'no glyph'];
  return `<div class="documents"><table><thead><tr>${heads.map((head) => `<th scope="col">${head}</th>`).join('')}</tr></thead>
<tbody>${rows.join('\n')}</tbody></table></div>`;
}

function section(document: DocumentResult): string {
  const { name, flow, place, similarity, fonts, missingGlyphs } = document;
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
<a href="${path(name, 'word.pdf')}">Word's PDF</a> · <a href="${path(name, 'ours.pdf')}">ours</a></div>
<dl class="fonts">${lists.map(([term, value]) => `<dt>${term}</dt><dd>${value}</dd>`).join('')}</dl>
${document.likeness.map((page) => pictures(name, page)).join('\n')}
</section>`;
}

function pictures(name: string, { page, similarity, width, height }: PageLikeness): string {
  const figure = (kind: string, caption: string) =>
    `<figure><img loading="lazy" width="${width}" height="${height}" src="${path(name, `${page}-${kind}.png`)}" alt="Page ${page}: ${caption}"><figcaption>${caption}</figcaption></figure>`;
  return `<div class="page"><h3>Page ${page} <span class="quiet">likeness ${percent(similarity)}</span></h3>
<div class="pictures">${figure('word', 'Word')}${figure('ours', 'Ours')}${figure('difference', 'Difference')}</div></div>`;
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

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
