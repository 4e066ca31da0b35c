/**
 * The print view: the document rewritten so that LibreOffice shows what Word prints. It has stored results, accepted
 * changes, the fonts that Word takes, lines where Word puts them (print-rules.ts), and safe PDF pictures.
 */
import type { Entry } from 'yauzl';
import type { RefusalReason } from '../../errors.ts';
import type { ConversionOptions, RequestedLayout } from '../../shared/options/conversion-options.ts';
import { withValues } from '../document/attributes.ts';
import { missingTimes } from '../document/core-properties.ts';
import type { Inserted, KeptParts } from '../document/kept-parts.ts';
import type { LastResorts } from '../document/last-resorts.ts';
import { linkedText, linksOf } from '../document/links.ts';
import type { MarkedCells } from '../document/marked-cells.ts';
import type { OmittedKind } from '../document/omitted-kinds.ts';
import { type PageNumbers, withFirstPage } from '../document/page-numbers.ts';
import { readSavedBy, type SavedBy } from '../document/saved-by.ts';
import { hasAlignedSections } from '../document/sections.ts';
import { Settings } from '../document/settings.ts';
import { Styles } from '../document/styles.ts';
import { tagsIn } from '../document/tags.ts';
import { noTheme } from '../document/theme.ts';
import { countAsWord } from '../document/word-count.ts';
import { passOverBindings } from '../package/data-bindings.ts';
import { assertXmlSize, MAX_PARAGRAPH_BYTES, MAX_XML_BYTES } from '../package/limits.ts';
import type { Package } from '../package/package.ts';
import { Changes, type LateContent } from '../package/package-changes.ts';
import { assertPdfSize, declareNewerPdf } from '../package/pdf-pictures.ts';
import { plainXml } from '../package/plain-xml.ts';
import { beyondLimits } from '../package/refusal.ts';
import { Relationships, withRelationship, withRelationships } from '../package/relationships.ts';
import { writeFileWhole } from '../package/whole-file.ts';
import { XmlScanner } from '../package/xml-scanner.ts';
import { withAnchors } from '../pagination/page-anchors.ts';
import { PAGE_MARK, readPageStarts } from '../pagination/page-start-reader.ts';
import { hasMarks, withoutPlaces } from '../pagination/page-starts.ts';
import { withParagraphAnchors } from '../pagination/paragraph-anchors.ts';
import { believedPages, type WordPagination } from '../pagination/word-pages.ts';
import { withMarks } from '../rules/change-marks.ts';
import { withOneSection } from '../rules/inserted-sections.ts';
import { type PrintRule, printRules } from '../rules/print-rules.ts';
import { hasHebrew } from '../rules/replaced-fonts.ts';
import { RuledDocument } from '../rules/ruled-document.ts';
import { hasSectionEndnotes, withoutNotes, withSectionEndnotes } from '../rules/section-endnotes.ts';
import { FieldNotes, mayHaveBarcodes } from '../rules/stored-fields.ts';
import { countChanges, hasTrackedChange, withoutChanges } from '../rules/tracked-changes.ts';
import { lacksTheme, usualTheme } from '../rules/usual-theme.ts';
import { withoutSections } from '../rules/xml-sections.ts';
import { type Bytes, bytesIn, partOf } from '../text/bytes.ts';
import { missingProperties, type Properties, replaceProperties } from './properties.ts';

const SETTINGS = 'settings';
const THEME = 'theme';
/** Added next to the main part. */
const ADDED_THEME = 'print-view-theme.xml';
/** The element with the content of a main part. */
const BODY = 'body';

/** Local names of elements that decide what is done with a part. */
export const readNames: ReadonlySet<string> = new Set([
  ...printRules.flatMap(({ elements }) => elements),
  ...[PAGE_MARK, BODY],
]);

/** In front of ids of relationships that move to the main part. */
const MOVED = 'moved-';
const TRACKED_CHANGES = 'tracked-changes';
const NOTHING = Buffer.alloc(0);
const BLANK = plainXml(Buffer.from('<nothing/>'));

/** The refusal of a document whose paragraphs are too long. */
export const longParagraph: readonly [RefusalReason, string] = [
  'paragraph',
  `has a paragraph of more than ${MAX_PARAGRAPH_BYTES / 1_024} kB of text`,
];

/** Options that decide what of a document is shown. */
export interface ShownOptions extends Pick<ConversionOptions, 'changes' | 'fields'> {
  /** Of a document that becomes a part of a PDF whose numbers run on; undefined: as the document says. */
  readonly pageNumbers?: PageNumbers | undefined;
}

interface PrintViewOptions {
  /** Whose page breaks are requested; for Word's, the main part gets anchors where its pages begin. */
  readonly layout: ConversionOptions['layout'];
  /** Replacements for fonts that are not installed. */
  readonly resorts: LastResorts;
  /** The version of LibreOffice that the document is for; undefined if unknown. */
  readonly libreOffice: string | undefined;
  /** Replace the document's; none by default. */
  readonly properties?: Properties | undefined;
}

/** Changes that do not follow from the parts alone. */
interface Scope {
  /** Settings parts in which marks of tracked changes are turned on. */
  readonly settings: ReadonlySet<Entry>;
  readonly resorts: LastResorts;
  readonly libreOffice?: string | undefined;
  /** Parts with the body of an inserted document. */
  readonly inserted?: ReadonlySet<Entry>;
  /** The main part of an outermost document, and who saved it, if its stored page starts may be believed. */
  readonly main?:
    | { readonly entry: Entry; readonly kept: KeptParts; readonly savedBy: SavedBy | undefined }
    | undefined;
}

/** Collects changes while the parts of a document are read, then applies them. */
export class PrintView {
  /** Names of the rules that changed something; complete once they have been applied. */
  readonly rewrites = new Set<string>();
  #insertedPdfs = 0;
  #insertedExternal = 0;
  readonly #rules = new Map<Entry, Set<PrintRule>>();
  readonly #withPageMarks = new Set<Entry>();
  readonly #bodies = new Set<Entry>();
  readonly #bound = new Set<Entry>();
  readonly #pdfs: Entry[] = [];
  readonly #nested = new Map<Entry, Buffer>();
  /** XML parts that are not yet as the engine gets them. */
  readonly #anew = new Map<Entry, Omit<LateContent, 'method'>>();
  /** Those among them whose content is compressed in itself, as that of SVG may be. */
  readonly #compressed = new Set<Entry>();
  /** The parts that describe the package. */
  readonly #described = new Map<Entry, Buffer>();
  readonly #leftOut = new Set<Entry>();
  readonly #blank = new Set<Entry>();
  #passesOverBindings = false;
  /** Parts with what may be a tracked change. */
  readonly #tracked = new Set<Entry>();
  /** Parts without their tracked changes, which are made, or left out. */
  readonly #settled = new Map<Entry, Buffer>();
  /** Cells with diagonal lines; complete once the rules have been applied. */
  markedCells: readonly MarkedCells[] = [];
  /** What the rules could not show as Word does, and how often; complete once they have been applied. */
  readonly missing = new Map<OmittedKind, number>();
  /** What becomes of the fields; complete once the rules have been applied. */
  readonly fields = new FieldNotes();
  readonly #options: ShownOptions;
  #hasTrackedChanges = false;
  #hasHebrew = false;
  #wordPages: WordPagination = 'no-marks';

  constructor(options: ShownOptions = {}) {
    this.#options = options;
  }

  /** One for a document inside the document. */
  inner(): PrintView {
    return new PrintView(this.#options);
  }

  /** Takes a piece of a part. */
  take(piece: Buffer): void {
    this.#hasHebrew ||= hasHebrew(piece);
  }

  /** Registers a part. @param names those of {@link readNames} that elements of it have. */
  add(entry: Entry, names: ReadonlySet<string>): void {
    const rules = printRules.filter(({ elements }) => elements.some((name) => names.has(name)));
    if (rules.length > 0) this.#rules.set(entry, new Set(rules));
    if (names.has(PAGE_MARK)) this.#withPageMarks.add(entry);
    if (names.has(BODY)) this.#bodies.add(entry);
  }

  /** Registers a part that may have tracked changes. */
  addTracked(entry: Entry): void {
    this.#tracked.add(entry);
  }

  /** Takes back what {@link add} noted of a part that is no XML. */
  leaveAlone(entry: Entry): void {
    for (const noted of [this.#rules, this.#withPageMarks, this.#tracked, this.#bound]) noted.delete(entry);
  }

  /** Registers a part that binds content to data. */
  addBound(entry: Entry): void {
    this.#bound.add(entry);
  }

  /** Call if the data are too long to show. */
  passOverBindings(): void {
    this.#passesOverBindings = true;
  }

  /** Has an XML part written anew, if no rule does it. @param isCompressed whether its content is compressed in itself. */
  rewrite(entry: Entry, content: Omit<LateContent, 'method'>, isCompressed: boolean): void {
    this.#anew.set(entry, content);
    if (isCompressed) this.#compressed.add(entry);
  }

  /** Has a part that describes the package written anew. */
  describe(entry: Entry, part: Buffer): void {
    this.#described.set(entry, part);
  }

  /** Leaves an XML part without content, but XML: the engine gives up where it must be some. */
  blank(entry: Entry): void {
    this.#blank.add(entry);
  }

  /** Leaves a part without content. */
  leaveOut(entry: Entry): void {
    this.#leftOut.add(entry);
    this.#rules.delete(entry);
  }

  /** Registers a PDF that may be a picture. */
  addPdf(entry: Entry): void {
    this.#pdfs.push(entry);
  }

  /** Number of PDFs that may be pictures, in it and in inserted documents. */
  get pdfs(): number {
    return this.#pdfs.length + this.#insertedPdfs;
  }

  /** What is in inserted documents: PDFs that may be pictures, and links to external content. */
  get inserted(): Inserted {
    return { pdfs: this.#insertedPdfs, external: this.#insertedExternal };
  }

  /** Registers an inserted document. @param external number of its own links to external content. */
  addInserted(view: PrintView, external: number): void {
    this.#insertedPdfs += view.pdfs;
    this.#insertedExternal += view.#insertedExternal + external;
  }

  /** Registers the new content of a document inside the document. */
  replaceNested(entry: Entry, document: Buffer, rewrites: Iterable<string>): void {
    this.#nested.set(entry, document);
    for (const each of rewrites) this.rewrites.add(each);
  }

  /**
   * The document with all changes, for one inside another.
   *
   * @param isInserted its content becomes content of the document around it.
   * @throws PlatenError `CORRUPTED_FILE`
   */
  async copy(opened: Package, isInserted: boolean): Promise<Buffer> {
    await this.#settleChanges(opened);
    const changes = await this.#changes(opened, {
      settings: new Set(),
      resorts: new Map(),
      inserted: isInserted ? this.#bodies : new Set(),
    });
    const pieces: Buffer[] = [];
    await opened.write({ writeFile: (bytes) => void pieces.push(bytes) }, changes);
    return Buffer.concat(pieces);
  }

  /**
   * Writes the document for the engine to `path`.
   *
   * @param kept the parts, and which is the main one.
   * @returns Word's page starts.
   * @throws PlatenError `CORRUPTED_FILE`; `SERVICE_UNAVAILABLE` if there is no space.
   */
  async write(
    opened: Package,
    kept: KeptParts,
    path: string,
    { layout = 'auto', resorts, libreOffice, properties }: PrintViewOptions,
  ): Promise<WordPagination> {
    const entry = opened.entry(kept.mainPart);
    const savedBy = entry && (await this.#believedSaver(opened, kept, entry, layout));
    await this.#settleChanges(opened, kept);
    if (entry) await this.#settleEndnotes(opened, kept, entry);
    if (entry) await this.#settlePageNumbers(opened, kept, entry);
    const isMarked = this.#hasTrackedChanges && this.#options.changes === 'marked';
    const settings = isMarked ? await findSettings(opened) : new Set<Entry>();
    const main = entry && { entry, kept, savedBy };
    const changes = await this.#changes(opened, { settings, resorts, libreOffice, main });
    if (lacksTheme(kept)) {
      const theme = { type: THEME, name: ADDED_THEME, part: plainXml(usualTheme) };
      if (addPart(opened, kept.mainPart, changes, this.#described, theme)) this.rewrites.add(THEME);
    }
    const times = missingTimes(kept);
    if (properties || times || missingProperties(opened, kept).size > 0)
      await replaceProperties(opened, kept, changes, { ...times, ...properties }, this.#described);
    await writeFileWhole(path, (file) => opened.write(file, changes));
    return this.#wordPages;
  }

  /**
   * Who saved the document, if what it says of its pages in Word may be believed: because Word wrote the archive, or because the
   * text still has as many characters as Word counted, or because the sender says so.
   */
  async #believedSaver(
    opened: Package,
    kept: KeptParts,
    entry: Entry,
    layout: RequestedLayout,
  ): Promise<SavedBy | undefined> {
    const savedBy = readSavedBy(kept);
    const isWord = savedBy.isWord || layout === 'word';
    this.#wordPages = layout === 'engine' ? 'requested' : isWord ? 'no-marks' : 'not-word';
    if (layout === 'engine' || !isWord) return undefined;
    const isCounted = savedBy.pages !== undefined && savedBy.characters !== 0;
    if (!this.#withPageMarks.has(entry) && !isCounted) return undefined;
    if (layout === 'word' || opened.isWrittenByWord()) return savedBy;
    const { characters, tolerance } = countAsWord(plainBytes(await opened.read(entry, MAX_XML_BYTES)), kept);
    if (Math.abs(characters - (savedBy.characters ?? 0)) <= tolerance) return savedBy;
    this.#wordPages = 'not-saved-by-word';
    return undefined;
  }

  /**
   * Makes all tracked changes, or leaves them out, unless they are to be marked.
   *
   * @param kept receives the parts without them: the other rules and the metadata read those.
   * @throws PlatenError `CORRUPTED_FILE` if paragraphs that it joins exceed a limit.
   */
  async #settleChanges(opened: Package, kept?: KeptParts): Promise<void> {
    const { changes = 'final' } = this.#options;
    if (this.#tracked.size === 0) return;
    for (const [name, entry] of opened.entries) {
      if (!this.#tracked.has(entry)) continue;
      const xml = plainBytes(await opened.read(entry, MAX_XML_BYTES));
      if (!hasTrackedChange(xml)) continue;
      this.#hasTrackedChanges = true;
      if (changes === 'marked') continue;
      const part = partOf(withoutChanges(xml, changes));
      const scanner = new XmlScanner();
      scanner.write(part);
      if (scanner.faults.includes('paragraph')) throw beyondLimits(...longParagraph);
      this.#settled.set(entry, part);
      this.rewrites.add(TRACKED_CHANGES);
      kept?.settle(name, part, countChanges(xml));
    }
  }

  /**
   * Moves endnotes to the end of their sections, where the document has them there.
   *
   * @param kept receives the parts with them: the other rules and the metadata read those.
   */
  async #settleEndnotes(opened: Package, kept: KeptParts, main: Entry): Promise<void> {
    const settings = linkedText(kept, 'settings');
    const link = linksOf(kept, kept.mainPart).find(({ type }) => type === 'endnotes');
    const entry = hasSectionEndnotes(settings) && link ? opened.entry(link.target) : undefined;
    if (!link || !entry) return;
    const read = async (each: Entry) =>
      this.#settled.get(each)?.toString('latin1') ?? plainBytes(await opened.read(each, MAX_XML_BYTES));
    const before = await read(main);
    const notes = await read(entry);
    const tabStop = new Settings(settings).tabStop;
    const options = { settings, tabStop, linkId: (id: string) => MOVED + id };
    const { count, unwritten, changed } = withSectionEndnotes(before, notes, options);
    if (count === 0) return;
    if (changed === undefined || !this.#moveLinks(opened, kept, link.target)) {
      this.#miss('section-endnote', count);
      return;
    }
    // The other rules do not see them as notes.
    this.#miss('number-format', unwritten);
    for (const [name, each, xml] of [
      [kept.mainPart, main, changed],
      [link.target, entry, withoutNotes(notes)],
    ] as const) {
      const part = partOf(xml);
      this.#settled.set(each, part);
      kept.settle(name, part, kept.changes(name));
    }
    const rules = [...(this.#rules.get(main) ?? []), ...(this.#rules.get(entry) ?? [])];
    this.#rules.set(main, new Set(rules));
    this.rewrites.add('section-endnotes');
  }

  /** @param kept receives the main part with its first page: the other rules read where its sections begin. */
  async #settlePageNumbers(opened: Package, kept: KeptParts, main: Entry): Promise<void> {
    const { pageNumbers } = this.#options;
    if (!pageNumbers) return;
    const before =
      this.#settled.get(main)?.toString('latin1') ?? plainBytes(await opened.read(main, MAX_XML_BYTES));
    const part = partOf(withFirstPage(before, pageNumbers.first) as Bytes);
    this.#settled.set(main, part);
    kept.settle(kept.mainPart, part, kept.changes(kept.mainPart));
    this.rewrites.add('page-numbers');
  }

  #miss(kind: OmittedKind, count: number): void {
    this.missing.set(kind, (this.missing.get(kind) ?? 0) + count);
  }

  /** Gives the main part the relationships of another part in its folder. @returns whether it has them. */
  #moveLinks(opened: Package, kept: KeptParts, from: string): boolean {
    const own = opened.entry(linksName(from));
    const links = own && this.#described.get(own);
    if (!links) return true;
    const entry = opened.entry(linksName(kept.mainPart));
    const others = tagsIn(links.toString('latin1'), (name) => name === 'Relationship').map(({ attributes }) =>
      withValues(attributes, (name, value) => (name === 'Id' ? MOVED + value : value)),
    );
    const linked = entry && withRelationships(this.#described.get(entry), others);
    if (!entry || !linked || folderOf(from) !== folderOf(kept.mainPart)) return false;
    this.#described.set(entry, linked);
    kept.settle(linksName(kept.mainPart), linked, 0);
    return true;
  }

  /** The main part with anchors where pages begin; unchanged if that is unknown, or without marks. */
  #anchored(xml: Bytes, kept: KeptParts, savedBy: SavedBy): Bytes {
    const starts = readPageStarts(xml, new Styles(linkedText(kept, 'styles'), noTheme));
    this.#wordPages = believedPages(starts && withoutPlaces(starts), savedBy, this.#hasTrackedChanges);
    return starts && typeof this.#wordPages !== 'string' && hasMarks(starts) ? withAnchors(xml, starts) : xml;
  }

  async #read(opened: Package, entry: Entry): Promise<Buffer> {
    const anew = this.#compressed.has(entry) ? this.#anew.get(entry) : undefined;
    if (!anew) return opened.read(entry, MAX_XML_BYTES);
    const pieces: Buffer[] = [];
    for await (const piece of anew.pieces()) pieces.push(piece);
    return Buffer.concat(pieces);
  }

  async #changes(
    opened: Package,
    { settings, resorts, libreOffice, inserted = new Set(), main }: Scope,
  ): Promise<Changes> {
    const changes = new Changes();
    const bound = this.#passesOverBindings ? this.#bound : new Set<Entry>();
    const document = main && new RuledDocument(main.kept, this.#options.pageNumbers?.total);
    const settled = this.#settled;
    const entries = new Set([...settled.keys(), ...this.#rules.keys(), ...settings, ...bound, ...inserted]);
    if (main) {
      // Last, as fields of all parts decide whether it gets anchors; but for the styles, to which its rules may add some.
      const link = linksOf(main.kept, main.kept.mainPart).find(({ type }) => type === 'styles');
      const styles = link && opened.entry(link.target);
      for (const entry of [main.entry, ...(styles && entries.has(styles) ? [styles] : [])]) {
        entries.delete(entry);
        entries.add(entry);
      }
    }
    for (const entry of entries) {
      const before = await this.#read(opened, entry);
      let xml: Bytes = settled.get(entry)?.toString('latin1') ?? plainBytes(before);
      let isChanged = settled.has(entry);
      const take = (name: string, changed: Bytes) => {
        if (changed === xml) return;
        [xml, isChanged] = [changed, true];
        this.rewrites.add(name);
      };
      const isMain = entry === main?.entry;
      const context = {
        name: entry.fileNameRaw.toString('utf8').toLowerCase(),
        resorts,
        hasHebrew: this.#hasHebrew,
        libreOffice,
        document,
        mainOf: isMain ? document : undefined,
        updatesFields: this.#options.fields === 'updated',
        fields: this.fields,
        drawBarcode: mayHaveBarcodes(before)
          ? (await import('../rules/barcode-library.ts')).drawBarcode
          : undefined,
      };
      const rules = this.#rules.get(entry);
      for (const rule of printRules) if (rules?.has(rule)) take(rule.name, rule.apply(xml, context));
      if (bound.has(entry)) {
        const part = partOf(xml);
        passOverBindings(part);
        take('data-bindings', bytesIn(part));
      }
      if (inserted.has(entry)) take('inserted-sections', withOneSection(xml));
      if (settings.has(entry)) take(TRACKED_CHANGES, withMarks(xml));
      if (isMain && (this.fields.hasPageFields || hasAlignedSections(main.kept.text(main.kept.mainPart))))
        take('paragraph-anchors', withParagraphAnchors(xml));
      // Last, as anchors refer to positions in the final part.
      if (isMain && main.savedBy) take('page-anchors', this.#anchored(xml, main.kept, main.savedBy));
      if (!isChanged) continue;
      const part = partOf(xml);
      // UTF-8 may take more than UTF-16, and text more than a CDATA section.
      assertXmlSize(part.length);
      opened.allowance.takeBytes(Math.max(0, part.length - before.length));
      changes.replace(entry, part);
    }
    if (document) {
      const { cells, missing } = document.cellMarks;
      this.markedCells = cells;
      this.#miss('diagonal-border', missing);
      this.#miss('number-format', document.unwrittenNumbers);
      for (const [kind, count] of this.fields.missing) this.#miss(kind, count);
    }
    for (const entry of this.#pdfs) {
      assertPdfSize(entry.uncompressedSize);
      const picture = Buffer.from(await opened.read(entry, MAX_XML_BYTES));
      if (!declareNewerPdf(picture)) continue;
      changes.replace(entry, picture);
      this.rewrites.add('pdf-pictures');
    }
    for (const [entry, document] of this.#nested) changes.replace(entry, document);
    for (const [entry, part] of this.#described) changes.replace(entry, part);
    for (const entry of this.#blank) changes.replace(entry, BLANK);
    for (const entry of this.#leftOut) changes.replace(entry, NOTHING);
    for (const [entry, content] of this.#anew)
      if (!changes.replaced.has(entry)) changes.rewrite(entry, content);
    return changes;
  }
}

/** A part as the engine gets it, without sections. */
function plainBytes(part: Buffer): Bytes {
  return bytesIn(withoutSections(plainXml(part)));
}

/** Settings parts: the document's, and its building blocks', which may have the same file name. */
async function findSettings(opened: Package): Promise<Set<Entry>> {
  const relationships = await Relationships.of(opened);
  const found = [...opened.entries].filter(([name]) => relationships.mayLeadAs(name, SETTINGS));
  return new Set(found.map(([, entry]) => entry));
}

/**
 * Adds a part beside the main part, which links to it.
 *
 * @param described the parts that describe the package, as they are to be written.
 * @returns whether it could be added.
 */
function addPart(
  opened: Package,
  mainPart: string,
  changes: Changes,
  described: Map<Entry, Buffer>,
  { type, name, part }: { readonly type: string; readonly name: string; readonly part: Buffer },
): boolean {
  const main = opened.entry(mainPart)?.fileNameRaw.toString('utf8').replaceAll('\\', '/') ?? mainPart;
  const folder = folderOf(main);
  const links = linksName(main);
  if (opened.entry(folder + name)) return false;
  const entry = opened.entry(links);
  const linked = withRelationship(entry && described.get(entry), type, name);
  if (!linked) return false;
  changes.add(folder + name, part);
  if (entry) {
    changes.replace(entry, linked);
    described.set(entry, linked);
  } else changes.add(links, linked);
  return true;
}

/** The folder of a part, with a slash behind it. */
function folderOf(name: string): string {
  return name.slice(0, name.lastIndexOf('/') + 1);
}

/** The name of the part with the relationships of another one. */
function linksName(name: string): string {
  const folder = folderOf(name);
  return `${folder}_rels/${name.slice(folder.length)}.rels`;
}
