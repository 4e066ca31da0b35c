/** Checks the content of a package, and of packages in it that the engine would open. */
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import type { Entry } from 'yauzl';
import { PlatenError, type RefusalReason } from '../../errors.ts';
import { KeptParts } from '../document/kept-parts.ts';
import { insertedExternal } from '../document/metadata.ts';
import type { Pieces } from '../package/content.ts';
import { DataBindings } from '../package/data-bindings.ts';
import { CONTENT_TYPES } from '../package/foreign-package.ts';
import {
  assertXmlSize,
  MAX_ATTRIBUTES,
  MAX_BINDING_VISITS,
  MAX_ELEMENT_DEPTH,
  MAX_LONG_BINDINGS,
  MAX_PACKAGE_DEPTH,
  MAX_PARAGRAPH_BYTES,
  MAX_STYLE_CHAIN,
  MAX_STYLES,
  MAX_TABLE_DEPTH,
  MAX_XML_BYTES,
} from '../package/limits.ts';
import { wordMainPart, writtenContentTypes } from '../package/main-part.ts';
import { Package } from '../package/package.ts';
import { type PartFault, PartScanner } from '../package/part.ts';
import { DECLARATION, type PlainXml, plainPieces, plainXml } from '../package/plain-xml.ts';
import { beyondLimits, damaged } from '../package/refusal.ts';
import { Relationships } from '../package/relationships.ts';
import { inMemory } from '../package/source.ts';
import { isWellFormed } from '../package/xml.ts';
import { longParagraph, type PrintView, readNames } from './print-view.ts';

/** Inserted content of another format (ISO/IEC 29500-1, 17.17.2): HTML, RTF, a DOCX. */
const CHUNK = 'aFChunk';
const IMAGE = 'image';
const STYLES = 'styles';
/** Signature of the end of an archive's directory (APPNOTE.TXT 4.3.16). */
const ARCHIVE_END = Buffer.from('PK\x05\x06', 'latin1');
/** Targets of bindings: custom XML parts, and the document's properties. */
const DATA = ['customXml', 'core-properties', 'extended-properties'];

const NESTING = `nests elements deeper than ${MAX_ELEMENT_DEPTH} or tables deeper than ${MAX_TABLE_DEPTH}`;
const messages: Readonly<Record<PartFault, readonly [RefusalReason, string]>> = {
  doctype: ['doctype', 'has a part that declares a document type (DOCTYPE)'],
  'doctype-subset': ['doctype', 'has a part that declares a document type (DOCTYPE)'],
  nesting: ['nesting', NESTING],
  attributes: [
    'attributes',
    `has elements with more than ${MAX_ATTRIBUTES} attributes, those around them counted, or with too long ones`,
  ],
  paragraph: longParagraph,
  styles: [
    'styles',
    `has more than ${MAX_STYLES} styles, or some that are based on each other in a circle or in more than ${MAX_STYLE_CHAIN} levels`,
  ],
  encoding: ['encoding', 'has an XML part in an unusual encoding, or with a broken XML declaration'],
  doubtful: ['encoding', 'has a part that only some programs can read as XML'],
};

/** Faults that are allowed in parts that are linked only with these types; other faults are allowed in chunks only. */
const harmlessIn: Readonly<Partial<Record<PartFault, readonly string[]>>> = {
  doctype: [CHUNK, IMAGE],
  paragraph: [CHUNK, IMAGE, ...DATA],
  // What cannot be decoded is left out.
  encoding: [CHUNK, IMAGE, 'oleObject', 'package'],
};

/** Types of parts that no reader takes for XML unless they begin as XML. */
const BINARY = [
  ...[CHUNK, IMAGE, 'font', 'oleObject', 'package', 'activeXControlBinary', 'vbaProject'],
  ...['audio', 'video', 'media', 'hdphoto', 'model3d', 'thumbnail', 'printerSettings', 'attachedToolbars'],
];

/** Types of parts that no reader takes for XML, even if their bytes happen to begin as XML. */
const OPAQUE = [
  ...['font', 'printerSettings', 'vbaProject', 'activeXControlBinary', 'attachedToolbars', 'thumbnail'],
  ...['audio', 'video', 'media', 'hdphoto', 'model3d'],
];

/** Types of parts that the engine can do without, and with them the reader. In others, something would be missed. */
const OPTIONAL = [
  ...[
    'chart',
    'chartUserShapes',
    'comments',
    'commentsExtended',
    'commentsExtensible',
    'commentsIds',
    'fontTable',
  ],
  ...[
    'diagramColors',
    'diagramData',
    'diagramDrawing',
    'diagramLayout',
    'diagramQuickStyle',
    'people',
    'theme',
  ],
];

/** Kind, faults and size of a part, and how it is written. */
type Scanned = Pick<PartScanner, 'kind' | 'faults' | 'nodes' | 'undrawn' | 'plain'>;

/** An XML part, and its form for the engine if it can be decoded. */
interface FoundXml {
  readonly name: string;
  readonly entry: Entry;
  readonly plain: PlainXml | undefined;
  readonly isCompressed: boolean;
}

/** A package inside another. */
interface Nested {
  readonly name: string;
  readonly entry: Entry;
}

/**
 * Inflates every part within the limits and examines it.
 *
 * @param view collects the changes to the parts.
 * @param mainPart name of the part that must be XML, in lower case.
 * @param kept receives the parts that the metadata is read from.
 * @param depth number of packages around this one.
 * @throws PlatenError `CORRUPTED_FILE`
 */
export async function checkContents(
  opened: Package,
  view: PrintView,
  mainPart?: string,
  kept?: KeptParts,
  depth = 0,
): Promise<void> {
  const { allowance, entries } = opened;
  allowance.takeEntries(entries.size);
  allowance.takeBytes(opened.declaredBytes);
  opened.checkLayout();
  let relationships: Promise<Relationships> | undefined;
  const related = () => {
    relationships ??= Relationships.of(opened);
    return relationships;
  };
  const nested: Nested[] = [];
  const found: FoundXml[] = [];
  const bindings = new DataBindings();
  const nodes = new Map<string, number>();
  for (const [name, entry] of entries) {
    let scanner = await scanPart(opened, name, entry, bindings, view, kept);
    if (scanner.kind === 'xml' && (await related()).leadOnlyAs(name, OPAQUE)) {
      view.leaveAlone(entry);
      kept?.note(name, { kind: 'other', undrawn: undefined });
      continue;
    }
    kept?.note(name, scanner);
    if (name === mainPart && scanner.kind !== 'xml') throw damaged('main-part', 'the main part is no XML');
    if (scanner.kind === 'package') nested.push({ name, entry });
    const isCompressed = scanner.kind === 'compressed';
    if (isCompressed) scanner = await scanCompressed(opened, entry, view);
    if (await isDamaged(opened, name, entry, scanner, related)) {
      view.blank(entry);
      kept?.leaveOut(name);
      continue;
    }
    for (const fault of scanner.faults) {
      if (!(await isHarmless(fault, name, related))) throw beyondLimits(...messages[fault]);
    }
    nodes.set(name, scanner.nodes);
    if (scanner.kind === 'xml') found.push({ name, entry, plain: scanner.plain, isCompressed });
    if (scanner.kind === 'pdf' && (await related()).mayLeadAs(name, IMAGE)) view.addPdf(entry);
  }
  for (const part of found) addXml(opened, view, part, await related());
  const packages = new Set(nested.map(({ name }) => name));
  for (const [name, entry] of entries) {
    const isOtherChunk = !packages.has(name) && (await related()).mayLeadAs(name, CHUNK);
    if (isOtherChunk && (await endsArchive(opened, entry))) view.leaveOut(entry);
  }
  await describe(opened, view, await related(), kept);
  if (bindings.count > 0) checkBindings(opened, bindings, nodes, await related(), view);
  for (const { name, entry } of nested) {
    const isChunk = (await related()).mayLeadAs(name, CHUNK);
    const isDocument = await checkNested(opened, view, entry, isChunk, depth + 1);
    if (isChunk && !isDocument) kept?.note(name, { kind: 'other', undrawn: undefined });
  }
}

/**
 * Has an XML part written anew, unless it is already as the engine gets it. One that cannot be decoded is left out: only an
 * inserted file may be one. HTML in it stays as it is, where it does not say that it is XML.
 */
function addXml(
  opened: Package,
  view: PrintView,
  { name, entry, plain, isCompressed }: FoundXml,
  relationships: Relationships,
): void {
  if (!plain) view.leaveOut(entry);
  const isHtml = plain?.isDeclared === false && relationships.leadOnlyAs(name, [CHUNK]);
  if (!plain || isHtml || (plain.isSame && !isCompressed)) return;
  const { size } = plain;
  assertXmlSize(size - DECLARATION.length);
  if (!isCompressed) opened.allowance.takeBytes(Math.max(0, size - entry.uncompressedSize));
  const pieces = () => plainPieces(isCompressed ? inflated(opened, entry) : opened.content(entry));
  view.rewrite(entry, { size, pieces }, isCompressed);
}

/** Whether the engine would give up at the part, though the document is whole without it. */
async function isDamaged(
  opened: Package,
  name: string,
  entry: Entry,
  { kind, plain }: Scanned,
  related: () => Promise<Relationships>,
): Promise<boolean> {
  if (!(await related()).leadOnlyAs(name, OPTIONAL)) return false;
  if (kind !== 'xml' || !plain) return true;
  return !isWellFormed(plainXml(await opened.read(entry, MAX_XML_BYTES)), MAX_ELEMENT_DEPTH);
}

/** Whether a reader of archives that searches for their end might take the part for one. */
async function endsArchive(opened: Package, entry: Entry): Promise<boolean> {
  let last = Buffer.alloc(0);
  for await (const piece of opened.content(entry)) {
    const bytes = Buffer.concat([last, piece]);
    if (bytes.includes(ARCHIVE_END)) return true;
    last = Buffer.from(bytes.subarray(1 - ARCHIVE_END.length));
  }
  return false;
}

/** Has the parts that describe the package written anew: with what was understood of them. */
async function describe(
  opened: Package,
  view: PrintView,
  { parts }: Relationships,
  kept: KeptParts | undefined,
): Promise<void> {
  const types = CONTENT_TYPES.toLowerCase();
  for (const [name, part] of [...parts, [types, await writtenContentTypes(opened)] as const]) {
    const entry = opened.entry(name);
    if (!entry) continue;
    view.describe(entry, part);
    if (kept?.wants(name, part.length)) kept.keep(name, [part]);
  }
}

async function scanPart(
  opened: Package,
  name: string,
  entry: Entry,
  bindings: DataBindings,
  view: PrintView,
  kept: KeptParts | undefined,
): Promise<Scanned> {
  // With the declaration, as the rules read a part: so its markup is found once for both.
  const pieces: Buffer[] | undefined = kept?.wants(name, entry.uncompressedSize) ? [DECLARATION] : undefined;
  const onXml = (piece: Buffer) => {
    pieces?.push(piece);
    view.take(piece);
  };
  const scanner = new PartScanner(readNames, onXml, bindings);
  const bound = bindings.count;
  for await (const piece of opened.content(entry)) {
    scanner.write(piece);
    if (scanner.kind === 'xml') assertXmlSize(entry.uncompressedSize);
  }
  scanner.end();
  view.add(entry, scanner.names);
  if (bindings.count > bound) view.addBound(entry);
  if (scanner.mayHaveChange) view.addTracked(entry);
  if (pieces && scanner.kind === 'xml') kept?.keep(name, pieces);
  return scanner;
}

/** The inflated content of a compressed part counts like a part. */
async function scanCompressed(opened: Package, entry: Entry, view: PrintView): Promise<Scanned> {
  const scanner = new PartScanner(readNames, (piece) => view.take(piece));
  let bytes = 0;
  let isWhole = true;
  try {
    for await (const piece of inflated(opened, entry)) {
      bytes += piece.length;
      opened.allowance.takeBytes(piece.length);
      scanner.write(piece);
      if (scanner.kind === 'xml') assertXmlSize(bytes);
    }
  } catch (error) {
    // The engine cannot inflate it either.
    if (!isDataError(error)) throw error;
    isWhole = false;
  }
  scanner.end();
  view.add(entry, scanner.names);
  const { kind, faults, nodes, undrawn, plain } = scanner;
  return { kind, faults, nodes, undrawn, plain: isWhole ? plain : undefined };
}

/** The content of a compressed part. */
function inflated(opened: Package, entry: Entry): Pieces {
  const inflater = createGunzip();
  // An error destroys the inflater, which throws it to its reader.
  pipeline(Readable.from(opened.content(entry)), inflater).catch(() => {});
  return inflater;
}

function isDataError(error: unknown): boolean {
  return error instanceof Error && 'code' in error && String(error.code).startsWith('Z_');
}

/**
 * Data can be longer than a paragraph may be, as pictures in Base64 are. Then the view shows the stored content.
 *
 * @throws PlatenError `CORRUPTED_FILE` if the engine would visit too many nodes of the data.
 */
function checkBindings(
  { entries }: Package,
  bindings: DataBindings,
  nodes: ReadonlyMap<string, number>,
  relationships: Relationships,
  view: PrintView,
): void {
  const data = [...nodes].filter(([name]) => DATA.some((type) => relationships.mayLeadAs(name, type)));
  const sum = data.reduce((all, [, each]) => all + each, 0);
  if (bindings.visits(sum) > MAX_BINDING_VISITS) {
    throw beyondLimits('data-binding', 'binds content to data by paths (XPath) that take too long to follow');
  }
  const longest = Math.max(0, ...data.map(([name]) => entries.get(name)?.uncompressedSize ?? 0));
  const paragraphs = bindings.count * (longest / MAX_PARAGRAPH_BYTES) ** 2;
  if (longest <= MAX_PARAGRAPH_BYTES && paragraphs <= MAX_LONG_BINDINGS) return;
  view.passOverBindings();
}

/**
 * Chunks of other formats are mostly HTML, with a document type and without end tags; the engine reads DOCX only.
 * Drawing programs write SVG with a document type, but without entities. In foreign data, an element called style or
 * paragraph is neither.
 */
async function isHarmless(
  fault: PartFault,
  name: string,
  related: () => Promise<Relationships>,
): Promise<boolean> {
  if (name === CONTENT_TYPES.toLowerCase()) return false;
  const relationships = await related();
  if (fault === 'styles') return !relationships.mayLeadAs(name, STYLES);
  if (fault === 'doubtful') return !relationships.mayLeadAsOther(name, BINARY);
  return relationships.leadOnlyAs(name, harmlessIn[fault] ?? [CHUNK]);
}

/**
 * A package that the engine would open shares the limits of the package around it, and is rewritten like it.
 *
 * @returns whether it is a document that the engine may show.
 */
async function checkNested(
  outer: Package,
  view: PrintView,
  entry: Entry,
  isChunk: boolean,
  depth: number,
): Promise<boolean> {
  if (entry.uncompressedSize > MAX_XML_BYTES) {
    if (isChunk) assertXmlSize(entry.uncompressedSize);
    return false;
  }
  const inner = await openNested(outer, entry, isChunk);
  if (!inner) {
    // The engine may be more lenient.
    if (isChunk) view.leaveOut(entry);
    return false;
  }
  if (depth > MAX_PACKAGE_DEPTH) {
    throw beyondLimits('nesting', `has documents inside documents, deeper than ${MAX_PACKAGE_DEPTH}`);
  }
  const innerView = view.inner();
  const main = await wordMainPart(inner).catch(() => undefined);
  const kept = main === undefined ? undefined : new KeptParts(main);
  await checkContents(inner, innerView, undefined, kept, depth);
  view.replaceNested(entry, await innerView.copy(inner, isChunk), innerView.rewrites);
  // A document that is not a chunk is shown by a picture.
  if (isChunk) view.addInserted(innerView, kept ? insertedExternal(kept) : 0);
  return main !== undefined;
}

/** Undefined if the engine does not open it: embedded workbooks are shown by their picture. */
async function openNested(outer: Package, entry: Entry, isChunk: boolean): Promise<Package | undefined> {
  const bytes = await outer.read(entry, MAX_XML_BYTES);
  try {
    const inner = await Package.open(inMemory(bytes), outer.allowance);
    return isChunk || (await wordMainPart(inner)) !== undefined ? inner : undefined;
  } catch (error) {
    if (error instanceof PlatenError && error.reason !== 'too-many-entries') return undefined;
    throw error;
  }
}
