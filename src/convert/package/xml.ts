/** Reading the small XML parts that describe a package. */
import { SaxesParser } from 'saxes';

/** Content types and relationships are two elements deep. For each element, the parser looks at all around it. */
const MAX_DEPTH = 32;

/** An element as a part declares it; attributes without a namespace only. */
export interface Element {
  readonly namespace: string;
  readonly name: string;
  readonly attributes: ReadonlyMap<string, string>;
}

/**
 * Calls `visit` for each element, in document order.
 *
 * @throws Error where the XML is not well-formed, nests too deep or declares a document type, which packages may not
 * (OPC 8.1.4).
 */
export function visitElements(bytes: Buffer, visit: (element: Element) => void): void {
  const parser = new SaxesParser({ xmlns: true });
  parser.on('doctype', () => {
    throw new Error('the part declares a document type');
  });
  let depth = 0;
  parser.on('closetag', () => {
    depth -= 1;
  });
  parser.on('opentag', (tag) => {
    depth += 1;
    if (depth > MAX_DEPTH) throw new Error('the part nests elements too deep');
    const own = Object.values(tag.attributes).filter((attribute) => attribute.uri === '');
    visit({
      namespace: tag.uri,
      name: tag.local,
      attributes: new Map(own.map((attribute) => [attribute.local, attribute.value])),
    });
  });
  parser.write(decodeText(bytes)).close();
}

/** Text in UTF-8 or, behind a byte order mark, UTF-16: what XML processors must read. */
function decodeText(bytes: Buffer): string {
  const mark = bytes.length < 2 ? 0 : bytes.readUInt16BE(0);
  const encoding = mark === 0xfffe ? 'utf-16le' : mark === 0xfeff ? 'utf-16be' : 'utf-8';
  return new TextDecoder(encoding, { fatal: true }).decode(bytes);
}
