/**
 * Transparent pictures (`a:alphaModFix`; ISO/IEC 29500-1, 20.1.8.4). LibreOffice shows them opaque, but not the filling of a
 * shape. So such a picture becomes a shape that it fills, unless it is cropped.
 */
import { type Edit, withEdits } from '../document/edits.ts';
import { attributeOf, visitMarkup } from '../document/markup.ts';
import type { Bytes } from '../text/bytes.ts';

const SHAPE = 'http://schemas.microsoft.com/office/word/2010/wordprocessingShape';
const OPAQUE = 100_000;

/** A picture, by where its elements begin and end. */
interface Picture {
  /** The tag of the data of the graphic around it. */
  readonly data: Pick<Edit, 'start' | 'end'>;
  readonly start: number;
  fill?: { readonly start: number; end?: number };
  properties?: { readonly start: number; readonly nameEnd: number; end?: number };
  geometryEnd?: number;
  isPale: boolean;
  isCropped: boolean;
}

/** The part with shapes in place of transparent pictures. */
export function withPalePictures(xml: Bytes): Bytes {
  const edits: Edit[] = [];
  let data: Pick<Edit, 'start' | 'end'> | undefined;
  let picture: Picture | undefined;
  visitMarkup(xml, {
    open(name, attributes, isEmpty, start, end) {
      const before = data;
      data = name === 'a:graphicData' ? { start, end } : undefined;
      if (name === 'pic:pic') picture = before && { data: before, start, isPale: false, isCropped: false };
      if (!picture) return;
      if (name === 'pic:blipFill' && !isEmpty) picture.fill = { start: end };
      else if (name === 'a:alphaModFix')
        picture.isPale ||= Number(attributeOf(attributes, 'amt') ?? OPAQUE) < OPAQUE;
      else if (name === 'a:srcRect') picture.isCropped ||= /[1-9]/.test(attributes);
      else if (name === 'pic:spPr' && !isEmpty)
        picture.properties = { start, nameEnd: start + 1 + name.length };
      else if (name === 'a:prstGeom' && isEmpty) picture.geometryEnd = end;
    },
    close(name, start, end) {
      if (!picture) return;
      if (name === 'pic:blipFill' && picture.fill) picture.fill.end = start;
      else if (name === 'a:prstGeom') picture.geometryEnd = end;
      else if (name === 'pic:spPr' && picture.properties) picture.properties.end = start;
      else if (name === 'pic:pic') {
        edits.push(...shapeOf(picture, xml, end));
        picture = undefined;
      }
    },
  });
  return withEdits(xml, edits);
}

function shapeOf(
  { data, start, fill, properties, geometryEnd, ...about }: Picture,
  xml: string,
  end: number,
): Edit[] {
  if (!about.isPale || about.isCropped) return [];
  if (fill?.end === undefined || properties?.end === undefined || geometryEnd === undefined) return [];
  const filling = `<a:blipFill>${xml.slice(fill.start, fill.end)}</a:blipFill>`;
  return [
    { ...data, text: `<a:graphicData uri="${SHAPE}">` },
    { start, end: properties.nameEnd, text: `<wps:wsp xmlns:wps="${SHAPE}"><wps:cNvSpPr/><wps:spPr` },
    { start: geometryEnd, end: geometryEnd, text: filling },
    { start: properties.end, end, text: '</wps:spPr><wps:bodyPr/></wps:wsp>' },
  ];
}
