/** Changing the properties of a cell of a table as XML text (`w:tcPr`, ISO/IEC 29500-1, 17.4.69). */
import { childrenOf, contentOf } from './paragraph-properties.ts';

export type CellSide = 'top' | 'left' | 'bottom' | 'right';

/** In their order, each with the name that it has for text of either direction. */
const sides: readonly (readonly [CellSide, string])[] = [
  ['top', 'top'],
  ['left', 'start'],
  ['bottom', 'bottom'],
  ['right', 'end'],
];
/** What comes behind the margins. */
const behindMargins = ['textDirection', 'tcFitText', 'vAlign', 'hideMark', 'headers', 'cellIns', 'cellDel'];

/**
 * The properties of a cell with these margins, in twips, in the place of its own.
 *
 * @param properties the element as it is written; empty where the cell has none.
 * @returns undefined where the element declares a namespace of its own.
 */
export function withCellMargins(
  properties: string,
  prefix: string,
  margins: Readonly<Partial<Record<CellSide, number>>>,
): string | undefined {
  const w = prefix;
  if (properties !== '' && !properties.startsWith(`<${w}tcPr>`) && properties !== `<${w}tcPr/>`)
    return undefined;
  const children = childrenOf(contentOf(properties), w);
  const own = childrenOf(contentOf(children.get('tcMar') ?? ''), w);
  const written = sides.map(([side, other]) => {
    const width = margins[side];
    return width === undefined
      ? (own.get(side) ?? own.get(other) ?? '')
      : `<${w}${side} ${w}w="${width}" ${w}type="dxa"/>`;
  });
  children.set('tcMar', `<${w}tcMar>${written.join('')}</${w}tcMar>`);
  const last = behindMargins.flatMap((name) => [...children].filter(([key]) => key === name));
  for (const [key] of last) children.delete(key);
  const content = [...children, ...last].map(([, child]) => child).join('');
  return `<${w}tcPr>${content}</${w}tcPr>`;
}
