/** The metadata of a PDF in XMP (ISO 16684-1), as far as PDF/A and PDF/UA say something of them. */
import { SaxesParser } from 'saxes';

const RDF = 'http://www.w3.org/1999/02/22-rdf-syntax-ns#';
const XML = 'http://www.w3.org/XML/1998/namespace';

export interface XmpNode {
  readonly namespace: string;
  readonly prefix: string;
  readonly name: string;
  /** By namespace and local name, with a space between. */
  readonly attributes: ReadonlyMap<string, string>;
  readonly children: XmpNode[];
  text: string;
}

export interface Xmp {
  /** The attributes of the packet's header. */
  readonly header: string;
  /** Elements in descriptions, and attributes of these as elements. */
  readonly properties: readonly XmpNode[];
}

/** @throws Error if it is no XML in UTF-8, or has no RDF in it. */
export function readXmp(data: Buffer): Xmp {
  const text = new TextDecoder('utf-8', { fatal: true }).decode(data);
  const header = /<\?xpacket\s([^?]*)\?>/.exec(text)?.[1] ?? '';
  const rdf = find(parse(text), RDF, 'RDF');
  if (!rdf) throw new Error('the metadata have no rdf:RDF');
  return { header, properties: rdf.children.flatMap(propertiesOf) };
}

/** A simple value, or the first item of a list; of alternative languages, the default. */
export function textOf(property: XmpNode | undefined): string | undefined {
  const items = itemsOf(property);
  if (!items) return property?.text;
  const byDefault = items.find(({ attributes }) => attributes.get(`${XML} lang`) === 'x-default');
  return (byDefault ?? items[0])?.text;
}

/** Undefined if the property is no list. */
export function itemsOf(property: XmpNode | undefined): readonly XmpNode[] | undefined {
  return listOf(property)?.children;
}

/** `Alt`, `Bag` or `Seq`; undefined if the property is no list. */
export function listKind(property: XmpNode): string | undefined {
  return listOf(property)?.name;
}

/** The fields of a structure; of another value, none. */
export function fieldsOf(node: XmpNode): readonly XmpNode[] {
  const inner = node.children.find(({ namespace, name }) => namespace === RDF && name === 'Description');
  return inner ? propertiesOf(inner) : propertiesOf(node);
}

function listOf(property: XmpNode | undefined): XmpNode | undefined {
  return property?.children.find(
    ({ namespace, name }) => namespace === RDF && ['Alt', 'Bag', 'Seq'].includes(name),
  );
}

function propertiesOf(description: XmpNode): XmpNode[] {
  const attributes = [...description.attributes].flatMap(([key, text]) => {
    const [namespace = '', name = '', prefix = ''] = key.split(' ');
    if (['', RDF, XML].includes(namespace) || namespace.endsWith('/xmlns/')) return [];
    return [{ namespace, prefix, name, attributes: new Map(), children: [], text }];
  });
  return [...attributes, ...description.children];
}

function parse(text: string): XmpNode {
  const root: XmpNode = {
    namespace: '',
    prefix: '',
    name: '',
    attributes: new Map(),
    children: [],
    text: '',
  };
  const open = [root];
  const parser = new SaxesParser({ xmlns: true });
  parser.on('error', (error) => {
    throw error;
  });
  parser.on('opentag', ({ uri, prefix, local, attributes }) => {
    const values = Object.values(attributes).flatMap((attribute) => {
      const [key, value] = [`${attribute.uri} ${attribute.local}`, attribute.value];
      const own = [RDF, XML].includes(attribute.uri) ? key : `${key} ${attribute.prefix}`;
      return [[own, value] as const];
    });
    const node = { namespace: uri, prefix, name: local, attributes: new Map(values), children: [], text: '' };
    open.at(-1)?.children.push(node);
    open.push(node);
  });
  parser.on('text', (part) => {
    const node = open.at(-1);
    if (node) node.text += part;
  });
  parser.on('closetag', () => {
    open.pop();
  });
  parser.write(text).close();
  return root;
}

function find(node: XmpNode, namespace: string, name: string): XmpNode | undefined {
  if (node.namespace === namespace && node.name === name) return node;
  for (const child of node.children) {
    const found = find(child, namespace, name);
    if (found) return found;
  }
  return undefined;
}
