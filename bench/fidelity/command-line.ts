/** The command line of the fidelity benchmark; see main.ts. */
import { parseArgs } from 'node:util';
import { type RequestedLayout, requestedLayouts } from '../../src/shared/options/conversion-options.ts';

export const USAGE = `npm run bench:fidelity -- PAIRS_DIR [--out FOLDER] [--layout auto|word|engine] [--times ROUNDS] [--beside]
       npm run bench:fidelity -- LIST.tsv --clones FOLDER [--out FOLDER] [--layout …] [--times …] [--beside]
       npm run bench:fidelity -- PAIRS_DIR --changed
       npm run bench:fidelity -- --compare BEFORE.json AFTER.json`;

const MAX_ROUNDS = 1_000;

/** What is wrong with a command line. */
export class UsageError extends Error {}

/** Pairs to measure. */
export interface Measuring {
  /** With clones: a list of pairs, instead of their folder. */
  readonly folder: string;
  readonly clones: string | undefined;
  readonly out: string | undefined;
  readonly layout: RequestedLayout;
  readonly rounds: number;
  /** Whether `layout=engine` and plain soffice are measured as well. */
  readonly isBeside: boolean;
}

/** Two results to compare, a folder of documents to change, or pairs to measure. */
type Command =
  | { readonly compare: readonly [before: string, after: string] }
  | { readonly changed: string }
  | Measuring;

/** @throws UsageError naming the first mistake. */
export function readCommandLine(args: readonly string[]): Command {
  const options = {
    out: { type: 'string' },
    clones: { type: 'string' },
    layout: { type: 'string' },
    times: { type: 'string' },
    beside: { type: 'boolean' },
    compare: { type: 'boolean' },
    changed: { type: 'boolean' },
  } as const;
  const { values, positionals } = parse(() =>
    parseArgs({ args: [...args], options, allowPositionals: true }),
  );
  const [first, second, ...more] = positionals;
  if (values.compare) {
    if (!first || !second || more.length > 0) throw new UsageError('name two files to compare');
    return { compare: [first, second] };
  }
  if (!first || second) throw new UsageError('name one folder of pairs');
  if (values.changed) return { changed: first };
  const rounds = Number(values.times ?? 0);
  if (!Number.isInteger(rounds) || rounds < 0 || rounds > MAX_ROUNDS) {
    throw new UsageError(`--times is a number of rounds, ${MAX_ROUNDS} at most`);
  }
  const layout = requestedLayouts.find((each) => each === (values.layout ?? 'auto'));
  if (!layout) throw new UsageError(`--layout is one of ${requestedLayouts.join(', ')}`);
  if (values.beside && layout !== 'auto') throw new UsageError('--beside needs the layout of the default');
  return {
    folder: first,
    clones: values.clones,
    out: values.out,
    layout,
    rounds,
    isBeside: values.beside ?? false,
  };
}

function parse<T>(parsed: () => T): T {
  try {
    return parsed();
  } catch (error) {
    throw new UsageError((error as Error).message, { cause: error });
  }
}
