/**
 * Paragraph styles that rules add to a document: each is like another one, but its text has another size. Whoever reads the document
 * afterwards takes such a style for the one it is like.
 */
import { type Bytes, toBytes } from '../text/bytes.ts';
import { withEdits } from './edits.ts';
import { wordPrefixOf } from './markup.ts';

/** In ASCII, so that ids of any letters can be written in any part. */
const ID = /^platen-(\d{1,5})-([0-9a-f]*)$/;

/** Most bytes of an id that a sized one is made of: Word's own have some twenty. */
const MOST_BYTES = 200;

/** The id of the style that is like another one, or like the defaults where its id is empty; undefined where it would be too long. @param size of its text, in half points. */
export function sizedStyle(style: string, size: number): string | undefined {
  const bytes = Buffer.from(style);
  return bytes.length > MOST_BYTES ? undefined : `platen-${size}-${bytes.toString('hex')}`;
}

/** The id of the style that this one is like, which may be itself. */
export function unsizedStyle(id: string): string {
  const [, , style] = ID.exec(id) ?? [];
  return style === undefined ? id : Buffer.from(style, 'hex').toString();
}

/** The part with these styles behind its own. */
export function withSizedStyles(xml: Bytes, ids: ReadonlySet<string>): Bytes {
  const w = wordPrefixOf(xml);
  const start = xml.lastIndexOf(`</${w}styles`);
  if (ids.size === 0 || start < 0) return xml;
  const text = [...ids].map((id) => {
    const [, size = ''] = ID.exec(id) ?? [];
    const style = toBytes(unsizedStyle(id)).replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);
    const base = style && `<${w}basedOn ${w}val="${style}"/>`;
    const sizes = ['sz', 'szCs'].map((name) => `<${w}${name} ${w}val="${size}"/>`).join('');
    return (
      `<${w}style ${w}type="paragraph" ${w}customStyle="1" ${w}styleId="${id}"><${w}name ${w}val="${id}"/>` +
      `${base}<${w}rPr>${sizes}</${w}rPr></${w}style>`
    );
  });
  return withEdits(xml, [{ start, end: start, text: text.join('') }]);
}
