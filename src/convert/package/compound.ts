/** Reads the directory of a compound file, the container of legacy and encrypted Office files ([MS-CFB]). */
import type { TailReader } from '../../system/tail-reader.ts';

const HEADER_BYTES = 512;
const ENTRY_BYTES = 128;
/** FAT sectors that the header itself lists; the others are listed by the chain of DIFAT sectors. */
const HEADER_FAT_SECTORS = 109;
const MAX_DIRECTORY_BYTES = 1_048_576;

/**
 * Names of the streams and storages at the root of a compound file, in bounded memory. Of a damaged container, those
 * that can be reached.
 */
export async function rootNames(reader: TailReader): Promise<ReadonlySet<string>> {
  const header = await reader.read(0, HEADER_BYTES);
  const names = new Set<string>();
  if (header.length < HEADER_BYTES) return names;
  const directory = await readDirectory(reader, header);
  const visited = new Set<number>();
  const pending = [childOfRoot(directory)];
  for (let id = pending.pop(); id !== undefined; id = pending.pop()) {
    const entry = directory.subarray(id * ENTRY_BYTES, (id + 1) * ENTRY_BYTES);
    if (visited.has(id) || entry.length < ENTRY_BYTES) continue;
    visited.add(id);
    names.add(nameOf(entry));
    // Left and right sibling in the tree of the root's children (2.6.1); NOSTREAM lies beyond the directory.
    pending.push(entry.readUInt32LE(68), entry.readUInt32LE(72));
  }
  return names;
}

function childOfRoot(directory: Buffer): number {
  return directory.length < ENTRY_BYTES ? Number.MAX_SAFE_INTEGER : directory.readUInt32LE(76);
}

function nameOf(entry: Buffer): string {
  const bytes = Math.min(entry.readUInt16LE(64), 64) & ~1;
  return entry.toString('utf16le', 0, Math.max(0, bytes - 2));
}

/** The directory's sectors, joined by following their chain through the FAT. */
async function readDirectory(reader: TailReader, header: Buffer): Promise<Buffer> {
  const sectorBytes = header.readUInt16LE(30) === 12 ? 4_096 : 512;
  const sector = (number: number): Promise<Buffer> => reader.read((number + 1) * sectorBytes, sectorBytes);
  const fat = await fatSectors(reader, header, sector, sectorBytes);
  const perSector = sectorBytes / 4;
  const sectors: Buffer[] = [];
  let number = header.readUInt32LE(48);
  while (sectors.length < MAX_DIRECTORY_BYTES / sectorBytes) {
    const content = await sector(number);
    if (content.length < sectorBytes) break;
    sectors.push(content);
    const fatSector = await sector(fat[Math.floor(number / perSector)] ?? Number.MAX_SAFE_INTEGER);
    if (fatSector.length < sectorBytes) break;
    number = fatSector.readUInt32LE((number % perSector) * 4);
  }
  return Buffer.concat(sectors);
}

/** Numbers of the sectors that hold the FAT (2.5); as many as the file has room for, whatever it says. */
async function fatSectors(
  reader: TailReader,
  header: Buffer,
  sector: (number: number) => Promise<Buffer>,
  sectorBytes: number,
): Promise<readonly number[]> {
  const perSector = sectorBytes / 4;
  const limit = Math.ceil(reader.size / sectorBytes / perSector);
  const fat: number[] = [];
  for (let i = 0; i < HEADER_FAT_SECTORS; i += 1) fat.push(header.readUInt32LE(76 + i * 4));
  let next = header.readUInt32LE(68);
  while (fat.length < limit) {
    const difat = await sector(next);
    if (difat.length < sectorBytes) break;
    for (let i = 0; i < perSector - 1; i += 1) fat.push(difat.readUInt32LE(i * 4));
    next = difat.readUInt32LE(sectorBytes - 4);
  }
  return fat;
}
