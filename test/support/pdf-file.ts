/** A PDF as `qpdf --json` reads it, whatever its form: encrypted, linearised, with or without object streams. */
import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { inflateSync } from 'node:zlib';

const run = promisify(execFile);
const MAX_JSON_BYTES = 1_073_741_824;
/** qpdf's exit code for a file that it had to repair. */
const REPAIRED = 3;

/** As in qpdf's JSON: names start with `/`, strings with `u:` or `b:`, and `5 0 R` refers to an object. */
export type Value = null | boolean | number | string | readonly Value[] | Dictionary;
export interface Dictionary {
  readonly [key: string]: Value;
}

/** A dictionary or array inside an object, and where it is. */
interface Place {
  readonly where: string;
  readonly value: Dictionary | readonly Value[];
}

interface Stream {
  readonly dictionary: Dictionary;
  /** As in the file, but decrypted. */
  readonly data: Buffer;
}

export class PdfFile {
  /** The file itself. */
  readonly bytes: Buffer;
  /** What qpdf had to repair. */
  readonly repairs: readonly string[];
  readonly trailer: Dictionary;
  readonly catalog: Dictionary;
  /** Where objects start in the file, by reference; those in object streams are not in it. Empty unless asked for. */
  readonly offsets: ReadonlyMap<string, number>;
  /** By reference, such as `5 0 R`. */
  readonly #values = new Map<string, Value>();
  readonly #streams = new Map<string, Stream>();

  /**
   * @param password of an encrypted file.
   * @param options whether to read the {@link offsets}, which takes another call of qpdf.
   */
  static async read(path: string, password = '', { hasOffsets = true } = {}): Promise<PdfFile> {
    const [bytes, { json, repairs }, offsets] = await Promise.all([
      readFile(path),
      qpdfJson(path, password),
      hasOffsets ? readOffsets(path, password) : new Map<string, number>(),
    ]);
    return new PdfFile(bytes, json, offsets, repairs);
  }

  private constructor(
    bytes: Buffer,
    json: QpdfObjects,
    offsets: ReadonlyMap<string, number>,
    repairs: readonly string[],
  ) {
    this.bytes = bytes;
    this.offsets = offsets;
    this.repairs = repairs;
    for (const [key, { value, stream }] of Object.entries(json)) {
      if (!key.startsWith('obj:')) continue;
      const reference = key.slice(4);
      this.#values.set(reference, stream?.dict ?? value ?? null);
      if (!stream) continue;
      this.#streams.set(reference, { dictionary: stream.dict, data: Buffer.from(stream.data, 'base64') });
    }
    this.trailer = this.dictionary(json.trailer?.value);
    this.catalog = this.dictionary(this.trailer['/Root']);
  }

  /** The value that a reference leads to; of a stream, its dictionary. */
  get(value: Value | undefined): Value | undefined {
    return isReference(value) ? this.#values.get(value) : value;
  }

  /** Empty if the value is none. */
  dictionary(value: Value | undefined): Dictionary {
    const found = this.get(value);
    return isDictionary(found) ? found : {};
  }

  /** Empty if the value is none. */
  array(value: Value | undefined): readonly Value[] {
    const found = this.get(value);
    return Array.isArray(found) ? found : [];
  }

  /** An array, or the value as the only item of one. */
  list(value: Value | undefined): readonly Value[] {
    const found = this.get(value);
    if (found === undefined || found === null) return [];
    return Array.isArray(found) ? found : [value as Value];
  }

  number(value: Value | undefined): number | undefined {
    const found = this.get(value);
    return typeof found === 'number' ? found : undefined;
  }

  /** With its `/`. */
  name(value: Value | undefined): string | undefined {
    const found = this.get(value);
    return typeof found === 'string' && found.startsWith('/') ? found : undefined;
  }

  /** A text string. */
  text(value: Value | undefined): string | undefined {
    const found = this.get(value);
    if (typeof found !== 'string') return undefined;
    if (found.startsWith('u:')) return found.slice(2);
    return found.startsWith('b:') ? Buffer.from(found.slice(2), 'hex').toString('latin1') : undefined;
  }

  isStream(value: Value | undefined): value is string {
    return isReference(value) && this.#streams.has(value);
  }

  /** Bytes of a stream in the file, unless that is encrypted. */
  packedLength(reference: string): number {
    return this.#streams.get(reference)?.data.length ?? 0;
  }

  /** Unpacked; @throws Error if it is packed in another way than by Flate without a predictor, or is no stream. */
  streamData(value: Value | undefined): Buffer {
    const stream = this.#streams.get(String(value));
    if (!stream) throw new Error(`${value} is not a stream`);
    let { data } = stream;
    const parameters = this.list(stream.dictionary['/DecodeParms']).map((item) => this.dictionary(item));
    if (parameters.some((dictionary) => (this.number(dictionary['/Predictor']) ?? 1) > 1)) {
      throw new Error(`${value} has a predictor`);
    }
    for (const filter of this.list(stream.dictionary['/Filter'])) {
      if (this.name(filter) !== '/FlateDecode') throw new Error(`${value} has the filter ${filter}`);
      data = inflateSync(data);
    }
    return data;
  }

  get references(): Iterable<string> {
    return this.#values.keys();
  }

  /** Their dictionaries, which lack `/Length`. */
  get streams(): Iterable<[reference: string, Dictionary]> {
    return [...this.#streams].map(([reference, { dictionary }]) => [reference, dictionary]);
  }

  /** Every dictionary and array of the file. */
  *places(): Iterable<Place> {
    for (const [reference, value] of this.#values) yield* placesIn(`object ${reference}`, value);
    yield* placesIn('trailer', this.trailer);
  }

  /** The dictionaries of {@link places}. */
  *dictionaries(): Iterable<{ readonly where: string; readonly value: Dictionary }> {
    for (const { where, value } of this.places()) if (isDictionary(value)) yield { where, value };
  }

  /** The pages in order, with the attributes that they inherit. */
  get pages(): readonly Page[] {
    const pages: Page[] = [];
    const seen = new Set<Value>();
    const visit = (reference: Value, inherited: Dictionary): void => {
      if (seen.has(reference)) throw new Error('the page tree has a loop');
      seen.add(reference);
      const node = { ...inherited, ...this.dictionary(reference) };
      if (node['/Kids'] === undefined) {
        const where = `page ${pages.length + 1}`;
        pages.push({ reference: String(reference), dictionary: node, where });
        return;
      }
      const passed = ['/Resources', '/MediaBox', '/CropBox', '/Rotate'].filter((key) => key in node);
      const attributes = Object.fromEntries(passed.map((key) => [key, node[key] as Value]));
      for (const kid of this.array(node['/Kids'])) visit(kid, attributes);
    };
    visit(this.catalog['/Pages'] ?? null, {});
    return pages;
  }
}

interface Page {
  readonly reference: string;
  readonly dictionary: Dictionary;
  readonly where: string;
}

export function isReference(value: Value | undefined): value is string {
  return typeof value === 'string' && /^\d+ \d+ R$/.test(value);
}

function isDictionary(value: Value | undefined): value is Dictionary {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function* placesIn(where: string, value: Value): Iterable<Place> {
  if (Array.isArray(value)) {
    yield { where, value };
    for (const item of value) yield* placesIn(where, item);
  } else if (isDictionary(value)) {
    yield { where, value };
    for (const [key, item] of Object.entries(value)) yield* placesIn(`${where} ${key}`, item);
  }
}

type QpdfObjects = Record<
  string,
  { readonly value?: Value; readonly stream?: { readonly dict: Dictionary; readonly data: string } }
>;

async function qpdfJson(path: string, password: string): Promise<{ json: QpdfObjects; repairs: string[] }> {
  const streams = ['--json-stream-data=inline', '--decode-level=none'];
  const { stdout, stderr } = await qpdf(
    '--json=2',
    '--json-key=qpdf',
    ...streams,
    `--password=${password}`,
    path,
  );
  const repairs = stderr
    .split('\n')
    .filter((line) => line.startsWith('WARNING: '))
    .map((line) => line.slice('WARNING: '.length).replace(`${path}: `, ''));
  return { json: JSON.parse(stdout).qpdf[1], repairs };
}

async function readOffsets(path: string, password: string): Promise<Map<string, number>> {
  const { stdout } = await qpdf('--show-xref', `--password=${password}`, path);
  const entries = stdout.matchAll(/^(\d+)\/(\d+): uncompressed; offset = (\d+)/gm);
  return new Map(
    [...entries].map(([, number, generation, offset]) => [`${number} ${generation} R`, Number(offset)]),
  );
}

/** @throws Error if qpdf cannot read the file. */
async function qpdf(...args: string[]): Promise<{ stdout: string; stderr: string }> {
  return run('qpdf', args, { maxBuffer: MAX_JSON_BYTES }).catch((error) => {
    if (error.code !== REPAIRED) throw error;
    return { stdout: error.stdout as string, stderr: error.stderr as string };
  });
}
