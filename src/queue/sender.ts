/** Who a document comes from: what the queue is fair between. */

/** Where documents come from. */
export type SenderClass = Sender['class'];

export type Sender =
  /** A key of an account: a live one, or a test one. Where nobody says of which type, a secret one. */
  | { readonly class: 'live' | 'test'; readonly account: string; readonly keyType?: 'sk' | 'pk' }
  /** A client of the public endpoint, by its network. */
  | { readonly class: 'public'; readonly network: string }
  /** The service's own test conversion. */
  | { readonly class: 'probe' };

/** What test keys and the public endpoint are together. */
export const GUESTS = 'guest';
/** The service's own test conversion, which is in nobody's turn. */
export const PROBE = 'probe';

/** How a sender takes turns. */
export interface Turn {
  readonly group: 'live' | typeof GUESTS | typeof PROBE;
  /** Within its group, the coarser first: at each level the names take turns, whatever each of them has waiting. */
  readonly path: readonly string[];
  /** On whose account its running documents are: a live account's, or all guests' together. */
  readonly holder: string;
}

/** Live accounts take turns; test accounts and the public endpoint do, and its clients when it is its turn. */
export function turnOf(sender: Sender): Turn {
  switch (sender.class) {
    case 'live':
      return { group: 'live', path: [sender.account], holder: liveHolder(sender.account) };
    case 'test':
      return { group: GUESTS, path: [`test ${sender.account}`], holder: GUESTS };
    case 'public':
      return { group: GUESTS, path: ['public', sender.network], holder: GUESTS };
    case 'probe':
      return { group: PROBE, path: [], holder: PROBE };
  }
}

export function liveHolder(account: string): string {
  return `live ${account}`;
}
