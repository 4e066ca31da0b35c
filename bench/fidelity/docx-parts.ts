/** Reads the XML parts of a DOCX that the service has converted, and so has found to be sound. */
import { buffer } from 'node:stream/consumers';
import { SaxesParser } from 'saxes';
import { fromBufferPromise } from 'yauzl';

const MAX_PART_BYTES = 50 * 1024 * 1024;
/** Parts with text or fonts, or that affect them, and the one with the time of saving. */
const WANTED =
  /(?:^|\/)(?:document|header|footer|footnotes|endnotes|comments|styles|settings|theme|core|diagrams\/data|charts\/chart)\d*\.xml$/i;

/**
 * The parts by name, as text.
 *
 * @throws Error if it is not a package, or a part is too large
 */
export async function readParts(docx: Buffer): Promise<Map<string, string>> {
  const parts = new Map<string, string>();
  const zip = await fromBufferPromise(docx);
  for await (const entry of zip.eachEntry()) {
    if (!WANTED.test(entry.fileName)) continue;
    if (entry.uncompressedSize > MAX_PART_BYTES) throw new Error(`${entry.fileName} is too large`);
    const bytes = await buffer(await zip.openReadStreamPromise(entry));
    const utf16 = bytes[0] === 0xff && bytes[1] === 0xfe;
    parts.set(entry.fileName, new TextDecoder(utf16 ? 'utf-16le' : 'utf-8').decode(bytes));
  }
  return parts;
}

/** Events of a part, without namespaces. */
interface Visitor {
  /** @param open names of the elements around it, the outermost first */
  start(name: string, attributes: ReadonlyMap<string, string>, open: readonly string[]): void;
  end?(name: string): void;
  /** Text inside the innermost open element. */
  text?(text: string, open: readonly string[]): void;
}

/** @throws Error if the XML is not well-formed */
export function visit(xml: string, visitor: Visitor): void {
  const parser = new SaxesParser({ xmlns: true });
  const open: string[] = [];
  parser.on('opentag', ({ local, attributes }) => {
    const values = Object.values(attributes).map((attribute) => [attribute.local, attribute.value] as const);
    visitor.start(local, new Map(values), open);
    open.push(local);
  });
  parser.on('closetag', ({ local }) => {
    open.pop();
    visitor.end?.(local);
  });
  parser.on('text', (text) => visitor.text?.(text, open));
  parser.write(xml).close();
}
