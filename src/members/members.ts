/** Inviting, changing and removing members, on the command line and over HTTP, each recorded in the audit. */
import type { Audit } from '../operator/audit.ts';
import type { Actor } from '../operator/audit-entry.ts';
import { Sessions } from '../operator/sessions.ts';
import type { RedisClient } from '../redis/connect.ts';
import type { InvitationMail } from './invitation-mail.ts';
import { type Invitation, type Member, type NewInvitation, type Role, readEmail } from './member.ts';
import { memberKeys } from './redis-keys.ts';
import type { Roster } from './roster.ts';
import { MemberStore } from './store.ts';

const SUBJECT = /^([a-z0-9][a-z0-9_-]{0,62})\.(mem_[0-9a-f]{18})$/;

/** Sessions of members; their subjects are those of {@link subjectOf}. */
export function memberSessions(redis: RedisClient): Sessions {
  return new Sessions(redis, {
    keyOf: (subject) => {
      const place = placeIn(subject);
      return place && memberKeys.sessions(place.account, place.member);
    },
  });
}

export function subjectOf(account: string, member: string): string {
  return `${account}.${member}`;
}

/** Of which member a session is. */
export function placeIn(subject: string): { readonly account: string; readonly member: string } | undefined {
  const [, account, member] = SUBJECT.exec(subject) ?? [];
  return account === undefined || member === undefined ? undefined : { account, member };
}

export class Members {
  readonly sessions: Sessions;
  readonly #store: MemberStore;
  readonly #audit: Audit;

  readonly #mail: InvitationMail | undefined;

  /** @param mail undefined where nothing sends e-mail. */
  constructor(redis: RedisClient, audit: Audit, mail?: InvitationMail) {
    this.sessions = memberSessions(redis);
    this.#store = new MemberStore(redis);
    this.#audit = audit;
    this.#mail = mail;
  }

  /** @throws Error when Redis is not available. */
  read(account: string): Promise<Roster> {
    return this.#store.read(account);
  }

  /** @throws Error as above. */
  find(account: string, id: string): Promise<Member | undefined> {
    return this.#store.find({ account, id });
  }

  /** @throws OperatorError when they are a member already, there are too many, or there is no such account. */
  async invite(actor: Actor, account: string, email: string, role: Role): Promise<NewInvitation> {
    const address = readEmail(email);
    return this.#invite(actor, account, (roster, hash) => roster.invite(address, role, hash));
  }

  /** A link for a member who lost their passkeys, which it replaces. @throws OperatorError */
  inviteAgain(actor: Actor, account: string, id: string): Promise<NewInvitation> {
    return this.#invite(actor, account, (roster, hash) => roster.inviteAgain(id, hash));
  }

  /**
   * Sends a new invitation by e-mail, which may take seconds.
   *
   * @returns whether the mail server took it; null where nothing sends e-mail.
   * @throws Error when Redis is not available.
   */
  async mail(
    account: { readonly id: string; readonly name: string },
    invitation: NewInvitation,
  ): Promise<boolean | null> {
    return this.#mail ? this.#mail.send(account, invitation) : null;
  }

  /** @returns whether it was open. */
  async withdraw(actor: Actor, account: string, id: string): Promise<boolean> {
    const found = await this.#store.change(account, (roster) => {
      const invitation = roster.invitation(id);
      roster.withdraw(id);
      return invitation;
    });
    if (!found) return false;
    await this.#store.unplaceInvitation(found.hash);
    await this.#store.unplaceEmail(found.email, account);
    const details = { email: found.email };
    await this.#audit.record(actor, 'invitation.withdrawn', { account, details });
    return true;
  }

  /** @throws OperatorError when there is no such member, or it is the last owner. */
  async setRole(actor: Actor, account: string, id: string, role: Role): Promise<Member> {
    const member = await this.#store.change(account, (roster) => roster.setRole(id, role));
    const details = { member: member.name, email: member.email, role };
    await this.#audit.record(actor, 'member.role-changed', { account, details });
    return member;
  }

  /** Ends what the member has, at once. @throws OperatorError as above. */
  async remove(actor: Actor, account: string, id: string): Promise<Member> {
    const member = await this.#store.change(account, (roster) => roster.remove(id));
    // Without the member they have no effect any more.
    await Promise.all([
      this.sessions.endAll(subjectOf(account, id)),
      this.#store.unplacePasskeys(member.passkeys),
      this.#store.unplaceEmail(member.email, account),
    ]);
    const details = { member: member.name, email: member.email };
    await this.#audit.record(actor, 'member.removed', { account, details });
    return member;
  }

  /** Ends the sessions of a member. @throws OperatorError when there is no such member. */
  async endSessions(actor: Actor, account: string, id: string): Promise<void> {
    const { name, email } = (await this.read(account)).member(id);
    await this.sessions.endAll(subjectOf(account, id));
    await this.#audit.record(actor, 'session.ended', { account, details: { member: name, email } });
  }

  /** Removes what leads to the members of an account that goes. @returns how much there was. */
  async forget(account: string): Promise<number> {
    const { members, invitations } = await this.read(account);
    const passkeys = members.flatMap((member) => member.passkeys);
    await this.#store.unplacePasskeys(passkeys);
    await Promise.all(invitations.map(({ hash }) => this.#store.unplaceInvitation(hash)));
    const known = [...members, ...invitations].map(({ email }) => email);
    await Promise.all(known.map((email) => this.#store.forgetEmail(email, account)));
    return passkeys.length + invitations.length;
  }

  async #invite(
    actor: Actor,
    account: string,
    open: (roster: Roster, hash: string) => Invitation,
  ): Promise<NewInvitation> {
    const { token, hash } = MemberStore.newToken();
    const invitation = await this.#store.change(account, (roster) => open(roster, hash));
    const { email, role } = invitation;
    await this.#store.placeInvitation(hash, { account, id: invitation.id });
    await this.#store.placeEmail(email, account);
    await this.#audit.record(actor, 'member.invited', { account, details: { email, role } });
    return { ...invitation, token };
  }
}
