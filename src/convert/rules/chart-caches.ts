/**
 * The values that a chart shows, as stored in its part (`c:numCache`, `c:strCache` and others; ISO/IEC 29500-1, 21.2.2). Their number,
 * `c:ptCount`, may be missing, and some programs write none. LibreOffice gives the document up without it, and where a
 * value's index is beyond it. So the number is written where it is missing or makes no sense, and such values are left out. An
 * element of a series that is to have values, but has none, crashes LibreOffice, and is left out as well. Labels and formats are cut where they
 * are longer than a chart has room for: LibreOffice takes seconds for thousands of letters.
 */
import { Edits, withEdits } from '../document/edits.ts';
import { attributeOf, prefixOf, qualified, visitMarkup } from '../document/markup.ts';
import { renaming } from '../document/tags.ts';
import type { Bytes } from '../text/bytes.ts';

/** Charts, transitional and strict. */
const CHART_NAMESPACE =
  /^http:\/\/(schemas\.openxmlformats\.org\/drawingml\/2006|purl\.oclc\.org\/ooxml\/drawingml)\/chart$/;
const caches = ['numCache', 'numLit', 'strCache', 'strLit', 'multiLvlStrCache'];
/** Elements, one of which is in every chart with values, or without. */
export const cacheElements: readonly string[] = [
  ...['numCache', 'strCache', 'multiLvlStrCache', 'numLit', 'strLit', 'ser'],
];
/** What has values in a series or its error bars, and how it has them. */
const holders = ['val', 'cat', 'xVal', 'yVal', 'bubbleSize', 'plus', 'minus'];
const held = ['numRef', 'numLit', 'strRef', 'strLit', 'multiLvlStrRef'];
/** As many rows as a worksheet of Excel has. */
const MOST_VALUES = 1_048_576;
/** Bytes of a label or a format. */
const MOST_TEXT = 500;

/** The values are numbers alone, as there may be a million. */
interface Cache {
  /** Where its content begins. */
  readonly start: number;
  /** By value; NaN where it is none. */
  readonly indices: number[];
  /** By value: where the local names of its tags are; both the same where it has one tag. */
  readonly tags: number[];
  count?: { readonly start: number; readonly end: number; readonly value: number | undefined };
}

/** The part with the right number of values. */
export function withCountedCaches(xml: Bytes): Bytes {
  const prefix = prefixOf(xml, CHART_NAMESPACE);
  if (prefix === undefined) return xml;
  const names = qualified(prefix, [...new Set([...caches, ...holders, ...held, 'ptCount', 'pt'])]);
  const edits = new Edits();
  let cache: Cache | undefined;
  let holder: { readonly name: string; readonly start: number; isHolding: boolean } | undefined;
  visitMarkup(xml, {
    names,
    open(name, attributes, isEmpty, start, end) {
      const local = names.get(name) ?? '';
      if (holders.includes(local)) {
        holder = isEmpty ? undefined : { name, start, isHolding: false };
        if (isEmpty) edits.push(renaming(name, start + 1));
      } else if (holder && held.includes(local)) holder.isHolding = true;
      if (caches.includes(local)) cache = isEmpty ? undefined : { start: end, indices: [], tags: [] };
      else if (cache && local === 'ptCount' && isEmpty)
        cache.count ??= { start, end, value: numberOf(attributes, 'val') };
      else if (cache && local === 'pt') {
        const at = start + '<'.length + prefix.length;
        cache.indices.push(numberOf(attributes, 'idx') ?? Number.NaN);
        cache.tags.push(at, at);
      }
    },
    close(name, start) {
      const local = names.get(name) ?? '';
      if (name === holder?.name) {
        if (!holder.isHolding) {
          edits.push(renaming(name, holder.start + 1));
          edits.push(renaming(name, start + 2));
        }
        holder = undefined;
      } else if (local === 'pt' && cache)
        cache.tags[cache.tags.length - 1] = start + '</'.length + prefix.length;
      else if (cache && caches.includes(local)) {
        settle(cache, prefix, edits);
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

/** Writes the number of a cache's values, and leaves out those that are beyond it. */
function settle({ start, indices, tags, count }: Cache, prefix: string, edits: Edits): void {
  const needed = indices.reduce((most, index) => (index >= most ? index + 1 : most), 0);
  const stated = count?.value;
  const size = stated === undefined || (stated === 0 && needed > 0) ? needed : stated;
  for (const [value, index] of indices.entries()) {
    if (index < size) continue;
    const [first = 0, last = 0] = tags.slice(2 * value, 2 * value + 2);
    edits.push({ start: first, end: first + 1, text: '_' });
    if (last > first) edits.push({ start: last, end: last + 1, text: '_' });
  }
  if (size === stated) return;
  const text = `<${prefix}ptCount val="${size}"/>`;
  edits.push(count ? { start: count.start, end: count.end, text } : { start, end: start, text });
}

/** Undefined where it is no number of values. */
function numberOf(attributes: string, name: string): number | undefined {
  const value = (attributeOf(attributes, name) ?? '').trim();
  return /^\d{1,7}$/.test(value) && Number(value) <= MOST_VALUES ? Number(value) : undefined;
}
