/** Who made a key, an endpoint of webhooks or an invitation. These name them, as keys and endpoints outlive who made them. */

/** What makes them. */
export const makers = ['member', 'operator', 'key'] as const;

export interface Maker {
  readonly by: (typeof makers)[number];
  /** Of the member, the operator or the key; null: an operator without a name, who has the token or the command line. */
  readonly id: string | null;
  /** As they were called at the time; null for a key, and as above. */
  readonly name: string | null;
  readonly email: string | null;
}

/** A key that made its successor or an endpoint. */
export function keyMaker(id: string): Maker {
  return { by: 'key', id, name: null, email: null };
}

/** A maker as stored in a hash of Redis; null: an earlier version made it. */
export function parseMaker(text: string | undefined): Maker | null {
  return text === undefined ? null : (JSON.parse(text) as Maker);
}
