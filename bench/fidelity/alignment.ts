/**
 * Aligns two sequences by longest matching blocks, as Python's `difflib.SequenceMatcher(None, a, b,
 * autojunk=False).get_matching_blocks()` does (Ratcliff and Metzener, "Pattern Matching: The Gestalt Approach", Dr.
 * Dobb's Journal, July 1988).
 */

/** `length` elements from `a` on equal those of the other sequence from `b` on. */
export interface Block {
  readonly a: number;
  readonly b: number;
  readonly length: number;
}

interface Range {
  readonly aFrom: number;
  readonly aTo: number;
  readonly bFrom: number;
  readonly bTo: number;
  /** Upper bound of blocks in this range. */
  readonly longest: number;
}

/** Most comparisons, about ten seconds. 50,000 words of prose take a hundredth of it. */
const MAX_STEPS = 3_000_000_000;

/**
 * The longest block, then recursively the longest ones before and after it. Of equally long ones the first in `a`,
 * then the first in `b`.
 *
 * @returns the blocks in order, neighbours not joined
 * @throws RangeError if the sequences repeat themselves so much that it would take minutes
 */
export function matchingBlocks(
  a: readonly string[],
  b: readonly string[],
  maxSteps: number = MAX_STEPS,
): Block[] {
  const finder = new BlockFinder(a, b, maxSteps);
  const blocks: Block[] = [];
  const ranges: Range[] = [
    { aFrom: 0, aTo: a.length, bFrom: 0, bTo: b.length, longest: Math.min(a.length, b.length) },
  ];
  for (let range = ranges.pop(); range; range = ranges.pop()) {
    const block = finder.longest(range);
    if (block.length === 0) continue;
    blocks.push(block);
    const { aFrom, aTo, bFrom, bTo } = range;
    // An earlier one of equal length would have been the first.
    ranges.push({ aFrom, aTo: block.a, bFrom, bTo: block.b, longest: block.length - 1 });
    const after = { aFrom: block.a + block.length, bFrom: block.b + block.length };
    ranges.push({ ...after, aTo, bTo, longest: block.length });
  }
  return blocks.sort((one, other) => one.a - other.a);
}

class BlockFinder {
  readonly #aIds: Int32Array;
  /** Positions in `b` of each id, ascending. */
  readonly #places: readonly Int32Array[];
  /** For each position in `b`: the last compared position in `a` that is equal, and the block that ends there. */
  readonly #sameAs: Int32Array;
  readonly #lengths: Int32Array;
  #stepsLeft: number;

  constructor(a: readonly string[], b: readonly string[], maxSteps: number) {
    const ids = new Map<string, number>();
    const places: number[][] = [];
    for (const [index, element] of b.entries()) {
      const id = ids.get(element) ?? ids.size;
      const known = places[id];
      if (known) {
        known.push(index);
      } else {
        ids.set(element, id);
        places.push([index]);
      }
    }
    this.#aIds = Int32Array.from(a, (element) => ids.get(element) ?? -1);
    this.#places = places.map((list) => Int32Array.from(list));
    this.#sameAs = new Int32Array(b.length).fill(-1);
    this.#lengths = new Int32Array(b.length);
    this.#stepsLeft = maxSteps;
  }

  longest({ aFrom, aTo, bFrom, bTo, longest }: Range): Block {
    const sameAs = this.#sameAs;
    const lengths = this.#lengths;
    const possible = Math.min(longest, aTo - aFrom, bTo - bFrom);
    let best: Block = { a: aFrom, b: bFrom, length: 0 };
    for (let i = aFrom; i < aTo && best.length < possible; i++) {
      const places = this.#places[this.#aIds[i] ?? -1] ?? NOWHERE;
      const shorter = best.length;
      const last = firstFrom(places, bTo) - 1;
      let n = last;
      // Downwards, as the previous position still describes the previous element.
      for (let j = places[n]; j !== undefined && j >= bFrom; j = places[--n]) {
        const goesOn = i > aFrom && j > bFrom && sameAs[j - 1] === i - 1;
        const length = (goesOn ? (lengths[j - 1] ?? 0) : 0) + 1;
        sameAs[j] = i;
        lengths[j] = length;
        if (length > shorter && length >= best.length)
          best = { a: i - length + 1, b: j - length + 1, length };
      }
      this.#spend(last - n + 1);
    }
    return best;
  }

  #spend(steps: number): void {
    this.#stepsLeft -= steps;
    if (this.#stepsLeft < 0) throw new RangeError('the words repeat too much to be aligned');
  }
}

const NOWHERE = new Int32Array(0);

/** Index of the first position not before `from`. */
function firstFrom(places: Int32Array, from: number): number {
  let low = 0;
  let high = places.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((places[middle] ?? 0) < from) low = middle + 1;
    else high = middle;
  }
  return low;
}
