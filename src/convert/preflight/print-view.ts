/**
 * A document as Word prints it: fields show their stored results, as does what is bound to data that are too long, tracked
 * changes are shown as made, without marks, and PDFs that are pictures are shown whatever is wrong with them.
 */
import type { Entry } from 'yauzl';
import type { KeptParts } from '../facts/kept-parts.ts';
import { readSavedBy, type SavedBy } from '../facts/saved-by.ts';
import { withAnchors } from '../pagination/page-anchors.ts';
import { PAGE_MARK, readPageStarts, withoutPlaces } from '../pagination/page-starts.ts';
import { believedPages, type WordPagination } from '../pagination/word-pages.ts';
import { passOverBindings } from './data-bindings.ts';
import { assertXmlSize, MAX_XML_BYTES } from './limits.ts';
import type { Package } from './package.ts';
import { Changes } from './package-changes.ts';
import { assertPdfSize, declareNewerPdf } from './pdf-pictures.ts';
import { Relationships, withRelationship } from './relationships.ts';
import { keepStoredResults, mayKeepResults } from './stored-fields.ts';
import { hasTrackedChange, settingsWithoutMarks, withoutMarks } from './tracked-changes.ts';
import { writeFileWhole } from './whole-file.ts';
import { withAsciiMarkup } from './xml-encoding.ts';
import { withoutSections } from './xml-sections.ts';

const SETTINGS = 'settings';
/** A part that is added, beside the main part. */
const ADDED_SETTINGS = 'print-view-settings.xml';
/** Of the piece before, so that nothing is cut that is looked for: more than a tag that names its author has. */
const OVERLAP_BYTES = 1_024;

/** A rule of the print view, as the log calls it. */
export type Rewrite = 'stored-fields' | 'data-bindings' | 'tracked-changes' | 'pdf-pictures' | 'page-anchors';

/** Notes what to change in a document while its parts are read, then changes it. */
export class PrintView {
  /** The rules that changed something, once they have been applied. */
  readonly rewrites = new Set<Rewrite>();
  readonly #withFields = new Set<Entry>();
  readonly #withPageMarks = new Set<Entry>();
  readonly #bound = new Set<Entry>();
  readonly #pdfs: Entry[] = [];
  readonly #nested = new Map<Entry, Buffer>();
  #passesOverBindings = false;
  #hasTrackedChanges = false;
  #wordPages: WordPagination = 'no-marks';

  /** Takes in the pieces of a part, in their order. */
  reader(entry: Entry): (piece: Buffer) => void {
    let tail: Buffer = Buffer.alloc(0);
    return (piece) => {
      const bytes = tail.length > 0 ? Buffer.concat([tail, piece]) : piece;
      if (mayKeepResults(bytes)) this.#withFields.add(entry);
      if (bytes.includes(PAGE_MARK)) this.#withPageMarks.add(entry);
      this.#hasTrackedChanges ||= hasTrackedChange(bytes);
      tail = piece.length < entry.uncompressedSize ? Buffer.from(bytes.subarray(-OVERLAP_BYTES)) : tail;
    };
  }

  /** Takes note of a part that binds content to data. */
  addBound(entry: Entry): void {
    this.#bound.add(entry);
  }

  /** The data are too long to show. */
  passOverBindings(): void {
    this.#passesOverBindings = true;
  }

  /** Takes note of a PDF that may be a picture. */
  addPdf(entry: Entry): void {
    this.#pdfs.push(entry);
  }

  /** Takes note of a document inside the document, as it is to be. */
  replaceNested(entry: Entry, document: Buffer, rewrites: Iterable<Rewrite>): void {
    this.#nested.set(entry, document);
    for (const each of rewrites) this.rewrites.add(each);
  }

  /**
   * The document with all changes, for one that is inside another; its tracked changes stay as they are.
   *
   * @returns undefined where there are none.
   * @throws PlatenError `CORRUPTED_FILE`
   * @throws TooHeavy
   */
  async copy(opened: Package): Promise<Buffer | undefined> {
    const changes = await this.#changes(opened, new Set());
    if (changes.isEmpty) return undefined;
    opened.allowance.assertLightToCopy();
    const pieces: Buffer[] = [];
    await opened.write({ writeFile: async (bytes) => void pieces.push(bytes) }, changes);
    return Buffer.concat(pieces);
  }

  /**
   * Puts the document with all changes in the place of the one at `path`; leaves it alone where there are none.
   *
   * @param kept the parts, and which of them is the main one.
   * @param wantsPages whether the pages of Word are asked for; then the main part gets anchors where they begin.
   * @returns whether there were any, and what is known of the pages of Word.
   * @throws PlatenError `CORRUPTED_FILE`; `SERVICE_UNAVAILABLE` where there is no room for it.
   * @throws TooHeavy
   */
  async apply(
    opened: Package,
    kept: KeptParts,
    path: string,
    wantsPages: boolean,
  ): Promise<{ readonly isChanged: boolean; readonly wordPages: WordPagination }> {
    const savedBy = readSavedBy(kept);
    this.#wordPages = wantsPages ? believedPages(undefined, savedBy, false) : 'requested';
    const entry = opened.entry(kept.mainPart);
    const isMarked = entry && wantsPages && savedBy.isWord && this.#withPageMarks.has(entry);
    const settings = this.#hasTrackedChanges ? await findSettings(opened) : new Set<Entry>();
    const changes = await this.#changes(opened, settings, isMarked ? { entry, savedBy } : undefined);
    const lacksSettings = this.#hasTrackedChanges && settings.size === 0;
    if (lacksSettings && (await addSettings(opened, kept.mainPart, changes)))
      this.rewrites.add('tracked-changes');
    if (changes.isEmpty) return { isChanged: false, wordPages: this.#wordPages };
    opened.allowance.assertLightToCopy();
    await writeFileWhole(path, (file) => opened.write(file, changes));
    return { isChanged: true, wordPages: this.#wordPages };
  }

  /** The main part with anchors where pages begin; undefined where nobody knows where they do. */
  #anchored(part: Buffer, savedBy: SavedBy): Buffer | undefined {
    const xml = part.toString('latin1');
    const starts = readPageStarts(xml);
    this.#wordPages = believedPages(starts && withoutPlaces(starts), savedBy, this.#hasTrackedChanges);
    if (!starts || typeof this.#wordPages === 'string') return undefined;
    return Buffer.from(withAnchors(xml, starts), 'latin1');
  }

  /**
   * @param settings whose marks of tracked changes are to be left out.
   * @param main the main part, where it may say where pages begin in Word.
   */
  async #changes(
    opened: Package,
    settings: ReadonlySet<Entry>,
    main?: { readonly entry: Entry; readonly savedBy: SavedBy },
  ): Promise<Changes> {
    const changes = new Changes();
    const bound = this.#passesOverBindings ? this.#bound : new Set<Entry>();
    const marked = main ? [main.entry] : [];
    for (const entry of new Set([...this.#withFields, ...settings, ...bound, ...marked])) {
      const before = await opened.read(entry, MAX_XML_BYTES);
      let part = withoutSections(withAsciiMarkup(before));
      let isChanged = this.#withFields.has(entry) && keepStoredResults(part);
      if (isChanged) this.rewrites.add('stored-fields');
      if (bound.has(entry)) {
        passOverBindings(part);
        isChanged = true;
        this.rewrites.add('data-bindings');
      }
      const unmarked = settings.has(entry) ? withoutMarks(part) : undefined;
      if (unmarked) {
        [part, isChanged] = [unmarked, true];
        this.rewrites.add('tracked-changes');
      }
      const anchored = main?.entry === entry ? this.#anchored(part, main.savedBy) : undefined;
      if (anchored) {
        [part, isChanged] = [anchored, true];
        this.rewrites.add('page-anchors');
      }
      if (!isChanged) continue;
      // UTF-8 may take more than UTF-16, and text more than a CDATA section.
      assertXmlSize(part.length);
      opened.allowance.takeBytes(Math.max(0, part.length - before.length));
      changes.replace(entry, part);
    }
    for (const entry of this.#pdfs) {
      assertPdfSize(entry.uncompressedSize);
      const picture = await opened.read(entry, MAX_XML_BYTES);
      if (!declareNewerPdf(picture)) continue;
      changes.replace(entry, picture);
      this.rewrites.add('pdf-pictures');
    }
    for (const [entry, document] of this.#nested) changes.replace(entry, document);
    return changes;
  }
}

/** The settings of the document, and those of its building blocks, which may have the same file name. */
async function findSettings(opened: Package): Promise<Set<Entry>> {
  const relationships = await Relationships.of(opened);
  const found = [...opened.entries].filter(([name]) => relationships.mayLeadAs(name, SETTINGS));
  return new Set(found.map(([, entry]) => entry));
}

/** Gives settings to a document that has none. @returns whether there is a place for them. */
async function addSettings(opened: Package, mainPart: string, changes: Changes): Promise<boolean> {
  const main = opened.entry(mainPart)?.fileNameRaw.toString('utf8') ?? mainPart;
  const folder = main.slice(0, main.lastIndexOf('/') + 1);
  const links = `${folder}_rels/${main.slice(folder.length)}.rels`;
  if (opened.entry(folder + ADDED_SETTINGS)) return false;
  const entry = opened.entry(links);
  const linked = withRelationship(
    entry ? withAsciiMarkup(await opened.read(entry, MAX_XML_BYTES)) : undefined,
    SETTINGS,
    ADDED_SETTINGS,
  );
  if (!linked) return false;
  changes.add(folder + ADDED_SETTINGS, settingsWithoutMarks());
  if (entry) changes.replace(entry, linked);
  else changes.add(links, linked);
  return true;
}
