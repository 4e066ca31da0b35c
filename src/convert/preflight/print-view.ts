/**
 * A document as Word prints it: fields show their stored results, tracked changes are shown as made, without marks, and
 * PDFs that are pictures are shown whatever is wrong with them.
 */
import type { Entry } from 'yauzl';
import type { KeptParts } from '../facts/kept-parts.ts';
import { mayHaveColumns, withWordsColumns } from './columns.ts';
import { gridFonts } from './grid-fonts.ts';
import { assertXmlSize, MAX_XML_BYTES } from './limits.ts';
import { mayHaveLineGrid, withWordsGrid } from './line-grid.ts';
import type { Package } from './package.ts';
import { Changes } from './package-changes.ts';
import { assertPdfSize, declareNewerPdf } from './pdf-pictures.ts';
import { Relationships, withRelationship } from './relationships.ts';
import { keepStoredResults, mayKeepResults } from './stored-fields.ts';
import { hasTrackedChange, settingsWithoutMarks, withoutMarks } from './tracked-changes.ts';
import { mayHaveUndatedControl, undateControls } from './undated-controls.ts';
import { mayHideOnWeb, showWebHidden } from './web-hidden.ts';
import { writeFileWhole } from './whole-file.ts';
import { withAsciiMarkup } from './xml-encoding.ts';
import { withoutSections } from './xml-sections.ts';

const SETTINGS = 'settings';
/** A part that is added, beside the main part. */
const ADDED_SETTINGS = 'print-view-settings.xml';
/** Of the piece before, so that nothing is cut that is looked for: more than a tag that names its author has. */
const OVERLAP_BYTES = 1_024;

/** A change of an XML part in place: whether a piece of one may need it, and the change, which says whether it was made. */
interface Mend {
  readonly mayApply: (piece: Buffer) => boolean;
  readonly apply: (part: Buffer) => boolean;
}

const mends: readonly Mend[] = [
  { mayApply: mayKeepResults, apply: keepStoredResults },
  { mayApply: mayHideOnWeb, apply: showWebHidden },
  { mayApply: mayHaveUndatedControl, apply: undateControls },
];

/** Notes what to change in a document while its parts are read, then changes it. */
export class PrintView {
  readonly #mends = new Map<Entry, Set<Mend>>();
  readonly #pdfs: Entry[] = [];
  readonly #withLayout = new Set<Entry | undefined>();
  #hasTrackedChanges = false;

  /** Takes in the pieces of a part, in their order. */
  reader(entry: Entry): (piece: Buffer) => void {
    let tail: Buffer = Buffer.alloc(0);
    const waiting = new Set(mends);
    return (piece) => {
      const bytes = tail.length > 0 ? Buffer.concat([tail, piece]) : piece;
      for (const mend of waiting) {
        if (!mend.mayApply(bytes)) continue;
        waiting.delete(mend);
        this.#mends.set(entry, (this.#mends.get(entry) ?? new Set()).add(mend));
      }
      if (mayHaveLineGrid(bytes) || mayHaveColumns(bytes)) this.#withLayout.add(entry);
      this.#hasTrackedChanges ||= hasTrackedChange(bytes);
      tail = piece.length < entry.uncompressedSize ? Buffer.from(bytes.subarray(-OVERLAP_BYTES)) : tail;
    };
  }

  /** Takes note of a PDF that may be a picture. */
  addPdf(entry: Entry): void {
    this.#pdfs.push(entry);
  }

  /**
   * Puts the document with all changes in the place of the one at `path`; leaves it alone where there are none.
   *
   * @param parts what the rules of its layout are asked for beside the part that they change.
   * @returns whether there were any.
   * @throws PlatenError `CORRUPTED_FILE`; `SERVICE_UNAVAILABLE` where there is no room for it.
   * @throws TooHeavy
   */
  async apply(opened: Package, parts: KeptParts, path: string): Promise<boolean> {
    const { mainPart } = parts;
    const laidOut = this.#withLayout.has(opened.entry(mainPart)) ? opened.entry(mainPart) : undefined;
    const settings = this.#hasTrackedChanges ? await findSettings(opened) : new Set<Entry>();
    const changes = new Changes();
    for (const entry of new Set([...this.#mends.keys(), ...settings, ...(laidOut ? [laidOut] : [])])) {
      const before = await opened.read(entry, MAX_XML_BYTES);
      let part = withoutSections(withAsciiMarkup(before));
      let isChanged = false;
      for (const mend of this.#mends.get(entry) ?? []) isChanged = mend.apply(part) || isChanged;
      const marked = settings.has(entry) ? withoutMarks(part) : undefined;
      if (marked) [part, isChanged] = [marked, true];
      if (entry === laidOut) {
        const xml = part.toString('latin1');
        const fonts = gridFonts(parts);
        const changed = withWordsColumns(withWordsGrid(xml, fonts), fonts);
        if (changed !== xml) [part, isChanged] = [Buffer.from(changed, 'latin1'), true];
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
      if (declareNewerPdf(picture)) changes.replace(entry, picture);
    }
    if (this.#hasTrackedChanges && settings.size === 0) await addSettings(opened, mainPart, changes);
    if (changes.isEmpty) return false;
    opened.allowance.assertLightToCopy();
    await writeFileWhole(path, (file) => opened.write(file, changes));
    return true;
  }
}

/** The settings of the document, and those of its building blocks, which may have the same file name. */
async function findSettings(opened: Package): Promise<Set<Entry>> {
  const relationships = await Relationships.of(opened);
  const found = [...opened.entries].filter(([name]) => relationships.mayLeadAs(name, SETTINGS));
  return new Set(found.map(([, entry]) => entry));
}

/** Gives settings to a document that has none. */
async function addSettings(opened: Package, mainPart: string, changes: Changes): Promise<void> {
  const main = opened.entry(mainPart)?.fileNameRaw.toString('utf8') ?? mainPart;
  const folder = main.slice(0, main.lastIndexOf('/') + 1);
  const links = `${folder}_rels/${main.slice(folder.length)}.rels`;
  if (opened.entry(folder + ADDED_SETTINGS)) return;
  const entry = opened.entry(links);
  const linked = withRelationship(
    entry ? withAsciiMarkup(await opened.read(entry, MAX_XML_BYTES)) : undefined,
    SETTINGS,
    ADDED_SETTINGS,
  );
  if (!linked) return;
  changes.add(folder + ADDED_SETTINGS, settingsWithoutMarks());
  if (entry) changes.replace(entry, linked);
  else changes.add(links, linked);
}
