/** Gives a document other core properties: LibreOffice takes from them what a PDF says of itself, in both places. */
import type { Entry } from 'yauzl';
import type { ConversionOptions } from '../../shared/options/conversion-options.ts';
import {
  CORE_PROPERTIES,
  type CoreProperty,
  corePropertiesPart,
  readCoreProperties,
} from '../document/core-properties.ts';
import type { KeptParts } from '../document/kept-parts.ts';
import { linksOf } from '../document/links.ts';
import { MAX_XML_BYTES } from '../package/limits.ts';
import type { Package } from '../package/package.ts';
import type { Changes } from '../package/package-changes.ts';
import { isXml, plainXml } from '../package/plain-xml.ts';
import { withoutRelationships, withRelationship } from '../package/relationships.ts';
import { withoutSections } from '../rules/xml-sections.ts';
import { xmlText } from '../text/xml-text.ts';

/** Values of core properties by their local names. */
export type Properties = Readonly<Partial<Record<CoreProperty, string>>>;

const ROOT_LINKS = '_rels/.rels';
/** A part of our own: whatever is wrong with the document's own part or with the link to it, the engine finds this one. */
const ADDED = 'print-view-core.xml';
/** Other properties. If one of these links leads nowhere, LibreOffice reads no properties at all. */
const OTHERS: ReadonlySet<string> = new Set(['extended-properties', 'custom-properties']);
const LINK_TYPE = `http://schemas.openxmlformats.org/package/2006/relationships/metadata/${CORE_PROPERTIES}`;

/** Elements by the names of properties, in the order in which they are written; those of dates have a type. */
const elements: Readonly<Record<CoreProperty, string>> = {
  title: 'dc:title',
  subject: 'dc:subject',
  creator: 'dc:creator',
  keywords: 'cp:keywords',
  description: 'dc:description',
  category: 'cp:category',
  contentStatus: 'cp:contentStatus',
  language: 'dc:language',
  lastModifiedBy: 'cp:lastModifiedBy',
  revision: 'cp:revision',
  version: 'cp:version',
  lastPrinted: 'cp:lastPrinted',
  created: 'dcterms:created',
  modified: 'dcterms:modified',
};
const namespaces = {
  cp: `http://schemas.openxmlformats.org/package/2006/metadata/${CORE_PROPERTIES}`,
  dc: 'http://purl.org/dc/elements/1.1/',
  dcterms: 'http://purl.org/dc/terms/',
  xsi: 'http://www.w3.org/2001/XMLSchema-instance',
};

/** The properties that the options give; undefined for none. */
export function propertiesIn({
  title,
  author: creator,
  subject,
  keywords,
}: ConversionOptions): Properties | undefined {
  const given = Object.entries({ title, creator, subject, keywords }).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, value]],
  );
  return given.length === 0 ? undefined : Object.fromEntries(given);
}

/** The types of the links to properties that the document does not have. */
export function missingProperties(opened: Package, kept: KeptParts): ReadonlySet<string> {
  const links = linksOf(kept, '').filter(({ type }) => OTHERS.has(type));
  return new Set(links.filter(({ target }) => !opened.entry(target)).map(({ type }) => type));
}

/**
 * Adds a part with the document's properties and these to the changes, and removes links to properties that it does not have.
 *
 * @param described the parts that describe the package, as the engine gets them.
 * @throws PlatenError `CORRUPTED_FILE`
 */
export async function replaceProperties(
  opened: Package,
  kept: KeptParts,
  changes: Changes,
  properties: Properties,
  described: ReadonlyMap<Entry, Buffer>,
): Promise<void> {
  const entry = opened.entry(ROOT_LINKS);
  const links = entry && described.get(entry);
  if (!links) return;
  let name = ADDED;
  while (opened.entry(name)) name = `_${name}`;
  const broken = [CORE_PROPERTIES, ...missingProperties(opened, kept)];
  const linked = withRelationship(broken.reduce(withoutRelationships, links), LINK_TYPE, name);
  if (!linked) return;
  const all = new Map([...(await ownProperties(opened, kept)), ...Object.entries(properties)]);
  const part = plainXml(Buffer.from(written(all), 'latin1'));
  opened.allowance.takeBytes(part.length);
  changes.replace(entry, linked);
  changes.add(name, part);
}

async function ownProperties(opened: Package, kept: KeptParts): Promise<Map<string, string>> {
  const name = corePropertiesPart(kept);
  const entry = name === undefined ? undefined : opened.entry(name);
  if (!entry) return new Map();
  const part = await opened.read(entry, MAX_XML_BYTES);
  if (!isXml(part)) return new Map();
  return readCoreProperties(withoutSections(plainXml(part)).toString('utf8'));
}

/** The part, in ASCII. */
function written(properties: ReadonlyMap<string, string>): string {
  const declared = Object.entries(namespaces).map(([prefix, uri]) => ` xmlns:${prefix}="${uri}"`);
  const inner = Object.entries(elements).flatMap(([property, name]) => {
    const value = properties.get(property);
    if (value === undefined) return [];
    const type = name.startsWith('dcterms:') ? ' xsi:type="dcterms:W3CDTF"' : '';
    return `<${name}${type}>${escaped(value)}</${name}>`;
  });
  return `<cp:coreProperties${declared.join('')}>${inner.join('')}</cp:coreProperties>`;
}

/** With a reference in place of what is beyond ASCII. */
function escaped(text: string): string {
  return xmlText(text).replace(/[&<>\r]|[^\t\n\x20-\x7e]/gu, (character) => `&#${character.codePointAt(0)};`);
}
