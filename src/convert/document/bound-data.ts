/**
 * The data that content controls are bound to (custom XML parts, ISO/IEC 29500-1, 22.5), by the paths that Word writes: child
 * steps from the root, each with a position or none, and an attribute at most.
 */
import { attributesIn } from './attributes.ts';
import type { KeptParts } from './kept-parts.ts';
import { linksOf } from './links.ts';
import { readValue, visitMarkup, withoutReferences } from './markup.ts';
import { localName } from './tags.ts';

/** What a content control says of its data. */
export interface Binding {
  /** Identifies the part; empty for any. */
  readonly store: string;
  /** XPath 1.0. */
  readonly path: string;
  /** Declarations of the namespaces in the path, as written. */
  readonly prefixes: string;
}

interface Node {
  readonly text: string[];
  readonly attributes: ReadonlyMap<string, string>;
  readonly children: Map<string, Node[]>;
}

const STEP = /^(?:([\w.-]+):)?([\p{L}_][\p{L}\p{N}._-]*)(?:\[(\d{1,6})\])?$/u;
/** Where a binding names no part, Word looks in all of them, of which documents have a handful. */
const MAX_UNNAMED = 10;
const ATTRIBUTE = /^@(?:([\w.-]+):)?([\p{L}_][\p{L}\p{N}._-]*)$/u;

export class BoundData {
  /** Parts by their ids, in capital letters, as {@link Node}s once they are asked for. */
  readonly #stores = new Map<string, () => Node>();
  /** The first of them. */
  readonly #first: readonly (() => Node)[];

  constructor(parts: KeptParts) {
    const data = linksOf(parts, parts.mainPart).filter(
      (link) => link.type === 'customXml' && !link.isExternal,
    );
    const ids = new Map<string | undefined, string>();
    for (const target of new Set(data.map((link) => link.target))) {
      const description = linksOf(parts, target).find((link) => link.type === 'customXmlProps')?.target;
      const id = ids.get(description) ?? idOf(parts.text(description));
      ids.set(description, id);
      let root: Node | undefined;
      this.#stores.set(id, () => {
        root ??= readData(parts.text(target));
        return root;
      });
    }
    this.#first = [...this.#stores.values()].slice(0, MAX_UNNAMED);
  }

  /** The value that a control is bound to; undefined if there is none, or none that is text. */
  value({ store, path, prefixes }: Binding): string | undefined {
    const namespaces = new Map(
      attributesIn(` ${prefixes}`).map(({ name, value }) => [localName(name), withoutReferences(value)]),
    );
    const named = this.#stores.get(store.toUpperCase());
    const stores = store === '' ? this.#first : named ? [named] : [];
    const found = stores.map((root) => follow(root(), path, namespaces));
    return found.find((each) => each !== undefined);
  }
}

function idOf(description: string): string {
  let id = '';
  if (description === '') return id;
  visitMarkup(description, {
    open(_name, attributes) {
      const own = attributesIn(attributes).find(({ name }) => localName(name) === 'itemID');
      if (id === '' && own) id = own.value.toUpperCase();
    },
  });
  return id;
}

function follow(root: Node, path: string, namespaces: ReadonlyMap<string, string>): string | undefined {
  if (!path.startsWith('/')) return undefined;
  const steps = path.slice(1).split('/');
  const [, attributePrefix, attribute] = ATTRIBUTE.exec(steps.at(-1) ?? '') ?? [];
  if (attribute !== undefined) steps.pop();
  let node: Node | undefined = root;
  for (const step of steps) {
    const [, prefix, local, position] = STEP.exec(step) ?? [];
    if (local === undefined) return undefined;
    const namespace = prefix === undefined ? '' : namespaces.get(prefix);
    node = node?.children.get(`${namespace} ${local}`)?.[Number(position ?? 1) - 1];
  }
  if (attribute === undefined) return node?.children.size === 0 ? node.text.join('') : undefined;
  const namespace = attributePrefix === undefined ? '' : namespaces.get(attributePrefix);
  return node?.attributes.get(`${namespace} ${attribute}`);
}

/** A tree of the part's elements, in linear time. */
function readData(xml: string): Node {
  const root = newNode(new Map());
  const open: { readonly node: Node; readonly namespaces: ReadonlyMap<string, string> }[] = [
    { node: root, namespaces: new Map() },
  ];
  visitMarkup(xml, {
    open(name, written, isEmpty) {
      const outer = open.at(-1);
      if (!outer) return;
      const attributes = attributesIn(written);
      const declared = attributes.filter((each) => /^xmlns(?:$|:)/.test(each.name));
      const namespaces =
        declared.length === 0
          ? outer.namespaces
          : new Map([
              ...outer.namespaces,
              ...declared.map((each) => [each.name.slice(6), withoutReferences(each.value)] as const),
            ]);
      const qualify = (each: string, otherwise: string) => {
        const colon = each.indexOf(':');
        const namespace = colon < 0 ? otherwise : (namespaces.get(each.slice(0, colon)) ?? '');
        return `${namespace} ${each.slice(colon + 1)}`;
      };
      const own = attributes.map((each) => [qualify(each.name, ''), readValue(each.value)] as const);
      const node = newNode(new Map(own));
      const key = qualify(name, namespaces.get('') ?? '');
      const same = outer.node.children.get(key);
      if (same) same.push(node);
      else outer.node.children.set(key, [node]);
      if (!isEmpty) open.push({ node, namespaces });
    },
    close() {
      if (open.length > 1) open.pop();
    },
    text(part, start, end) {
      open.at(-1)?.node.text.push(withoutReferences(part.slice(start, end)));
    },
  });
  return root;
}

function newNode(attributes: Node['attributes']): Node {
  return { text: [], attributes, children: new Map() };
}
