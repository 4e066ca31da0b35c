/**
 * Names of accounts and keys in Redis. Keys that one script of the admission touches have the account as their hash tag, so
 * that they are in one slot of Redis Cluster.
 */
export const redisKeys = {
  /** Set of all account ids. */
  accounts: 'platen:accounts',
  /** Sorted set, all of one score: "NAME IN LOWERCASE, NUL, ID" of all accounts. */
  accountsByName: 'platen:accounts:by-name',
  /** Sorted set of the ids of accounts that are to be removed, by when, in ms. */
  closingAccounts: 'platen:accounts:closing',
  /** String: exists while a server removes accounts, and for some time afterwards. */
  removalPass: 'platen:accounts:removal-pass',
  /**
   * Sorted set of "ACCOUNT KEY-ID" by the time at which the key expires, in ms. Those that have expired, were revoked or
   * have a successor are removed.
   */
  keysByExpiry: 'platen:keys:by-expiry',
  /** String: exists while a server cleans up ended keys, and for some time afterwards. Its number grows with what a pass does. */
  retentionPass: 'platen:keys:retention-pass:2',
  /** Sorted set of "ACCOUNT KEY-ID" of keys with these last characters, by when their records go, in ms. It expires with them. */
  keysByEnding: (ending: string) => `platen:keys:ending:${ending}`,
  /** Hash: the account. While it is removed only `removal`, what its ledger is called afterwards. */
  account: (account: string) => `platen:{${account}}:account`,
  /** Sorted set, all of one score: "ENDS-CREATED-ID" of an account's keys. */
  accountKeys: (account: string) => `platen:{${account}}:keys-by-end`,
  /** Hash: a key of the account. It expires some time after the key's end. */
  key: (account: string, id: string) => `platen:{${account}}:key:${id}`,
  /** Hash: today's rotations by the account's own keys, `start` and `count`. */
  rotations: (account: string) => `platen:{${account}}:rotations`,
  /** String: the account that owns the key of this id. It expires with the key's record. */
  keyOwner: (id: string) => `platen:key-owner:${id}`,
  /**
   * String "ACCOUNT KEY-ID", for a successor "ACCOUNT KEY-ID FAMILY": where the key with this SHA-256 lies. It never
   * changes, so a server may remember it; the key itself is read anew for every request. It expires with the key's record.
   */
  locator: (hash: string) => `platen:locator:${hash}`,
} as const;
