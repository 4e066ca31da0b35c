/** Writes compound files ([MS-CFB] version 3), the container of legacy and encrypted Office files. */

interface Stream {
  /** With its storage before a slash, if any. */
  readonly name: string;
  readonly data: Buffer;
}

const SECTOR = 512;
const PER_SECTOR = SECTOR / 4;
const HEADER_FAT_SECTORS = 109;
/** Streams below this size would live in the mini stream; padding them avoids it. */
const MINI_STREAM_CUTOFF = 4_096;
const FREE = 0xffffffff;
const END_OF_CHAIN = 0xfffffffe;
const FAT_SECTOR = 0xfffffffd;
const DIFAT_SECTOR = 0xfffffffc;

/** A compound file with these streams. The directory comes last, as far from the header as possible. */
export function compoundFile(streams: readonly Stream[]): Buffer {
  const storages = [...new Set(streams.flatMap(({ name }) => (name.includes('/') ? [storageOf(name)] : [])))];
  // The entries of a storage are adjacent, in the given order.
  const ordered = [...streams, ...storages.map((name) => ({ name, data: undefined }))].sort(
    (a, b) => byName(storageOf(a.name), storageOf(b.name)) || byName(a.name, b.name),
  );
  const contents = ordered.map(({ data }) =>
    data ? padded(data, Math.max(MINI_STREAM_CUTOFF, data.length)) : Buffer.alloc(0),
  );
  const directoryBytes = Math.ceil((ordered.length + 1) / 4) * SECTOR;
  const dataSectors = contents.reduce((sum, { length }) => sum + length, directoryBytes) / SECTOR;
  const { fatSectors, difatSectors } = tableSizes(dataSectors);

  // Sectors in this order: DIFAT, FAT, streams, directory.
  const fat = Buffer.alloc(fatSectors * SECTOR, 0xff);
  const setFat = (sector: number, value: number) => fat.writeUInt32LE(value, sector * 4);
  for (let i = 0; i < difatSectors; i += 1) setFat(i, DIFAT_SECTOR);
  for (let i = 0; i < fatSectors; i += 1) setFat(difatSectors + i, FAT_SECTOR);
  let next = difatSectors + fatSectors;
  const chain = (bytes: number): number => {
    const start = next;
    next += bytes / SECTOR;
    for (let sector = start; sector < next; sector += 1) {
      setFat(sector, sector + 1 === next ? END_OF_CHAIN : sector + 1);
    }
    return start;
  };
  const starts = contents.map(({ length }) => (length > 0 ? chain(length) : 0));
  const directoryStart = chain(directoryBytes);

  const directory = padded(
    Buffer.concat([
      directoryEntry('Root Entry', 5, { child: 1, start: END_OF_CHAIN }),
      ...ordered.map(({ name, data }, i) => {
        const right =
          ordered[i + 1] && storageOf(ordered[i + 1]?.name ?? '') === storageOf(name) ? i + 2 : FREE;
        if (data) {
          const size = Math.max(MINI_STREAM_CUTOFF, data.length);
          return directoryEntry(baseOf(name), 2, { right, start: starts[i] ?? END_OF_CHAIN, size });
        }
        const child = 1 + ordered.findIndex((other) => storageOf(other.name) === name);
        return directoryEntry(name, 1, { right, child, start: 0 });
      }),
    ]),
    directoryBytes,
  );
  const { inHeader, difat } = fatLocations(fatSectors, difatSectors);
  const header = headerSector(fatSectors, difatSectors, directoryStart, inHeader);
  return Buffer.concat([header, difat, fat, ...contents, directory]);
}

const storageOf = (name: string): string => name.slice(0, Math.max(0, name.indexOf('/')));
const baseOf = (name: string): string => name.slice(name.indexOf('/') + 1);

/** The order of [MS-CFB] 2.6.4. */
function byName(a: string, b: string): number {
  return a.length - b.length || (a.toUpperCase() < b.toUpperCase() ? -1 : Number(a !== b));
}

function tableSizes(dataSectors: number): { fatSectors: number; difatSectors: number } {
  let fatSectors = 0;
  let difatSectors = 0;
  // Each table must also have room for the tables' own sectors.
  while (fatSectors * PER_SECTOR < dataSectors + fatSectors + difatSectors) {
    fatSectors += 1;
    difatSectors = Math.ceil(Math.max(0, fatSectors - HEADER_FAT_SECTORS) / (PER_SECTOR - 1));
  }
  return { fatSectors, difatSectors };
}

/** Positions of the FAT: its first sectors are listed in the header, the others in a chain of DIFAT sectors. */
function fatLocations(fatSectors: number, difatSectors: number): { inHeader: number[]; difat: Buffer } {
  const numbers = Array.from({ length: fatSectors }, (_, i) => difatSectors + i);
  const difat = Buffer.alloc(difatSectors * SECTOR, 0xff);
  for (const [i, number] of numbers.slice(HEADER_FAT_SECTORS).entries()) {
    difat.writeUInt32LE(number, Math.floor(i / (PER_SECTOR - 1)) * SECTOR + (i % (PER_SECTOR - 1)) * 4);
  }
  for (let i = 0; i < difatSectors; i += 1) {
    difat.writeUInt32LE(i + 1 < difatSectors ? i + 1 : END_OF_CHAIN, (i + 1) * SECTOR - 4);
  }
  return { inHeader: numbers.slice(0, HEADER_FAT_SECTORS), difat };
}

function headerSector(
  fatSectors: number,
  difatSectors: number,
  directoryStart: number,
  fatInHeader: readonly number[],
): Buffer {
  const header = Buffer.alloc(SECTOR);
  header.write('\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1', 'latin1');
  header.writeUInt16LE(0x3e, 24);
  header.writeUInt16LE(3, 26);
  header.writeUInt16LE(0xfffe, 28);
  header.writeUInt16LE(9, 30);
  header.writeUInt16LE(6, 32);
  header.writeUInt32LE(fatSectors, 44);
  header.writeUInt32LE(directoryStart, 48);
  header.writeUInt32LE(MINI_STREAM_CUTOFF, 56);
  header.writeUInt32LE(END_OF_CHAIN, 60);
  header.writeUInt32LE(difatSectors > 0 ? 0 : END_OF_CHAIN, 68);
  header.writeUInt32LE(difatSectors, 72);
  header.fill(0xff, 76);
  for (const [i, number] of fatInHeader.entries()) header.writeUInt32LE(number, 76 + i * 4);
  return header;
}

interface EntryFields {
  readonly right?: number;
  readonly child?: number;
  readonly start: number;
  readonly size?: number;
}

function directoryEntry(name: string, type: number, fields: EntryFields): Buffer {
  const entry = Buffer.alloc(128);
  entry.write(name, 'utf16le');
  entry.writeUInt16LE((name.length + 1) * 2, 64);
  // Type, and the colour black.
  entry.set([type, 1], 66);
  entry.writeUInt32LE(FREE, 68);
  entry.writeUInt32LE(fields.right ?? FREE, 72);
  entry.writeUInt32LE(fields.child ?? FREE, 76);
  entry.writeUInt32LE(fields.start, 116);
  entry.writeUInt32LE(fields.size ?? 0, 120);
  return entry;
}

function padded(data: Buffer, length: number): Buffer {
  return Buffer.concat([data, Buffer.alloc(Math.ceil(length / SECTOR) * SECTOR - data.length)]);
}
