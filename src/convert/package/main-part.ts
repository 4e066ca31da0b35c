/** Finds the main part of an Office package, whose type says what the file is (ECMA-376 part 2, OPC). */
import type { PlatenError, RefusalReason } from '../../errors.ts';
import type { DocumentType } from '../../shared/document-types.ts';
import { Description } from './description.ts';
import { CONTENT_TYPES } from './foreign-package.ts';
import type { Package } from './package.ts';
import { damaged, document, type ForeignFormat, invalidType, other } from './refusal.ts';

const RELATIONSHIPS = '_rels/.rels';
const PART_LIMIT = 1_048_576;

const TYPES_NAMESPACE = 'http://schemas.openxmlformats.org/package/2006/content-types';
const RELATIONSHIPS_NAMESPACE = 'http://schemas.openxmlformats.org/package/2006/relationships';

/** Relationship types that lead to the main part: transitional and strict. */
const toMainPart: readonly string[] = [
  'http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument',
  'http://purl.oclc.org/ooxml/officeDocument/relationships/officeDocument',
];

/** Word's kinds of documents by the type of their main part; transitional and strict ones share it. */
const wordDocuments: ReadonlyMap<string, DocumentType> = new Map([
  ['application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml', 'docx'],
  ['application/vnd.openxmlformats-officedocument.wordprocessingml.template.main+xml', 'dotx'],
  ['application/vnd.ms-word.document.macroenabled.main+xml', 'docm'],
  ['application/vnd.ms-word.template.macroenabledtemplate.main+xml', 'dotm'],
]);

const wordTypes: readonly string[] = [
  'application/vnd.openxmlformats-officedocument.wordprocessingml.',
  'application/vnd.ms-word.',
];

/** Refusals of types that are not accepted. */
const refusedDocuments: Readonly<
  Record<Exclude<DocumentType, 'docx'>, readonly [ForeignFormat, RefusalReason]>
> = {
  dotx: [document('a Word template (.dotx)'), 'template'],
  docm: [document('a macro-enabled document (.docm)'), 'macro-enabled'],
  dotm: [document('a macro-enabled Word template (.dotm)'), 'macro-enabled'],
};

/** Other package formats by the type of their main part. */
const otherPackages: ReadonlyMap<string, ForeignFormat> = new Map([
  [
    'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml',
    other('an Excel workbook (.xlsx)'),
  ],
  [
    'application/vnd.openxmlformats-officedocument.spreadsheetml.template.main+xml',
    other('an Excel template (.xltx)'),
  ],
  ['application/vnd.ms-excel.sheet.macroenabled.main+xml', other('a macro-enabled Excel workbook (.xlsm)')],
  ['application/vnd.ms-excel.sheet.binary.macroenabled.main', other('a binary Excel workbook (.xlsb)')],
  [
    'application/vnd.openxmlformats-officedocument.presentationml.presentation.main+xml',
    other('a PowerPoint presentation (.pptx)'),
  ],
  [
    'application/vnd.openxmlformats-officedocument.presentationml.slideshow.main+xml',
    other('a PowerPoint slide show (.ppsx)'),
  ],
  [
    'application/vnd.openxmlformats-officedocument.presentationml.template.main+xml',
    other('a PowerPoint template (.potx)'),
  ],
  [
    'application/vnd.ms-powerpoint.presentation.macroenabled.main+xml',
    other('a macro-enabled PowerPoint presentation (.pptm)'),
  ],
  ['application/vnd.ms-visio.drawing.main+xml', other('a Visio drawing (.vsdx)')],
]);

/** Media types of a package's parts, in lower case. */
interface ContentTypes {
  /** By part name, in lower case and without the leading slash. */
  readonly overrides: ReadonlyMap<string, string>;
  /** By file name extension, in lower case. */
  readonly defaults: ReadonlyMap<string, string>;
  /** All of them. */
  readonly part: Description;
}

/** The main part of a package. */
interface MainPart {
  /** Its name, in lower case. */
  readonly name: string;
  /** Its media type, in lower case. */
  readonly type: string | undefined;
}

/**
 * Checks that the main part is a WordprocessingML document of an accepted type, exists and is not empty.
 *
 * @returns its name, in lower case.
 * @throws PlatenError INVALID_FILE_TYPE, which names the format, or CORRUPTED_FILE.
 */
export async function requireDocument(opened: Package, accepted: readonly DocumentType[]): Promise<string> {
  const main = await findMainPart(opened);
  const type = wordDocuments.get(main?.type ?? '');
  if (!main || !type) {
    const what = otherPackages.get(main?.type ?? '') ?? other('an Office package without a Word document');
    throw invalidType(what(accepted));
  }
  if (type !== 'docx' && !accepted.includes(type)) {
    const [what, reason] = refusedDocuments[type];
    throw invalidType(what(accepted), reason);
  }
  const entry = opened.entry(main.name);
  if (!entry) throw broken('the main part is missing');
  if (entry.uncompressedSize === 0) throw broken('the main part is empty');
  return main.name;
}

/**
 * The main part of a Word file, including templates and macro-enabled ones; undefined for other packages.
 *
 * @returns its name, in lower case.
 * @throws PlatenError CORRUPTED_FILE
 */
export async function wordMainPart(opened: Package): Promise<string | undefined> {
  const main = await findMainPart(opened);
  return wordTypes.some((prefix) => main?.type?.startsWith(prefix)) ? main?.name : undefined;
}

async function findMainPart(opened: Package): Promise<MainPart | undefined> {
  const types = await readContentTypes(opened);
  const name = (await relatedMainPart(opened)) ?? typedMainPart(types);
  return name === undefined ? undefined : { name, type: typeOf(name, types) };
}

const broken = (cause: string): PlatenError => damaged('main-part', cause);

/**
 * The content types, written anew.
 *
 * @throws PlatenError CORRUPTED_FILE
 */
export async function writtenContentTypes(opened: Package): Promise<Buffer> {
  return (await readContentTypes(opened)).part.toBuffer();
}

async function readContentTypes(opened: Package): Promise<ContentTypes> {
  const overrides = new Map<string, string>();
  const defaults = new Map<string, string>();
  const part = new Description('Types', TYPES_NAMESPACE);
  await opened.readElements(CONTENT_TYPES, PART_LIMIT, ({ namespace, name, attributes }) => {
    if (namespace !== TYPES_NAMESPACE) return;
    const written = attributes.get('ContentType')?.trim() ?? '';
    const type = written.toLowerCase();
    const [reference, extension] = [attributes.get('PartName') ?? '', attributes.get('Extension') ?? ''];
    if (name === 'Override' && setOnce(overrides, partName(reference), type))
      part.add(name, { PartName: reference, ContentType: written });
    if (name === 'Default' && setOnce(defaults, extension.toLowerCase(), type))
      part.add(name, { Extension: extension, ContentType: written });
  });
  return { overrides, defaults, part };
}

/**
 * Readers differ in which of two types they take; ours and the engine's must not.
 *
 * @returns whether it is new.
 */
function setOnce(types: Map<string, string>, key: string, type: string): boolean {
  if (types.has(key) && types.get(key) !== type) throw new Error(`two content types for ${key}`);
  const isNew = !types.has(key);
  types.set(key, type);
  return isNew;
}

/** The main part that the package's relationships name, if any. */
async function relatedMainPart(opened: Package): Promise<string | undefined> {
  const targets = new Set<string>();
  await opened.readElements(RELATIONSHIPS, PART_LIMIT, ({ namespace, name, attributes }) => {
    if (namespace !== RELATIONSHIPS_NAMESPACE || name !== 'Relationship') return;
    if (!toMainPart.includes(attributes.get('Type') ?? '')) return;
    targets.add(partName(attributes.get('Target') ?? ''));
  });
  if (targets.size > 1) throw broken('the package names several main parts');
  return [...targets][0];
}

/** The main part of a package that lacks the relationship: the first part of a main part's type. */
function typedMainPart(types: ContentTypes): string | undefined {
  const isMain = (type: string): boolean => wordDocuments.has(type) || otherPackages.has(type);
  return [...types.overrides].find(([, type]) => isMain(type))?.[0];
}

function typeOf(name: string, types: ContentTypes): string | undefined {
  return types.overrides.get(name) ?? types.defaults.get(name.slice(name.lastIndexOf('.') + 1));
}

/** Part names are absolute or relative to the package's root, and equal without regard to case. */
function partName(reference: string): string {
  return reference.replace(/^(\.?\/)+/, '').toLowerCase();
}
