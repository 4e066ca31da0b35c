/** Gives the pages of a document more room for text, towards their footers. */

import { isSince } from '../../engine/libreoffice-version.ts';
import { readPoints } from '../document/lengths.ts';
import { attributeOf, prefixOf, WORD_NAMESPACE } from '../document/markup.ts';
import { gridTypes } from '../document/sections.ts';
import { BEGINS_AT_THE_TOP, HEADER_ROOM } from '../rules/line-grid.ts';

const TWIPS = 20;

/**
 * Margins above and below the body, in twips. Where one is written below 0, headers and footers do not move the body (ISO/IEC
 * 29500-1, 17.6.11): the body is as far from the edge of the page as otherwise.
 */
interface Margins {
  readonly top: number;
  readonly bottom: number;
}

/**
 * The main part with bodies that end so much lower.
 *
 * @param xml in any encoding in which ASCII is ASCII.
 * @param growth of each section, in points.
 * @param libreOffice the version that it is for; undefined where that is not known.
 */
export function withHigherBodies(
  xml: string,
  growth: readonly number[],
  libreOffice: string | undefined,
): string {
  const prefix = prefixOf(xml, WORD_NAMESPACE) ?? 'w:';
  const sections = new RegExp(`<${prefix}sectPr(?:\\s[^<>]*?)?(?:/>|>[\\s\\S]*?</${prefix}sectPr>)`, 'g');
  const beginsLower = !isSince(libreOffice, BEGINS_AT_THE_TOP);
  let index = -1;
  return xml.replace(sections, (section) => {
    index += 1;
    const points = growth[index] ?? 0;
    return points === 0 ? section : grown(section, prefix, points * TWIPS, beginsLower);
  });
}

function grown(section: string, prefix: string, growth: number, beginsLower: boolean): string {
  const tagOf = (name: string) => new RegExp(`<${prefix}${name}\\s[^<>]{0,500}`).exec(section)?.[0] ?? '';
  const twips = (tag: string, name: string) =>
    (readPoints(attributeOf(tag, prefix + name)) ?? Number.NaN) * TWIPS;
  const margins = tagOf('pgMar');
  const written = twips(margins, 'bottom');
  const sign = { top: 1, bottom: written < 0 ? -1 : 1 };
  const own: Margins = { top: twips(margins, 'top'), bottom: Math.abs(written) };
  if (Number.isNaN(own.bottom)) return section;
  const grid = tagOf('docGrid');
  const pitch = gridTypes.has(attributeOf(grid, `${prefix}type`)) ? twips(grid, 'linePitch') : 0;
  const height = twips(tagOf('pgSz'), 'h');
  const wanted = { ...own, bottom: Math.floor(own.bottom - growth) };
  const fitted =
    beginsLower && pitch > 0 && height > 0 && own.top > 0
      ? onGrid(own, wanted.bottom, { height, pitch, least: twips(margins, 'header') + HEADER_ROOM })
      : wanted;
  const write = (tag: string, side: keyof Margins) =>
    Object.is(fitted[side], own[side])
      ? tag
      : tag.replace(
          new RegExp(`(${prefix}${side}\\s*=\\s*["'])[^"'<>]{1,20}`),
          `$1${sign[side] * Math.round(fitted[side])}`,
        );
  return section.replace(margins, () => write(write(margins, 'top'), 'bottom'));
}

/**
 * Margins of a body that reaches down to where it is wanted, with the first line of its grid where it was. LibreOffice puts
 * half of what is left of the body above that line: so the top margin says how much is left.
 */
function onGrid(
  own: Margins,
  bottom: number,
  { height, pitch, least }: { readonly height: number; readonly pitch: number; readonly least: number },
): Margins {
  const left = (height - own.top - own.bottom) % pitch;
  const firstLine = own.top + left / 2;
  const room = height - bottom - firstLine;
  const steps = Math.floor(room / pitch) * pitch;
  // A header would move the body down.
  const most = Math.max(left / 2, Math.min((pitch - 1) / 2, firstLine - least));
  const above = Math.floor(Math.min(room - steps, most));
  return { top: firstLine - above, bottom: height - firstLine - steps - above };
}
