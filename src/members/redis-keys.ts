/** Names of the members' data in Redis. What belongs to an account has it as hash tag: one slot of a Redis Cluster. */
export const memberKeys = {
  /** Hash: `version`, and the account's members and invitations as JSON by their ids. */
  members: (account: string) => `platen:{${account}}:members`,
  /** Hash: sessions of a member, by the SHA-256 of their ids. It expires with the last. */
  sessions: (account: string, member: string) => `platen:{${account}}:sessions:${member}`,
  /** String "ACCOUNT INVITATION": where the invitation with this SHA-256 of its token is. It expires with it. */
  invitation: (hash: string) => `platen:invitation:${hash}`,
  /** String "ACCOUNT MEMBER": whose passkey has the id with this SHA-256. */
  passkey: (hash: string) => `platen:passkey:${hash}`,
  /** String: number of messages that an account caused on a day. It expires with the day. */
  mails: (account: string, day: string) => `platen:{${account}}:mails:${day}`,
  /** String: exists while a challenge that was answered could be answered again. */
  challenge: (hash: string) => `platen:challenge:${hash}`,
} as const;
