/** Who sent a document. The queue is fair between senders. */
import type { Isolation } from '../shared/options/conversion-options.ts';

/** Kinds of senders. */
export type SenderClass = Sender['class'];

export type Sender =
  /** A live or test key of an account. `keyType` is `sk` by default, and `isolation` is `account`. */
  | {
      readonly class: 'live' | 'test';
      readonly account: string;
      readonly keyType?: 'sk' | 'pk';
      readonly isolation?: Isolation;
    }
  /** A client of the public endpoint, by its network. */
  | { readonly class: 'public'; readonly network: string }
  /** A file of a job, which nobody waits for at a connection. */
  | { readonly class: 'job'; readonly account: string; readonly environment: 'live' | 'test' }
  /** The service's own test conversion. */
  | { readonly class: 'probe' };

/** The group of test keys and the public endpoint. */
export const GUESTS = 'guest';
/** The service's own test conversion, which takes no turns. */
export const PROBE = 'probe';
/** Files of jobs, which go when nobody else waits. */
export const JOBS = 'job';

/** A sender's position in the rotation. */
export interface Turn {
  readonly group: 'live' | typeof GUESTS | typeof PROBE | typeof JOBS;
  /** Names within the group, from coarse to fine. At each level they are served in rotation, however much each has waiting. */
  readonly path: readonly string[];
  /** Who is charged for its running documents: the live account, or all guests together. */
  readonly holder: string;
}

/** Live accounts take turns. So do test accounts and the public endpoint, and within that its networks. */
export function turnOf(sender: Sender): Turn {
  switch (sender.class) {
    case 'live':
      return { group: 'live', path: [sender.account], holder: liveHolder(sender.account) };
    case 'test':
      return { group: GUESTS, path: [`test ${sender.account}`], holder: GUESTS };
    case 'public':
      return { group: GUESTS, path: ['public', sender.network], holder: GUESTS };
    case 'job': {
      const isLive = sender.environment === 'live';
      const holder = isLive ? liveHolder(sender.account) : GUESTS;
      return { group: JOBS, path: [isLive ? holder : `${holder} ${sender.account}`], holder };
    }
    case 'probe':
      return { group: PROBE, path: [], holder: PROBE };
  }
}

/**
 * Whose documents one process may convert, one after the other; undefined for those that are to have a process each: of strangers, of
 * keys that are public, of accounts that are to have it so, and the service's own. Jobs are apart, as their processes have the lowest priority.
 */
export function ownerOf(sender: Sender): string | undefined {
  switch (sender.class) {
    case 'live':
    case 'test':
      return sender.keyType === 'pk' || sender.isolation === 'document'
        ? undefined
        : `${sender.class} ${sender.account}`;
    case 'job':
      return `job ${sender.environment} ${sender.account}`;
    default:
      return undefined;
  }
}

/** The holder of a live account's documents. */
export function liveHolder(account: string): string {
  return `live ${account}`;
}
