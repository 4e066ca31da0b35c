/**
 * Names in Redis of the data of those who sign in. What belongs to an account has it as hash tag: one slot of a Redis Cluster.
 * What belongs to operators has no hash tag, which could be that of an account.
 */
export interface RealmKeys {
  /** Hash: `version`, and members and invitations as JSON by their ids. */
  members(account: string): string;
  /** Hash: sessions of a member, by the SHA-256 of their ids. It expires with the last. */
  sessions(account: string, member: string): string;
  /** String "ACCOUNT INVITATION": where the invitation with this SHA-256 of its token is. It expires with it. */
  invitation(hash: string): string;
  /** Set: accounts that know the e-mail address with this SHA-256. Without a member or an invitation there it has no effect. */
  email(hash: string): string;
  /** String: who chooses an account in the browser with this SHA-256 of its cookie, as JSON. */
  oidc(hash: string): string;
  /** Sorted set: sessions that began with this `sub` or `sid` (SHA-256) of the issuer, by their start. It expires with the last. */
  oidcSessions(hash: string): string;
  /** String "ACCOUNT MEMBER": whose passkey has the id with this SHA-256. */
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

/** String: exists while a logout token of the issuer could come again. */
export const logoutTokenKey = (hash: string) => `platen:logout-token:${hash}`;
/** String: exists while a challenge that was answered, or a sign-in at the issuer, could come again. */
export const challengeKey = (hash: string) => `platen:challenge:${hash}`;
