/**
 * Empty paragraphs with a spacing of less than one line (`w:line`, ISO/IEC 29500-1, 17.3.1.33). In Word they are as high as that
 * share of a line. LibreOffice lowers lines of text only. So their mark gets a smaller font, with a spacing of one line.
 */
import { type Edit, withEdits } from '../document/edits.ts';
import { qualified, visitMarkup, wordPrefixOf } from '../document/markup.ts';
import { childrenOf, ParagraphProperties } from '../document/paragraph-properties.ts';
import { Remembered } from '../document/remembered.ts';
import { localName, tagsIn } from '../document/tags.ts';
import type { Bytes } from '../text/bytes.ts';
import { LINE, type LineProperties, type ParagraphStyles, readLineProperty } from './layout-styles.ts';

/** Word's font size, in half points, where no style names one. */
const DEFAULT_SIZE = 20;
/** A spacing that may be less than one line. */
const LOW = /line=["'](?:\d\d?|1\d\d|2[0-3]\d)["']/;
/** What may stand in an empty paragraph beside its properties. */
const invisible = ['p', 'pPr', 'bookmarkStart', 'bookmarkEnd', 'proofErr'];

/** The part with low empty paragraphs, in linear time. */
export function withLowLines(xml: Bytes, styles: ParagraphStyles): Bytes {
  if (!styles.styles.hasLowLines && !LOW.test(xml)) return xml;
  const prefix = wordPrefixOf(xml);
  const names = qualified(prefix, invisible);
  const edits: Edit[] = [];
  const known = new Remembered<string>();
  let properties: { readonly start: number; end: number } | undefined;
  let isInside = false;
  let isEmptySoFar = false;
  visitMarkup(xml, {
    open(name, _attributes, isEmpty, start, end) {
      const local = names.get(name);
      if (isInside) return;
      if (local === 'p') {
        isEmptySoFar = !isEmpty;
        properties = undefined;
      } else if (local === 'pPr' && !isEmpty) {
        isInside = true;
        properties = { start, end };
      } else if (local === undefined) isEmptySoFar = false;
    },
    close(name, _start, end) {
      const local = names.get(name);
      if (local === 'pPr') {
        isInside = false;
        if (properties) properties.end = end;
      } else if (local === 'p') {
        // Without properties of its own it has those of the usual style.
        if (isEmptySoFar && properties) {
          const { start, end } = properties;
          const written = xml.slice(start, end);
          const text = known.of(written, () => lowered(written, prefix, styles) ?? written);
          if (text !== written) edits.push({ start, end, text });
        }
        isEmptySoFar = false;
      }
    },
  });
  return withEdits(xml, edits);
}

/** The properties of a low empty paragraph with a font that is as high; undefined for another. */
function lowered(
  text: string,
  prefix: string,
  { styles, paragraphStyle }: ParagraphStyles,
): string | undefined {
  if (!text.startsWith(`<${prefix}pPr>`)) return undefined;
  const properties = new ParagraphProperties(
    text.slice(text.indexOf('>') + 1, text.lastIndexOf('<')),
    prefix,
  );
  const style = paragraphStyle(properties.value('pStyle') ?? '');
  const own = propertiesIn(properties.get('spacing') ?? '', prefix);
  const line = own.line ?? styles.get(style, 'line') ?? LINE;
  const rule = own.lineRule ?? styles.get(style, 'lineRule') ?? 'auto';
  if (rule !== 'auto' || line <= 0 || line >= LINE || properties.has('numPr')) return undefined;
  const written = properties.get('rPr') ?? '';
  const mark = childrenOf(
    written.slice(written.indexOf('>') + 1, Math.max(0, written.lastIndexOf('<'))),
    prefix,
  );
  const size = propertiesIn(mark.get('sz') ?? '', prefix).size ?? styles.get(style, 'size') ?? DEFAULT_SIZE;
  const lower = Math.max(1, Math.round((size * line) / LINE));
  const sizes = ['sz', 'szCs'].map((name) => `<${prefix}${name} ${prefix}val="${lower}"/>`).join('');
  const change = mark.get('rPrChange') ?? '';
  for (const name of ['sz', 'szCs', 'rPrChange']) mark.delete(name);
  properties.put('rPr', `<${prefix}rPr>${[...mark.values()].join('')}${sizes}${change}</${prefix}rPr>`);
  properties.merge('spacing', { line: String(LINE), lineRule: 'auto' });
  return properties.toString();
}

/** What `spacing` or `sz` in the text says of lines. */
function propertiesIn(text: string, prefix: string): LineProperties {
  const found = tagsIn(text, (name) => name === `${prefix}spacing` || name === `${prefix}sz`)[0];
  return found ? readLineProperty(localName(found.name), found.attributes, prefix) : {};
}
