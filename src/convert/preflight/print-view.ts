/** A document as Word prints it: fields show their stored results, tracked changes are shown as made, without marks. */
import { constants } from 'node:fs';
import { open, rename } from 'node:fs/promises';
import type { Entry } from 'yauzl';
import { MAX_XML_BYTES } from './limits.ts';
import type { Package } from './package.ts';
import { Relationships } from './relationships.ts';
import { keepStoredResults, mayKeepResults } from './stored-fields.ts';
import { hasTrackedChange, withoutMarks } from './tracked-changes.ts';
import { withAsciiMarkup } from './xml-encoding.ts';

const SETTINGS = 'settings';
/** Of the piece before, so that nothing is cut that is looked for: more than a tag that names its author has. */
const OVERLAP_BYTES = 1_024;

/** Notes what to change in a document while its parts are read, then changes it. */
export class PrintView {
  readonly #withFields = new Set<Entry>();
  #hasTrackedChanges = false;

  /** Takes in the pieces of a part, in their order. */
  reader(entry: Entry): (piece: Buffer) => void {
    let tail: Buffer = Buffer.alloc(0);
    return (piece) => {
      const bytes = tail.length > 0 ? Buffer.concat([tail, piece]) : piece;
      if (mayKeepResults(bytes)) this.#withFields.add(entry);
      this.#hasTrackedChanges ||= hasTrackedChange(bytes);
      tail = piece.length < entry.uncompressedSize ? Buffer.from(bytes.subarray(-OVERLAP_BYTES)) : tail;
    };
  }

  /**
   * Puts the document with all changes in the place of the one at `path`; leaves it alone where there are none.
   *
   * @throws PlatenError `CORRUPTED_FILE`
   */
  async apply(opened: Package, path: string): Promise<void> {
    const replaced = new Map<Entry, Buffer>();
    for (const entry of this.#withFields) {
      const part = withAsciiMarkup(await opened.read(entry, MAX_XML_BYTES));
      if (keepStoredResults(part)) replaced.set(entry, part);
    }
    if (this.#hasTrackedChanges) {
      const settings = await findSettings(opened);
      const part = settings && (replaced.get(settings) ?? (await opened.read(settings, MAX_XML_BYTES)));
      const changed = part && withoutMarks(withAsciiMarkup(part));
      if (settings && changed) replaced.set(settings, changed);
    }
    if (replaced.size > 0) await replace(opened, replaced, path);
  }
}

async function findSettings(opened: Package): Promise<Entry | undefined> {
  const relationships = await Relationships.of(opened);
  for (const [name, entry] of opened.entries) if (relationships.mayLeadAs(name, SETTINGS)) return entry;
  return undefined;
}

/** The file at `path` is whole at any time. */
async function replace(opened: Package, replaced: ReadonlyMap<Entry, Buffer>, path: string): Promise<void> {
  const draft = `${path}.draft`;
  const file = await open(draft, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL, 0o600);
  try {
    await opened.write(file, replaced);
  } finally {
    await file.close();
  }
  await rename(draft, path);
}
