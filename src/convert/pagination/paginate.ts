/** Writes a document in which pages begin where Word began them, with anchors there; or one without anchors. */
import { closeSync, constants, openSync } from 'node:fs';
import type { DocumentType } from '../../shared/document-types.ts';
import { TailReader } from '../../system/tail-reader.ts';
import { KeptParts } from '../document/kept-parts.ts';
import { linkedText, linksOf } from '../document/links.ts';
import { Styles } from '../document/styles.ts';
import { noTheme } from '../document/theme.ts';
import { type Allowance, assertXmlSize, MAX_XML_BYTES } from '../package/limits.ts';
import { requireDocument } from '../package/main-part.ts';
import { Package } from '../package/package.ts';
import { Changes } from '../package/package-changes.ts';
import { writeFileWhole } from '../package/whole-file.ts';
import type { Bytes } from '../text/bytes.ts';
import { withHigherBodies } from './body-heights.ts';
import { ListItems } from './list-items.ts';
import { withAnchors, withoutAnchors } from './page-anchors.ts';
import { withPageBreaks } from './page-breaks.ts';
import type { PagePlan } from './page-plan.ts';
import { readPageStarts } from './page-start-reader.ts';
import { hasMarks } from './page-starts.ts';

interface PaginateOptions {
  readonly accepted: readonly DocumentType[];
  /** The version of LibreOffice that the document is for; undefined where it is not known. */
  readonly libreOffice: string | undefined;
}

/**
 * @param from path of a document that has passed the preflight.
 * @param to path of the one that is written.
 * @param plan undefined for the engine's own layout, without anchors.
 * @throws PlatenError `CORRUPTED_FILE` where it would be beyond a limit; `SERVICE_UNAVAILABLE` where there is no room.
 */
export async function paginate(
  from: string,
  to: string,
  plan: PagePlan | undefined,
  { accepted, libreOffice }: PaginateOptions,
  allowance: Allowance,
): Promise<void> {
  const fd = openSync(from, constants.O_RDONLY | constants.O_NOFOLLOW);
  try {
    const opened = await Package.open(TailReader.over(fd), allowance);
    const main = await requireDocument(opened, accepted);
    const entry = opened.entry(main);
    if (!entry) throw new Error('the main part is gone');
    let xml = (await opened.read(entry, MAX_XML_BYTES)).toString('latin1');
    xml = plan ? planned(xml, await keptParts(opened, main), plan, libreOffice) : withoutAnchors(xml);
    const part = Buffer.from(xml, 'latin1');
    assertXmlSize(part.length);
    const changes = new Changes();
    changes.replace(entry, part);
    await writeFileWhole(to, (file) => opened.write(file, changes));
  } finally {
    closeSync(fd);
  }
}

/** The main part with the breaks of a plan. */
function planned(xml: Bytes, parts: KeptParts, plan: PagePlan, libreOffice: string | undefined): Bytes {
  const styles = new Styles(linkedText(parts, 'styles'), noTheme);
  let [anchored, starts] = [xml, readPageStarts(xml, styles)];
  if (starts && !hasMarks(starts)) {
    anchored = withAnchors(xml, starts);
    starts = readPageStarts(anchored, styles);
  }
  if (!starts) throw new Error('the marks are gone');
  const lists = new ListItems(linkedText(parts, 'numbering'), styles);
  const broken = withPageBreaks(anchored, starts, plan, lists, styles);
  return withHigherBodies(broken, plan.growth, libreOffice);
}

/** The parts that say what paragraphs are that name a style or a list. */
async function keptParts(opened: Package, main: string): Promise<KeptParts> {
  const parts = new KeptParts(main);
  const keep = async (name: string) => {
    const entry = opened.entry(name);
    if (!entry || !parts.wants(name, entry.uncompressedSize)) return;
    parts.keep(name, [await opened.read(entry, MAX_XML_BYTES)]);
  };
  const folder = main.slice(0, main.lastIndexOf('/') + 1);
  await keep(`${folder}_rels/${main.slice(folder.length)}.rels`);
  for (const { type, target } of linksOf(parts, main)) {
    if (type === 'styles' || type === 'numbering') await keep(target);
  }
  return parts;
}
