/** A ZIP writer for tests: unlike a library it also writes what no archive may contain. */
import { crc32, deflateRawSync } from 'node:zlib';

export interface ZipEntry {
  readonly name: string;
  readonly data: Buffer | string;
  /** Written without compression. */
  readonly stored?: boolean;
  /** General purpose bit flags besides UTF-8; bit 0 says that the entry is encrypted. */
  readonly flags?: number;
}

const UTF8_FLAG = 0x800;
/** 1 January 2024, midnight, as DOS writes it. */
const DOS_TIME = 0;
const DOS_DATE = ((2024 - 1980) << 9) | (1 << 5) | 1;

/** An archive of the entries, in their order; the same entries give the same bytes. */
export function zip(entries: readonly ZipEntry[]): Buffer {
  const files: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const entry of entries) {
    const name = Buffer.from(entry.name);
    const data = Buffer.from(entry.data as string);
    const content = entry.stored ? data : deflateRawSync(data);
    const header = Buffer.alloc(26);
    header.writeUInt16LE(20, 0);
    header.writeUInt16LE(UTF8_FLAG | (entry.flags ?? 0), 2);
    header.writeUInt16LE(entry.stored ? 0 : 8, 4);
    header.writeUInt16LE(DOS_TIME, 6);
    header.writeUInt16LE(DOS_DATE, 8);
    header.writeUInt32LE(crc32(data), 10);
    header.writeUInt32LE(content.length, 14);
    header.writeUInt32LE(data.length, 18);
    header.writeUInt16LE(name.length, 22);
    const position = Buffer.alloc(14);
    position.writeUInt32LE(offset, 10);
    files.push(Buffer.from('PK\x03\x04'), header, name, content);
    directory.push(Buffer.from('PK\x01\x02\x14\0', 'latin1'), header, position, name);
    offset += 4 + header.length + name.length + content.length;
  }
  const directoryBytes = Buffer.concat(directory);
  const end = Buffer.alloc(22);
  end.write('PK\x05\x06', 'latin1');
  end.writeUInt16LE(entries.length, 8);
  end.writeUInt16LE(entries.length, 10);
  end.writeUInt32LE(directoryBytes.length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...files, directoryBytes, end]);
}
