/** Names of the members' data in Redis. What belongs to an account has it as hash tag: one slot of a Redis Cluster. */
export const memberKeys = {
  /** Hash: `version`, and the account's members and invitations as JSON by their ids. */
  members: (account: string) => `platen:{${account}}:members`,
  /** Hash: sessions of a member, by the SHA-256 of their ids. It expires with the last. */
  sessions: (account: string, member: string) => `platen:{${account}}:sessions:${member}`,
  /** String "ACCOUNT INVITATION": where the invitation with this SHA-256 of its token is. It expires with it. */
  invitation: (hash: string) => `platen:invitation:${hash}`,
  /** Set: accounts that know the e-mail address with this SHA-256. Without a member or an invitation there it has no effect. */
  email: (hash: string) => `platen:email:${hash}`,
  /** String: who chooses an account in the browser with this SHA-256 of its cookie, as JSON. */
  oidc: (hash: string) => `platen:oidc:${hash}`,
  /** Sorted set: sessions that began with this `sub` or `sid` (SHA-256) of the issuer, by their start. It expires with the last. */
  oidcSessions: (hash: string) => `platen:oidc-sessions:${hash}`,
  /** String: exists while a logout token could come again. */
  logoutToken: (hash: string) => `platen:logout-token:${hash}`,
  /** String "ACCOUNT MEMBER": whose passkey has the id with this SHA-256. */
  passkey: (hash: string) => `platen:passkey:${hash}`,
  /** String: number of messages that an account caused on a day. It expires with the day. */
  mails: (account: string, day: string) => `platen:{${account}}:mails:${day}`,
  /** String: exists while a challenge that was answered, or a sign-in at the issuer, could come again. */
  challenge: (hash: string) => `platen:challenge:${hash}`,
} as const;
