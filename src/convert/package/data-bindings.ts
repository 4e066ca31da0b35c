/**
 * Content that is bound to data of the package (ISO/IEC 29500-1, 17.5.2.6). The engine follows the path of each binding
 * (XPath 1.0) through the data, and a path of one line can take longer than anybody waits. What it finds becomes a
 * paragraph, which can be too long as well.
 */
import { visitMarkup } from '../document/markup.ts';
import type { Tag } from './tag.ts';

const BINDING = 'dataBinding';
const TOKEN = /"[^"]*"|'[^']*'|\d+(?:\.\d*)?|[\p{L}_][\p{L}\p{N}\p{M}_.·-]*|\/\/|::|\.\.|[<>!]=|[^\s"']/gu;
const CONSTANT = /^["'\d]/;
const COMPARISON = /^(?:[<>!]=|[<>=])$/;
/** Steps, predicates, functions, unions and comparisons. */
const WORK = /^(?:\/\/?|[[(|<>=]|[<>!]=)$/;
/** Steps that lead from one node to any number of others. */
const WIDE = /^(?:\/\/|::|\.\.)$/;
/** Behind these tokens, a slash or two begin at the root. */
const BEFORE_A_PATH = /^(?:[[(,|=<>+*-]|[<>!]=|and|or|div|mod)$/;

const UNDERSCORE = 0x5f;

/**
 * Has bindings bind nothing, so that the engine shows the content that the document stores for them.
 *
 * @param part an XML part in an encoding in which ASCII is ASCII; it is changed in place.
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

/** Takes the bindings of a package. */
export class DataBindings {
  /** How many pieces of work there are, by how often each multiplies the nodes of the data. */
  readonly #work = new Map<number, number>();
  #count = 0;

  /** How many there are, at least. */
  get count(): number {
    return this.#count;
  }

  /** Passes over tags that bind nothing. */
  read(tag: Tag): void {
    if (tag.name !== BINDING) return;
    this.#count += 1;
    for (const path of tag.values('xpath')) {
      const { work, power } = costOf(path);
      this.#work.set(power, (this.#work.get(power) ?? 0) + work);
    }
  }

  /** How many nodes the engine looks at, at most, where the data have so many. */
  visits(nodes: number): number {
    return [...this.#work].reduce((sum, [power, work]) => sum + work * nodes ** power, 0);
  }
}

/**
 * A path of child steps leads to each node once. Whatever starts from each node anew multiplies the visits by all
 * nodes: a wide step, a path from the root in a predicate, a comparison of nodes with nodes.
 */
function costOf(path: string): { work: number; power: number } {
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
