/** What HTML reports about PDFs are made of. They open from a disk, without scripts and without a network. */
import { readFile } from 'node:fs/promises';
import { reportStyle } from '../../paths.ts';

/** Pictures of one page, side by side. */
interface PageFigures {
  /** What stands above them, as HTML. */
  readonly heading: string;
  /** From 1. */
  readonly page: number;
  /** Size of each, in pixels. */
  readonly width: number;
  readonly height: number;
  /** Captions, as text, and addresses. */
  readonly pictures: readonly { readonly caption: string; readonly src: string }[];
}

/** A page of HTML with its style. @param body as HTML. */
export async function htmlPage(title: string, body: string): Promise<string> {
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; img-src 'self' file:; style-src 'unsafe-inline'">
<title>${escapeHtml(title)}</title>
<style>${await readFile(reportStyle, 'utf8')}</style>
${body}
</html>
`;
}

/** Tiles with a figure each. */
export function figuresHtml(figures: readonly (readonly [name: string, value: string])[]): string {
  const items = figures.map(
    ([name, value]) => `<div><dt>${escapeHtml(name)}</dt><dd>${escapeHtml(value)}</dd></div>`,
  );
  return `<dl class="figures">${items.join('')}</dl>`;
}

/** A list under a heading; nothing if it is empty. @param style a class of the heading, or none. */
export function listHtml(
  title: string,
  style: string,
  pairs: readonly (readonly [name: string, text: string])[],
): string {
  if (pairs.length === 0) return '';
  const items = pairs.map(
    ([name, text]) => `<li><strong>${escapeHtml(name)}</strong>: ${escapeHtml(text)}</li>`,
  );
  return `<h2 class="${style}">${escapeHtml(title)}</h2><ul>${items.join('')}</ul>`;
}

/** @param cells as HTML, with the row's head first. */
export function tableHtml(heads: readonly string[], rows: readonly (readonly string[])[]): string {
  const lines = rows.map(
    ([head, ...cells]) =>
      `<tr><th scope="row">${head}</th>${cells.map((cell) => `<td>${cell}</td>`).join('')}</tr>`,
  );
  return `<div class="documents"><table><thead><tr>${heads.map((head) => `<th scope="col">${escapeHtml(head)}</th>`).join('')}</tr></thead>
<tbody>${lines.join('\n')}</tbody></table></div>`;
}

export function pageHtml({ heading, page, width, height, pictures }: PageFigures): string {
  const figures = pictures.map(({ caption, src }) => {
    const alt = escapeHtml(`Page ${page}: ${caption}`);
    return `<figure><img loading="lazy" width="${width}" height="${height}" src="${escapeHtml(src)}" alt="${alt}"><figcaption>${escapeHtml(caption)}</figcaption></figure>`;
  });
  return `<div class="page"><h3>${heading}</h3>\n<div class="pictures">${figures.join('')}</div></div>`;
}

export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
