/** Checks entry names: unique for every reader, and inside the package. */
import { crc32 } from 'node:zlib';
import { type Entry, validateFileName } from 'yauzl';
import { damaged } from './refusal.ts';

/** Several times what any writer uses, and enough for file systems. */
const MAX_NAME_BYTES = 512;
/** Info-ZIP Unicode Path (APPNOTE.TXT 4.6.9). */
const UNICODE_PATH = 0x7075;
const UNIX = 3;
const FILE_TYPE = 0o170000;
const SYMBOLIC_LINK = 0o120000;

/**
 * The entries by name, as the engine reads names: as UTF-8, whatever the flags say, and ignoring case, as part names
 * do (ECMA-376 part 2, 6.2.2).
 *
 * @throws PlatenError `CORRUPTED_FILE` if two readers could take different entries for the same part.
 */
export function indexByName(entries: readonly Entry[]): Map<string, Entry> {
  const index = new Map<string, Entry>();
  const taken = new Set<string>();
  for (const entry of entries) {
    const name = normalize(entry.fileNameRaw);
    for (const each of new Set([name, unicodePath(entry) ?? name])) {
      if (taken.has(each)) throw damaged('duplicate-name', `two entries are named ${each}`);
      taken.add(each);
    }
    if (isSymbolicLink(entry)) throw damaged('bad-name', `${name} is a symbolic link`);
    index.set(name, entry);
  }
  for (const name of taken) refuseEntryAsFolder(name, taken);
  return index;
}

/** The form in which names are compared: `/` as separator, lower case. */
export function normalize(raw: Buffer): string {
  if (raw.length > MAX_NAME_BYTES) throw damaged('bad-name', 'a name is too long');
  const name = raw.toString('utf8').replaceAll('\\', '/').toLowerCase();
  const fault = name.includes('\0') ? 'NUL in a name' : validateFileName(name);
  if (fault !== null) throw damaged('bad-name', fault);
  if (name === '' || /(^|\/)\.?\//.test(name)) throw damaged('bad-name', `empty segment in the name ${name}`);
  return name;
}

/** The alternative name that some readers prefer, if it was made for the first one. */
function unicodePath({ extraFields, fileNameRaw }: Entry): string | undefined {
  const field = extraFields.find(({ id }) => id === UNICODE_PATH)?.data;
  if (!field || field.length < 6 || field.readUInt32LE(1) !== crc32(fileNameRaw)) return undefined;
  return normalize(field.subarray(5));
}

function isSymbolicLink({ versionMadeBy, externalFileAttributes }: Entry): boolean {
  return versionMadeBy >> 8 === UNIX && ((externalFileAttributes >>> 16) & FILE_TYPE) === SYMBOLIC_LINK;
}

function refuseEntryAsFolder(name: string, taken: ReadonlySet<string>): void {
  for (let slash = name.indexOf('/'); slash > 0; slash = name.indexOf('/', slash + 1)) {
    const folder = name.slice(0, slash);
    if (taken.has(folder)) throw damaged('duplicate-name', `${folder} is an entry and a folder`);
  }
}
