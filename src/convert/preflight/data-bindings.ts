/**
 * Content that is bound to data of the package (ISO/IEC 29500-1, 17.5.2.6). The engine follows the path of each binding
 * (XPath 1.0) through the data, and a path of one line can take longer than anybody waits.
 */
import type { Tag } from './tag.ts';

const TOKEN = /"[^"]*"|'[^']*'|\d+(?:\.\d*)?|[\p{L}_][\p{L}\p{N}\p{M}_.·-]*|\/\/|::|\.\.|[<>!]=|[^\s"']/gu;
const CONSTANT = /^["'\d]/;
const COMPARISON = /^(?:[<>!]=|[<>=])$/;
/** Steps, predicates, functions, unions and comparisons. */
const WORK = /^(?:\/\/?|[[(|<>=]|[<>!]=)$/;
/** Steps that lead from one node to any number of others. */
const WIDE = /^(?:\/\/|::|\.\.)$/;
/** Behind these tokens, a slash or two begin at the root. */
const BEFORE_A_PATH = /^(?:[[(,|=<>+*-]|[<>!]=|and|or|div|mod)$/;

/** Takes the bindings of a package. */
export class DataBindings {
  /** How many pieces of work there are, by how often each multiplies the nodes of the data. */
  readonly #work = new Map<number, number>();

  get isEmpty(): boolean {
    return this.#work.size === 0;
  }

  /** Passes over tags that bind nothing. */
  read(tag: Tag): void {
    if (tag.name !== 'dataBinding') return;
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
