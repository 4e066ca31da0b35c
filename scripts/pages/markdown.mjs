/** Converts Markdown to HTML. */
import { basename, dirname, join, relative } from 'node:path';
import { Marked } from 'marked';
import { getHeadingList, gfmHeadingId } from 'marked-gfm-heading-id';
import { root } from '../run.mjs';
import { imageFolder, readText, servedUrl } from './text-sources.mjs';

/**
 * GitHub's Markdown, with heading ids. A link to a served file becomes its URL; a link to another file of the repository
 * becomes plain text, which must name the file.
 *
 * @param {string} source
 * @param {Record<string, string>} urls of the assets
 */
export function renderMarkdown(source, urls) {
  const marked = new Marked(gfmHeadingId(), {
    renderer: {
      table(token) {
        const cells = (/** @type {typeof token.header} */ row, /** @type {string} */ tag) =>
          `<tr>${row.map(({ tokens }) => `<${tag}>${this.parser.parseInline(tokens)}</${tag}>`).join('')}</tr>`;
        const rows = token.rows.map((row) => cells(row, 'td')).join('\n');
        return `<div class="wide"><table><thead>${cells(token.header, 'th')}</thead><tbody>\n${rows}\n</tbody></table></div>\n`;
      },
      image({ href, text }) {
        const url = dirname(join(dirname(source), href)) === imageFolder ? urls[basename(href)] : undefined;
        if (url === undefined) throw new Error(`${source}: ${href} is not in ${imageFolder}`);
        return `<img src="${url}" alt="${text}" loading="lazy">`;
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
  // What may be wider than the page scrolls, also by the keyboard.
  const html = marked
    .parse(readText(source), { async: false })
    .replaceAll(/<pre>|<div class="wide">/g, (tag) => tag.replace('>', ' tabindex="0">'));
  return { html, headings: getHeadingList() };
}
