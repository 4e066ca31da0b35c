/** Writes a document in which pages begin where Word began them. */
import { closeSync, constants, openSync } from 'node:fs';
import type { DocumentType } from '../../document-types.ts';
import { type Allowance, assertXmlSize, MAX_XML_BYTES } from '../preflight/limits.ts';
import { requireDocument } from '../preflight/main-part.ts';
import { Package } from '../preflight/package.ts';
import { Changes } from '../preflight/package-changes.ts';
import { writeFileWhole } from '../preflight/whole-file.ts';
import { withAsciiMarkup } from '../preflight/xml-encoding.ts';
import { TailReader } from '../tail-reader.ts';
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
    const entry = opened.entry(await requireDocument(opened, accepted));
    if (!entry) throw new Error('the main part is gone');
    const xml = withAsciiMarkup(await opened.read(entry, MAX_XML_BYTES)).toString('latin1');
    const starts = readPageStarts(xml);
    if (!starts) throw new Error('the marks are gone');
    const part = Buffer.from(withPageBreaks(xml, starts, plan), 'latin1');
    assertXmlSize(part.length);
    const changes = new Changes();
    changes.replace(entry, part);
    await writeFileWhole(to, (file) => opened.write(file, changes));
  } finally {
    closeSync(fd);
  }
}
