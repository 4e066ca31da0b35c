/**
 * The values that a chart shows, as stored in its part (`c:numCache`, `c:strCache` and others; ISO/IEC 29500-1, 21.2.2). Their number,
 * `c:ptCount`, may be missing, and some programs write none. LibreOffice gives the document up without it, and where a
 * value's index is beyond it. So the number is written where it is missing or makes no sense, and such values are left out. An
 * element of a series that is to have values, but has none, crashes LibreOffice, and is left out as well. Labels and formats are cut where they
 * are longer than a chart has room for: LibreOffice takes seconds for thousands of letters.
 */
import { type Edit, withEdits } from '../document/edits.ts';
import { attributeOf, prefixOf, visitMarkup } from '../document/markup.ts';
import { renaming } from '../document/tags.ts';
import type { Bytes } from '../text/bytes.ts';

/** Charts, transitional and strict. */
const CHART_NAMESPACE =
  /^http:\/\/(schemas\.openxmlformats\.org\/drawingml\/2006|purl\.oclc\.org\/ooxml\/drawingml)\/chart$/;
const CACHES = /^(?:(?:num|str)(?:Cache|Lit)|multiLvlStrCache)$/;
/** Elements, one of which is in every chart with values, or without. */
export const cacheElements: readonly string[] = [
  ...['numCache', 'strCache', 'multiLvlStrCache', 'numLit', 'strLit', 'ser'],
];
/** What has values in a series or its error bars, and how it has them. */
const HOLDERS = /^(?:val|cat|[xy]Val|bubbleSize|plus|minus)$/;
const HELD = /^(?:(?:num|str)(?:Ref|Lit)|multiLvlStrRef)$/;
/** As many rows as a worksheet of Excel has. */
const MOST_VALUES = 1_048_576;
/** Bytes of a label or a format. */
const MOST_TEXT = 500;

interface Value {
  /** Undefined where it is none. */
  readonly index: number | undefined;
  /** That take the value out. */
  readonly renamings: Edit[];
}

interface Cache {
  /** Where its content begins. */
  readonly start: number;
  readonly values: Value[];
  count?: { readonly start: number; readonly end: number; readonly value: number | undefined };
}

/** The part with the right number of values. */
export function withCountedCaches(xml: Bytes): Bytes {
  const prefix = prefixOf(xml, CHART_NAMESPACE);
  if (prefix === undefined) return xml;
  const edits: Edit[] = [];
  let cache: Cache | undefined;
  let value: Value | undefined;
  let holder: { readonly name: string; readonly start: number; isHolding: boolean } | undefined;
  visitMarkup(xml, {
    open(name, attributes, isEmpty, start, end) {
      const local = name.startsWith(prefix) ? name.slice(prefix.length) : '';
      if (HOLDERS.test(local)) {
        holder = isEmpty ? undefined : { name, start, isHolding: false };
        if (isEmpty) edits.push(renaming(name, start + 1));
      } else if (holder && HELD.test(local)) holder.isHolding = true;
      if (CACHES.test(local)) cache = isEmpty ? undefined : { start: end, values: [] };
      else if (cache && local === 'ptCount' && isEmpty)
        cache.count ??= { start, end, value: numberOf(attributes, 'val') };
      else if (cache && local === 'pt') {
        value = { index: numberOf(attributes, 'idx'), renamings: [renaming(name, start + 1)] };
        cache.values.push(value);
      }
    },
    close(name, start) {
      const local = name.startsWith(prefix) ? name.slice(prefix.length) : '';
      if (name === holder?.name) {
        if (!holder.isHolding) edits.push(renaming(name, holder.start + 1), renaming(name, start + 2));
        holder = undefined;
      } else if (local === 'pt') value?.renamings.push(renaming(name, start + 2));
      else if (cache && CACHES.test(local)) {
        for (const edit of editsOf(cache, prefix)) edits.push(edit);
        cache = undefined;
      }
    },
    text(_, start, end) {
      if (cache && end - start > MOST_TEXT) edits.push({ start: cutAt(xml, start), end, text: '' });
    },
  });
  return withEdits(xml, edits);
}

/** Where a long text can end: in front of a whole character or reference. */
function cutAt(xml: string, start: number): number {
  const text = xml.slice(start, start + MOST_TEXT);
  return start + text.replace(/(?:&[^;]{0,16}|[\xc0-\xff][\x80-\xbf]{0,3})$/, '').length;
}

function editsOf({ start, values, count }: Cache, prefix: string): Edit[] {
  const indices = values.flatMap(({ index }) => (index === undefined ? [] : [index]));
  const needed = indices.reduce((most, index) => Math.max(most, index + 1), 0);
  const stated = count?.value;
  const size = stated === undefined || (stated === 0 && needed > 0) ? needed : stated;
  const edits = values
    .filter(({ index }) => index === undefined || index >= size)
    .flatMap(({ renamings }) => renamings);
  if (size === stated) return edits;
  const text = `<${prefix}ptCount val="${size}"/>`;
  return [...edits, count ? { start: count.start, end: count.end, text } : { start, end: start, text }];
}

/** Undefined where it is no number of values. */
function numberOf(attributes: string, name: string): number | undefined {
  const value = (attributeOf(attributes, name) ?? '').trim();
  return /^\d{1,7}$/.test(value) && Number(value) <= MOST_VALUES ? Number(value) : undefined;
}
