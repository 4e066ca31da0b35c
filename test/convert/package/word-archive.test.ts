/** Whether Word itself wrote an archive. */
import t from 'tap';
import { Allowance } from '../../../src/convert/package/limits.ts';
import { Package } from '../../../src/convert/package/package.ts';
import { inMemory } from '../../../src/convert/package/source.ts';
import { partsWith } from '../../support/documents.ts';
import { noise } from '../../support/noise.ts';
import { asWordSaves, type ZipEntry, zip } from '../../support/zip.ts';

async function isWords(archive: Buffer): Promise<boolean> {
  return (await Package.open(inMemory(archive), new Allowance())).isWrittenByWord();
}

const picture: ZipEntry = { name: 'word/media/image1.png', data: noise(99), stored: true };
const entries = [...partsWith(), picture];
/** Offsets of fields behind the signature of an entry in the directory (APPNOTE.TXT 4.3.12), and of one in the first header. */
const fields = { version: 4, system: 5, needed: 6, flags: 8, method: 10, time: 12, date: 14 };
const GROWTH_ID = 30 + '[Content_Types].xml'.length;

t.test('as Word writes it', async (t) => {
  t.ok(await isWords(asWordSaves(entries)));
});

t.test('as other programs write it', async (t) => {
  const [first, ...others] = entries as [ZipEntry, ...ZipEntry[]];
  for (const [what, archive] of [
    ['none of it', zip(entries)],
    ['one entry with flags of its own', asWordSaves([first, { ...picture, flags: 0x8_00 }])],
    ['by Unix', asWordSaves([first, { ...picture, unixMode: 0o644 }])],
    ['another first entry', zip([...others, first], { asWord: true })],
  ] as const) {
    t.notOk(await isWords(archive), what);
  }
});

t.test('one field of one entry suffices', async (t) => {
  const archive = asWordSaves(entries);
  const last = archive.lastIndexOf('PK\x01\x02', undefined, 'latin1');
  for (const [what, at] of Object.entries(fields)) {
    if (what === 'method') continue;
    const changed = Buffer.from(archive);
    changed[last + at] = (changed[last + at] ?? 0) ^ 2;
    t.notOk(await isWords(changed), what);
  }
  const changed = Buffer.from(archive);
  changed[GROWTH_ID] = 0x21;
  t.notOk(await isWords(changed), 'another extra field');
});
