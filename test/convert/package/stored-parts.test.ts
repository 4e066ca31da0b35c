/** What is known of the parts of a package when it has arrived, and what that spares the preflight. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import fc from 'fast-check';
import t from 'tap';
import { Allowance, MAX_ENTRIES, TooHeavy } from '../../../src/convert/package/limits.ts';
import { Package } from '../../../src/convert/package/package.ts';
import { inMemory } from '../../../src/convert/package/source.ts';
import { StoredParts } from '../../../src/convert/package/stored-parts.ts';
import { inspect } from '../../../src/convert/preflight/inspection.ts';
import * as documents from '../../support/documents.ts';
import { noise } from '../../support/noise.ts';
import { relationships } from '../../support/office-package.ts';
import { pictures } from '../../support/pictures.ts';
import { type ZipEntry, zip } from '../../support/zip.ts';
import { arrived, fileOf, never } from '../support/preflight.ts';

const MB = 1_048_576;
const LARGE = { name: 'word/media/large.bin', data: noise(MB), stored: true };

const around = (...entries: readonly ZipEntry[]) => zip([...documents.partsWith(), ...entries]);
const filled = (start: string) => Buffer.concat([Buffer.from(start, 'latin1'), noise(MB)]);

/** The names of the entries that need not be read again. */
async function known(archive: Buffer, lengths?: readonly number[]): Promise<string[]> {
  const parts = arrived(archive, lengths);
  const opened = await Package.open(inMemory(archive), new Allowance(false, never()), parts);
  return [...opened.entries].filter(([, entry]) => opened.arrived(entry)).map(([name]) => name);
}

t.test('large stored parts are known, in whatever pieces they arrive', async (t) => {
  const archive = around(
    LARGE,
    { name: 'word/media/small.bin', data: noise(10_000), stored: true },
    { name: 'word/media/deflated.bin', data: noise(100_000) },
    { name: 'word/media/last.bin', data: noise(16_384), stored: true },
  );
  const names = ['word/media/large.bin', 'word/media/last.bin'];
  t.same(await known(archive), names);
  t.same(await known(archive, [1]), names, 'byte by byte');
  const lengths = fc.array(fc.integer({ min: 1, max: 70_000 }), { minLength: 1, maxLength: 20 });
  const property = fc.asyncProperty(lengths, async (each) => {
    t.same(await known(archive, each), names);
  });
  await fc.assert(property, { numRuns: 30 });
});

const others: readonly (readonly [string, Buffer])[] = [
  ['markup', around({ ...LARGE, data: `<a>${'<b/>'.repeat(20_000)}</a>` })],
  ['a package', around({ ...LARGE, data: zip([LARGE]) })],
  ['what is compressed once more', around({ ...LARGE, data: filled('\x1f\x8b\x08') })],
  [
    'a picture of too many pixels',
    around({ ...LARGE, data: Buffer.concat([pictures.png(20_000, 20_000), noise(MB)]) }),
  ],
  [
    'a picture whose headers take long',
    around({ ...LARGE, data: Buffer.concat([Buffer.from([0xff, 0xd8]), Buffer.alloc(MB, 0xff)]) }),
  ],
  ['what comes after an entry without sizes', around({ name: 'a', data: 'a', descriptor: 'signed' }, LARGE)],
  ['what comes after an encrypted entry', around({ name: 'a', data: 'a', flags: 1, localClaims: {} }, LARGE)],
  ['a part of another CRC', around({ ...LARGE, claims: { crc: 1 } })],
  ['a part of another size in the directory', around({ ...LARGE, localClaims: { compressedSize: MB - 1 } })],
  [
    'a part of another method in the directory',
    around({ ...LARGE, claims: { method: 8 }, localClaims: { method: 0 } }),
  ],
];
for (const [what, archive] of others) {
  t.test(`not known: ${what}`, async (t) => {
    t.same(await known(archive), []);
  });
}

t.test('what is known of pictures keeps nothing of the upload in memory', async (t) => {
  const media = Array.from({ length: 20 }, (_, i) => ({
    name: `word/media/${i}.png`,
    data: Buffer.concat([pictures.png(10, 10), noise(100_000)]),
    stored: true,
  }));
  const archive = around(...media);
  const parts = new StoredParts(never());
  // In a function of its own, so that no variable holds the last piece.
  const write = (at: number) => {
    const { buffer } = new Uint8Array(archive.subarray(at, at + 65_536));
    parts.write(Buffer.from(buffer));
    return new WeakRef(buffer);
  };
  const pieces: WeakRef<ArrayBuffer>[] = [];
  for (let at = 0; at < archive.length; at += 65_536) pieces.push(write(at));
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  await nextTurn();
  collect();
  t.equal(pieces.filter((piece) => piece.deref()).length, 0);
  const opened = await Package.open(inMemory(archive), new Allowance(false, never()), parts);
  t.equal([...opened.entries.values()].filter((entry) => opened.arrived(entry)).length, media.length);
});

t.test('as many headers are followed as a package may have entries', async (t) => {
  const empty = Buffer.alloc(30);
  empty.write('PK\x03\x04', 'latin1');
  const after = (headers: number) => zip([{ ...LARGE, gap: Buffer.concat(Array(headers).fill(empty)) }]);
  t.same(await known(after(MAX_ENTRIES - 1)), [LARGE.name]);
  t.same(await known(after(MAX_ENTRIES)), []);
});

t.test('a document is light when its pictures are known', async (t) => {
  const light = (document: Buffer, isKnown: boolean) =>
    inspect(
      fileOf(t, document),
      new Allowance(true, never()),
      ['docx'],
      isKnown ? { arrived: arrived(document) } : {},
    );
  const document = around(LARGE);
  await t.rejects(light(document, false), TooHeavy);
  await t.resolves(light(document, true));
  await t.rejects(
    light(around(LARGE, { name: 'a.bin', data: noise(MB) }), true),
    TooHeavy,
    'not with others',
  );
  const twice = { ...LARGE, name: 'word/media/twice.bin', sharesDataOf: LARGE.name };
  await t.rejects(light(around(LARGE, twice), true), TooHeavy, 'not where two entries share a place');
  const tracked = '<w:p><w:ins w:id="1" w:author="A"><w:r><w:t>new</w:t></w:r></w:ins></w:p>';
  const parts = documents.partsWith({ 'word/document.xml': documents.mainPart(tracked) });
  await t.rejects(
    light(zip([...parts, LARGE]), true),
    TooHeavy,
    'where it has to be copied for its print view',
  );
  const type = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships/settings';
  const links = relationships([`<Relationship Id="settings" Type="${type}" Target="media/large.bin"/>`]);
  await t.rejects(
    light(zip([...parts, { name: 'word/_rels/document.xml.rels', data: links }, LARGE]), true),
    TooHeavy,
    'where it may be the settings, which are read for the print view',
  );
});
