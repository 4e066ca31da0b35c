/**
 * Redis keys of people who sign in. Keys of an account have it as their hash tag: one slot of a Redis Cluster. Keys of
 * operators have no hash tag, which could be that of an account.
 */
export interface RealmKeys {
  /** Hash: `version`, and members and invitations as JSON by their ids. */
  members(account: string): string;
  /** Hash: sessions of a member, by the SHA-256 of their ids. It expires with the last. */
  sessions(account: string, member: string): string;
  /** String "ACCOUNT INVITATION": the invitation whose token has this SHA-256. It expires with the invitation. */
  invitation(hash: string): string;
  /** Set: accounts that know the e-mail address with this SHA-256. It has no effect without a member or an invitation there. */
  email(hash: string): string;
  /** String: the person who chooses an account in the browser whose cookie has this SHA-256, as JSON. */
  oidc(hash: string): string;
  /**
   * Sorted set: sessions that began with this `sub` or `sid` (SHA-256) of the issuer, by their start. It expires with the last.
   */
  oidcSessions(hash: string): string;
  /** String "ACCOUNT MEMBER": the owner of the passkey whose id has this SHA-256. */
  passkey(hash: string): string;
  /** String: number of messages that an account caused on a day. It expires with the day. */
  mails(account: string, day: string): string;
}

export const memberKeys: RealmKeys = {
  members: (account) => `platen:{${account}}:members`,
  sessions: (account, member) => `platen:{${account}}:sessions:${member}`,
  invitation: (hash) => `platen:invitation:${hash}`,
  email: (hash) => `platen:email:${hash}`,
  oidc: (hash) => `platen:oidc:${hash}`,
  oidcSessions: (hash) => `platen:oidc-sessions:${hash}`,
  passkey: (hash) => `platen:passkey:${hash}`,
  mails: (account, day) => `platen:{${account}}:mails:${day}`,
};

export const operatorKeys: RealmKeys = {
  members: () => 'platen:operators',
  sessions: (_, operator) => `platen:operator:sessions:${operator}`,
  invitation: (hash) => `platen:operator:invitation:${hash}`,
  email: (hash) => `platen:operator:email:${hash}`,
  oidc: (hash) => `platen:operator:oidc:${hash}`,
  oidcSessions: (hash) => `platen:operator:oidc-sessions:${hash}`,
  passkey: (hash) => `platen:operator:passkey:${hash}`,
  mails: (_, day) => `platen:operator:mails:${day}`,
};

/** String: a logout token of the issuer was used. It expires with the token. */
export const logoutTokenKey = (hash: string) => `platen:logout-token:${hash}`;
/** String: a challenge, or a sign-in at the issuer, was used. It expires with that. */
export const challengeKey = (hash: string) => `platen:challenge:${hash}`;
