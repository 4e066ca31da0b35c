/** Gives the pages of a document more room for text, towards their footers. */
import { isSince } from '../../engine/libreoffice-version.ts';
import { withValues } from '../document/attributes.ts';
import { type Edit, withEdits } from '../document/edits.ts';
import { readPoints } from '../document/lengths.ts';
import { attributeOf, wordPrefixOf } from '../document/markup.ts';
import { gridTypes, readSectionTags, type SectionElement, type SectionTags } from '../document/sections.ts';
import { editAttributes, type Tag } from '../document/tags.ts';
import { BEGINS_AT_THE_TOP, HEADER_ROOM } from '../rules/line-grid.ts';
import type { Bytes } from '../text/bytes.ts';

const TWIPS = 20;

/**
 * Margins above and below the body, in twips. If one is negative, headers and footers do not move the body (ISO/IEC 29500-1,
 * 17.6.11): its distance from the page's edge is the absolute value.
 */
interface Margins {
  readonly top: number;
  readonly bottom: number;
}

/**
 * The main part, changed so that bodies end lower by `growth`.
 *
 * @param growth of each section, in points.
 * @param libreOffice the version that it is for; undefined where that is not known.
 */
export function withHigherBodies(
  xml: Bytes,
  growth: readonly number[],
  libreOffice: string | undefined,
): Bytes {
  const prefix = wordPrefixOf(xml);
  const beginsLower = !isSince(libreOffice, BEGINS_AT_THE_TOP);
  const edits = readSectionTags(xml, prefix).flatMap((section, index): Edit[] => {
    const points = growth[index] ?? 0;
    const margins = section.get('pgMar');
    if (points === 0 || !margins) return [];
    return [editAttributes(margins, grown(section, margins, prefix, points * TWIPS, beginsLower))];
  });
  return withEdits(xml, edits);
}

/** The margin attributes of a section, changed so that its body ends lower by `growth`, in twips. */
function grown(
  section: SectionTags,
  { attributes: margins }: Tag,
  prefix: string,
  growth: number,
  beginsLower: boolean,
): string {
  const attributesOf = (name: SectionElement) => section.get(name)?.attributes ?? '';
  const twips = (attributes: string, name: string) =>
    (readPoints(attributeOf(attributes, prefix + name)) ?? Number.NaN) * TWIPS;
  const written = twips(margins, 'bottom');
  const sign = { top: 1, bottom: written < 0 ? -1 : 1 };
  const own: Margins = { top: twips(margins, 'top'), bottom: Math.abs(written) };
  if (Number.isNaN(own.bottom)) return margins;
  const grid = attributesOf('docGrid');
  const pitch = gridTypes.has(attributeOf(grid, `${prefix}type`)) ? twips(grid, 'linePitch') : 0;
  const height = twips(attributesOf('pgSz'), 'h');
  const wanted = { ...own, bottom: Math.floor(own.bottom - growth) };
  const fitted =
    beginsLower && pitch > 0 && height > 0 && own.top > 0
      ? onGrid(own, wanted.bottom, { height, pitch, least: twips(margins, 'header') + HEADER_ROOM })
      : wanted;
  const changed = new Map<string, number>();
  for (const side of ['top', 'bottom'] as const) {
    if (!Object.is(fitted[side], own[side]))
      changed.set(prefix + side, sign[side] * Math.round(fitted[side]));
  }
  return withValues(margins, (name, value) => String(changed.get(name) ?? value));
}

/**
 * Margins of a body that reaches the wanted bottom, while its grid keeps its first line. LibreOffice puts half of the body's height
 * beyond whole steps above that line, so the top margin sets that remainder.
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
