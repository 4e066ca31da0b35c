/** Writes a document in which pages begin where Word began them. */
import { closeSync, constants, openSync } from 'node:fs';
import type { DocumentType } from '../../document-types.ts';
import { KeptParts } from '../facts/kept-parts.ts';
import { linksOf } from '../facts/links.ts';
import { type Allowance, assertXmlSize, MAX_XML_BYTES } from '../preflight/limits.ts';
import { requireDocument } from '../preflight/main-part.ts';
import { Package } from '../preflight/package.ts';
import { Changes } from '../preflight/package-changes.ts';
import { writeFileWhole } from '../preflight/whole-file.ts';
import { withAsciiMarkup } from '../preflight/xml-encoding.ts';
import { TailReader } from '../tail-reader.ts';
import { ListItems } from './list-items.ts';
import { withPageBreaks } from './page-breaks.ts';
import type { PagePlan } from './page-plan.ts';
import { readPageStarts } from './page-start-reader.ts';

/**
 * @param from path of a document that has passed the preflight.
 * @param to path of the one that is written.
 * @throws PlatenError `CORRUPTED_FILE` where it would be beyond a limit; `SERVICE_UNAVAILABLE` where there is no room.
 */
export async function paginate(
  from: string,
  to: string,
  plan: PagePlan,
  accepted: readonly DocumentType[],
  allowance: Allowance,
): Promise<void> {
  const fd = openSync(from, constants.O_RDONLY | constants.O_NOFOLLOW);
  try {
    const opened = await Package.open(TailReader.over(fd), allowance);
    const main = await requireDocument(opened, accepted);
    const entry = opened.entry(main);
    if (!entry) throw new Error('the main part is gone');
    const xml = withAsciiMarkup(await opened.read(entry, MAX_XML_BYTES)).toString('latin1');
    const starts = readPageStarts(xml);
    if (!starts) throw new Error('the marks are gone');
    const part = Buffer.from(withPageBreaks(xml, starts, plan, await listItems(opened, main)), 'latin1');
    assertXmlSize(part.length);
    const changes = new Changes();
    changes.replace(entry, part);
    await writeFileWhole(to, (file) => opened.write(file, changes));
  } finally {
    closeSync(fd);
  }
}

async function listItems(opened: Package, main: string): Promise<ListItems> {
  const parts = new KeptParts(main);
  const read = async (name: string | undefined) => {
    const entry = name === undefined ? undefined : opened.entry(name);
    if (!entry || name === undefined || !parts.wants(name, entry.uncompressedSize)) return '';
    parts.keep(name, [await opened.read(entry, MAX_XML_BYTES)]);
    return parts.text(name);
  };
  const folder = main.slice(0, main.lastIndexOf('/') + 1);
  await read(`${folder}_rels/${main.slice(folder.length)}.rels`);
  const links = linksOf(parts, main).filter(({ isExternal }) => !isExternal);
  const part = (type: string) => read(links.find((link) => link.type === type)?.target);
  return new ListItems(await part('numbering'), await part('styles'));
}
