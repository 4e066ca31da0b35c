/**
 * The theme of a document that has none. Word draws its charts in the colours of the usual theme; LibreOffice draws their bars and
 * lines in no colour at all.
 */
import type { KeptParts } from '../document/kept-parts.ts';
import { linksOf } from '../document/links.ts';

const colour = (name: string, value: string) => `<a:${name}><a:srgbClr val="${value}"/></a:${name}>`;
const accents = ['4472C4', 'ED7D31', 'A5A5A5', 'FFC000', '5B9BD5', '70AD47'];
const colours = [
  colour('dk1', '000000'),
  colour('lt1', 'FFFFFF'),
  colour('dk2', '44546A'),
  colour('lt2', 'E7E6E6'),
  ...accents.map((value, index) => colour(`accent${index + 1}`, value)),
  colour('hlink', '0563C1'),
  colour('folHlink', '954F72'),
].join('');
const font = (name: string) =>
  `<a:${name}><a:latin typeface=""/><a:ea typeface=""/><a:cs typeface=""/></a:${name}>`;
const fill = '<a:solidFill><a:schemeClr val="phClr"/></a:solidFill>';
const style = (name: string, inner: string) => `<a:${name}>${inner.repeat(3)}</a:${name}>`;
const formats =
  style('fillStyleLst', fill) +
  style('lnStyleLst', `<a:ln w="9525">${fill}</a:ln>`) +
  style('effectStyleLst', '<a:effectStyle><a:effectLst/></a:effectStyle>') +
  style('bgFillStyleLst', fill);

/** The part: colours of Word since 2013, no fonts. */
export const usualTheme: Buffer = Buffer.from(
  `<a:theme xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" name="Usual"><a:themeElements><a:clrScheme name="Usual">${colours}</a:clrScheme><a:fontScheme name="Usual">${font('majorFont')}${font('minorFont')}</a:fontScheme><a:fmtScheme name="Usual">${formats}</a:fmtScheme></a:themeElements></a:theme>`,
);

/** Whether a document has charts, but no theme. */
export function lacksTheme(parts: KeptParts): boolean {
  const types = new Set(linksOf(parts, parts.mainPart).map(({ type }) => type));
  return types.has('chart') && !types.has('theme');
}
