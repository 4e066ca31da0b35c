/** The position of a drawing, from its DrawingML or VML markup, or both as alternatives (ISO/IEC 29500-1, 20.4). */
import { attributesIn } from './attributes.ts';
import { attributeOf, isOn, visitMarkup } from './markup.ts';
import { localName } from './tags.ts';

interface Drawing {
  /** It floats at a position of its own. */
  readonly isAnchored: boolean;
  /** It lies in front of the text, and no text flows around it. */
  readonly isInFront: boolean;
  /** Height of an inline picture, in EMU. */
  readonly inlineHeight: number | undefined;
}

const ABSOLUTE = /position:\s*absolute/;
const BEHIND = /z-index:\s*-/;
const evaded: ReadonlySet<string> = new Set(['wrapSquare', 'wrapTight', 'wrapThrough', 'wrapTopAndBottom']);

/** @param xml the whole drawing. Any of its elements may declare namespaces, so elements are found by local name. */
export function readDrawing(xml: string): Drawing {
  let isAnchored = false;
  let isInFront = false;
  let isEvaded = false;
  let inlineHeight: number | undefined;
  let before = '';
  visitMarkup(xml, {
    open(name, attributes) {
      const local = localName(name);
      const style = attributes.includes('style') ? styleOf(attributes) : '';
      if (local === 'anchor') {
        isAnchored = true;
        isEvaded ||= attributeOf(attributes, 'behindDoc') !== undefined && isOn(attributes, 'behindDoc');
      } else if (local === 'extent' && before === 'inline') inlineHeight ??= emuOf(attributes);
      isInFront ||= local === 'wrapNone' || ABSOLUTE.test(style);
      isAnchored ||= ABSOLUTE.test(style);
      isEvaded ||= evaded.has(local) || BEHIND.test(style);
      isEvaded ||= local === 'wrap' && attributeOf(attributes, 'type') !== undefined;
      before = local;
    },
  });
  return { isAnchored, isInFront: isInFront && !isEvaded, inlineHeight };
}

/** Read in full: it may be longer than the values that `attributeOf` returns. */
function styleOf(attributes: string): string {
  return attributesIn(attributes).find(({ name }) => name === 'style')?.value ?? '';
}

function emuOf(attributes: string): number | undefined {
  const height = attributeOf(attributes, 'cy') ?? '';
  return /^\d{1,9}$/.test(height) ? Number(height) : undefined;
}
