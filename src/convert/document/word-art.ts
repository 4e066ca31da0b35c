/**
 * WordArt: the text of a shape whose letters follow a curve (`a:prstTxWarp`, ISO/IEC 29500-1, 20.1.9.19). LibreOffice draws their
 * outlines, so the PDF has them as a drawing, not as text. In groups it shows plain text.
 */
import { attributeOf, visitMarkup } from './markup.ts';
import { localName } from './tags.ts';

/** The curve that is none. */
const NONE = 'textNoShape';

const groups: ReadonlySet<string> = new Set(['wgp', 'wpc']);
const fills: ReadonlySet<string> = new Set(['solidFill', 'gradFill', 'blipFill', 'pattFill']);
const elements: ReadonlySet<string> = new Set([
  ...[...groups, ...fills, 'wsp', 'spPr', 'ln', 'noFill', 'style', 'fillRef', 'txbx', 'prstTxWarp'],
]);

export interface WordArt {
  /** The prefix of the shape's elements, with its colon. */
  readonly prefix: string;
  /** Whether the shape has a style. */
  readonly hasStyle: boolean;
  /** Whether the shape is filled. LibreOffice leaves the fill out, and letters made for it may not be seen. */
  readonly isFilled: boolean;
  /** Where the element with its text begins and ends in the part. */
  readonly start: number;
  readonly end: number;
}

/** The WordArt of a part outside groups, in document order, in linear time. */
export function wordArtIn(xml: string): WordArt[] {
  const found: WordArt[] = [];
  if (!xml.includes('prstTxWarp')) return found;
  let openGroups = 0;
  let prefix = '';
  let hasStyle = false;
  /** By its own properties; undefined where they do not say. */
  let ownFill: boolean | undefined;
  let styleFill = false;
  /** Fills of lines, and of what is no property of the shape, are others. */
  let isFill = false;
  let start: number | undefined;
  let end: number | undefined;
  visitMarkup(xml, {
    names: { has: (name) => elements.has(localName(name)) },
    open(name, attributes, isEmpty, tagStart) {
      const local = localName(name);
      if (local === 'prstTxWarp') {
        const isPlain = (attributeOf(attributes, 'prst') ?? NONE) === NONE;
        if (!isPlain && start !== undefined && end !== undefined)
          found.push({ prefix, hasStyle, isFilled: ownFill ?? styleFill, start, end });
        start = undefined;
      } else if (isFill && (local === 'noFill' || fills.has(local))) ownFill = local !== 'noFill';
      else if (local === 'fillRef') styleFill = (attributeOf(attributes, 'idx') ?? '0') !== '0';
      else if (isEmpty) return false;
      else if (groups.has(local)) openGroups += 1;
      else if (local === 'style') hasStyle = true;
      else if (local === 'spPr') isFill = true;
      else if (local === 'ln') isFill = false;
      else if (local === 'wsp') {
        prefix = name.slice(0, -local.length);
        hasStyle = false;
        ownFill = undefined;
        styleFill = false;
        start = undefined;
        end = undefined;
      } else if (local === 'txbx') {
        start = openGroups === 0 ? tagStart : undefined;
        // What is in a text box is no part of the shape.
        return true;
      }
      return false;
    },
    close(name, _tagStart, tagEnd) {
      const local = localName(name);
      if (groups.has(local)) openGroups -= 1;
      else if (local === 'txbx') end = tagEnd;
      else if (local === 'spPr') isFill = false;
    },
  });
  return found;
}
