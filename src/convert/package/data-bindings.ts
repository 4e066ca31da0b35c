/**
 * Content that is bound to data of the package (ISO/IEC 29500-1, 17.5.2.6). The engine evaluates each binding's path
 * (XPath 1.0), and a short path can take hours. Its result becomes a paragraph, which can be too long.
 */
import { visitMarkup } from '../document/markup.ts';
import type { Tag } from './tag.ts';

const BINDING = 'dataBinding';
const TOKEN = /"[^"]*"|'[^']*'|\d+(?:\.\d*)?|[\p{L}_][\p{L}\p{N}\p{M}_.·-]*|\/\/|::|\.\.|[<>!]=|[^\s"']/gu;
const CONSTANT = /^["'\d]/;
/** Longer than any path that a program writes. */
const MAX_PATH = 8_192;
/** That of a path that is too long to be read: with it no binding to data is taken. */
const COSTLY = 9;
const COMPARISON = /^(?:[<>!]=|[<>=])$/;
/** Steps, predicates, functions, unions and comparisons. */
const WORK = /^(?:\/\/?|[[(|<>=]|[<>!]=)$/;
/** Steps that can lead from one node to many. */
const WIDE = /^(?:\/\/|::|\.\.)$/;
/** After these tokens, slashes begin at the root. */
const BEFORE_A_PATH = /^(?:[[(,|=<>+*-]|[<>!]=|and|or|div|mod)$/;

/** Replaces the first letter of a binding in its start tag and its end tag, so that it binds nothing. */
const UNDERSCORE = 0x5f;

/**
 * Disables bindings, so that the engine shows the stored content.
 *
 * @param part an XML part in an ASCII-compatible encoding; changed in place.
 */
export function passOverBindings(part: Buffer): void {
  const rename = (name: string, start: number) => {
    const local = name.lastIndexOf(':') + 1;
    if (name.slice(local) === BINDING) part[start + local] = UNDERSCORE;
  };
  visitMarkup(part.toString('latin1'), {
    open: (name, _attributes, _isEmpty, start) => rename(name, start + '<'.length),
    close: (name, start) => rename(name, start + '</'.length),
  });
}

/** Collects the bindings of a package. */
export class DataBindings {
  /** Number of steps, by the exponent of the node count in their cost. */
  readonly #work = new Map<number, number>();
  #count = 0;

  /** A lower bound of the number of bindings. */
  get count(): number {
    return this.#count;
  }

  /** Ignores tags that bind nothing. */
  read(tag: Tag): void {
    if (tag.name !== BINDING) return;
    this.#count += 1;
    for (const path of tag.values('xpath')) {
      const { work, power } = costOf(path);
      this.#work.set(power, (this.#work.get(power) ?? 0) + work);
    }
  }

  /** Upper bound of nodes that the engine visits, for data with this many nodes. */
  visits(nodes: number): number {
    return [...this.#work].reduce((sum, [power, work]) => sum + work * nodes ** power, 0);
  }
}

/**
 * A path of child steps visits each node once. A wide step, a path from the root in a predicate, or a comparison of
 * node sets starts again from each node, which multiplies the visits by all nodes.
 */
function costOf(path: string): { work: number; power: number } {
  if (path.length > MAX_PATH) return { work: path.length, power: COSTLY };
  const tokens = path.match(TOKEN) ?? [];
  let [work, wide, depth] = [1, 0, 0];
  for (const [i, token] of tokens.entries()) {
    const [before = '[', after = ''] = [tokens[i - 1], tokens[i + 1]];
    if (token === '[') depth += 1;
    else if (token === ']') depth -= 1;
    if (WORK.test(token)) work += 1;
    if (WIDE.test(token)) wide += 1;
    if (depth > 0 && token.startsWith('/') && BEFORE_A_PATH.test(before)) wide += 1;
    if (COMPARISON.test(token) && !CONSTANT.test(before) && !CONSTANT.test(after)) wide += 1;
  }
  return { work, power: Math.max(1, wide) };
}
