/** The core properties of a document (ECMA-376 part 2, 8): what it is about, who made it, and when. */
import type { KeptParts } from './kept-parts.ts';
import { linksOf } from './links.ts';
import { visitMarkup, withoutReferences } from './markup.ts';
import { localName } from './tags.ts';

/** What the type of a link to them ends with. */
export const CORE_PROPERTIES = 'core-properties';

/** The local names of those that are read. */
const elements = [
  ...(['title', 'subject', 'creator', 'keywords', 'description', 'category', 'contentStatus'] as const),
  ...(['language', 'lastModifiedBy', 'revision', 'version', 'lastPrinted', 'created', 'modified'] as const),
];
export type CoreProperty = (typeof elements)[number];

/** 1 January 2000, in seconds since the epoch. */
const UNDATED = 946_684_800;
/** The end of 2099: LibreOffice counts seconds in 32 bits, and it is no date of a document. */
const LATEST = 4_102_444_799;
/** A date of W3CDTF, which is a profile of ISO 8601; parts that are left out are the first ones. */
const DATE =
  /^(\d{4})(?:-(\d\d)(?:-(\d\d)(?:T(\d\d):(\d\d)(?::(\d\d)(?:\.\d{1,20})?)?(?:Z|([+-])(\d\d):(\d\d))?)?)?)?$/;

const MAX_TITLE = 500;

/** As Word writes them. */
const MODIFIED = '<dcterms:modified xsi:type="dcterms:W3CDTF">';
const CREATED = /<dcterms:created xsi:type="dcterms:W3CDTF">\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ</;

/**
 * The time that the document says of its last change, in seconds since the epoch: so the same document gives the same PDF
 * on any day. 1 January 2000 if it says none between 1970 and 2099.
 */
export function timeOf(parts: KeptParts): number {
  const time = secondsOf(parts.once(ownProperties).get('modified') ?? '');
  return time !== undefined && time > 0 && time <= LATEST ? time : UNDATED;
}

/**
 * The times of the document, as core properties; undefined where it has them as Word writes them. LibreOffice writes the second into
 * the metadata of the PDF, and zeros where either is missing or has another form.
 */
export function missingTimes(
  parts: KeptParts,
): { readonly created: string; readonly modified: string } | undefined {
  const text = parts.text(corePropertiesPart(parts));
  const time = timeOf(parts);
  const modified = written(time);
  if (text.includes(`${MODIFIED}${modified}<`) && CREATED.test(text)) return undefined;
  const created = secondsOf(parts.once(ownProperties).get('created') ?? '');
  return {
    created: written(created === undefined || created < 0 || created > LATEST ? time : created),
    modified,
  };
}

function written(time: number): string {
  return `${new Date(time * 1_000).toISOString().slice(0, 19)}Z`;
}

/** The document's title, at most {@link MAX_TITLE} characters of it; undefined for none. */
export function titleOf(parts: KeptParts): string | undefined {
  const title = parts.once(ownProperties).get('title') ?? '';
  return title === '' ? undefined : [...title.slice(0, 2 * MAX_TITLE)].slice(0, MAX_TITLE).join('');
}

/** The name of the part that has them; undefined where there is none. */
export function corePropertiesPart(parts: KeptParts): string | undefined {
  return linksOf(parts, '').find(({ type, isExternal }) => type === CORE_PROPERTIES && !isExternal)?.target;
}

function ownProperties(parts: KeptParts): Map<CoreProperty, string> {
  return readCoreProperties(parts.text(corePropertiesPart(parts)));
}

/**
 * The text of each property by its local name; of several, the first.
 *
 * @param xml the part, without CDATA sections.
 */
export function readCoreProperties(xml: string): Map<CoreProperty, string> {
  const found = new Map<CoreProperty, string>();
  let depth = 0;
  let property: CoreProperty | undefined;
  let text = '';
  visitMarkup(xml, {
    open(name, _attributes, isEmpty) {
      if (isEmpty) return;
      depth += 1;
      if (depth !== 2) return;
      const local = localName(name);
      property = elements.find((each) => each === local);
      text = '';
    },
    close() {
      depth -= 1;
      if (depth !== 1 || property === undefined) return;
      if (!found.has(property)) found.set(property, withoutReferences(text).trim());
      property = undefined;
    },
    text(part, start, end) {
      if (property !== undefined) text += part.slice(start, end);
    },
  });
  return found;
}

/** Undefined if it is no date. Without a zone it is one of UTC. */
function secondsOf(date: string): number | undefined {
  const found = DATE.exec(date);
  if (!found) return undefined;
  const [, ...fields] = found;
  const [year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0] = fields
    .slice(0, 6)
    .map((field) => (field === undefined ? undefined : Number(field)));
  const [sign, zoneHours = 0, zoneMinutes = 0] = [fields[6], Number(fields[7] ?? 0), Number(fields[8] ?? 0)];
  const isTime = hour < 24 && minute < 60 && second < 60 && zoneHours < 24 && zoneMinutes < 60;
  const midnight = new Date(Date.UTC(year, month - 1, day));
  // The 30th of February would be the 1st of March.
  if (!isTime || midnight.getUTCMonth() !== month - 1 || midnight.getUTCDate() !== day) return undefined;
  const ahead = (sign === '-' ? -60 : 60) * (60 * zoneHours + zoneMinutes);
  return midnight.getTime() / 1_000 + 3_600 * hour + 60 * minute + second - ahead;
}
