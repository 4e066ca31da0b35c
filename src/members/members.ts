/** Invites, changes and removes members of a realm, for the command line and HTTP. The audit records each action before it is done. */
import type { Maker } from '../accounts/keys/maker.ts';
import { NotFoundError } from '../errors.ts';
import type { Audit } from '../operator/audit.ts';
import { type Actor, type AuditAction, makerOf } from '../operator/audit-entry.ts';
import type { Sessions } from '../operator/sessions.ts';
import type { RedisClient } from '../redis/connect.ts';
import type { InvitationMail } from './invitation-mail.ts';
import { type Invitation, type Member, type NewInvitation, type Role, readEmail } from './member.ts';
import { type Realm, realmSessions, subjectFor, subjectOf } from './realm.ts';
import type { Roster } from './roster.ts';
import { MemberStore } from './store.ts';

export class Members<R extends string = Role> {
  readonly realm: Realm<R>;
  readonly sessions: Sessions;
  readonly #store: MemberStore<R>;
  readonly #audit: Audit;
  readonly #mail: InvitationMail | undefined;

  /** @param mail undefined if the service sends no e-mail. */
  constructor(redis: RedisClient, realm: Realm<R>, audit: Audit, mail?: InvitationMail) {
    this.realm = realm;
    this.sessions = realmSessions(redis, realm);
    this.#store = new MemberStore(redis, realm);
    this.#audit = audit;
    this.#mail = mail;
  }

  /** @throws Error when Redis is not available. */
  read(account: string): Promise<Roster<R>> {
    return this.#store.read(account);
  }

  /** @throws Error as above. */
  find(account: string, id: string): Promise<Member<R> | undefined> {
    return this.#store.find({ account, id });
  }

  /** @throws OperatorError if they are a member already, there are too many, or there is no such account. */
  async invite(actor: Actor, account: string, email: string, role: R): Promise<NewInvitation<R>> {
    const address = readEmail(email);
    return this.#invite(
      actor,
      account,
      (...by) =>
        (roster) =>
          roster.invite(address, role, ...by),
    );
  }

  /** A link for a member who lost their passkeys, which it replaces. @throws OperatorError */
  inviteAgain(actor: Actor, account: string, id: string): Promise<NewInvitation<R>> {
    return this.#invite(
      actor,
      account,
      (...by) =>
        (roster) =>
          roster.inviteAgain(id, ...by),
    );
  }

  /**
   * Sends a new invitation by e-mail, which may take seconds.
   *
   * @returns whether the mail server accepted it; null if the service sends no e-mail.
   */
  async mail(
    account: { readonly id: string; readonly name: string },
    invitation: NewInvitation<R>,
  ): Promise<boolean | null> {
    return this.#mail ? this.#mail.send(account, invitation) : null;
  }

  /** @throws NotFoundError if it is not open. */
  async withdraw(actor: Actor, account: string, id: string): Promise<void> {
    const withdrawn = await this.#store.change(
      account,
      (roster) => {
        const invitation = roster.invitation(id);
        if (!invitation) throw new NotFoundError('open invitation', id);
        roster.withdraw(id);
        return invitation;
      },
      ({ email }) => this.#record(actor, account, 'invitation.withdrawn', { email }),
    );
    await this.#unplace(account, [withdrawn]);
  }

  /**
   * Changes the role of a member. Invitations that they made end if the role may not invite.
   *
   * @throws OperatorError if there is no such member, or it is the last owner.
   */
  async setRole(actor: Actor, account: string, id: string, role: R): Promise<Member<R>> {
    const { noun } = this.realm;
    const { member, ended } = await this.#store.change(
      account,
      (roster) => ({ member: roster.setRole(id, role), ended: roster.ended }),
      async ({ member: { name, email }, ended }) => {
        await this.#record(actor, account, `${noun}.role-changed`, { [noun]: name, email, role });
        await this.#recordEnds(actor, account, id, ended);
      },
    );
    await this.#unplace(account, ended);
    return member;
  }

  /** Removes a member with their sessions, passkeys and invitations, at once. @throws OperatorError as above. */
  async remove(actor: Actor, account: string, id: string): Promise<Member<R>> {
    const { noun } = this.realm;
    const { member, ended } = await this.#store.change(
      account,
      (roster) => ({ member: roster.remove(id), ended: roster.ended }),
      async ({ member: { name, email }, ended }) => {
        await this.#record(actor, account, `${noun}.removed`, { [noun]: name, email });
        await this.#recordEnds(actor, account, id, ended);
      },
    );
    // Without the member these entries have no effect.
    await Promise.all([
      this.sessions.endAll(subjectOf(account, id)),
      this.#store.unplacePasskeys(member.passkeys),
      this.#store.unplaceEmail(member.email, account),
      this.#unplace(account, ended),
    ]);
    return member;
  }

  /** Ends the sessions of a member. @throws OperatorError if there is no such member. */
  async endSessions(actor: Actor, account: string, id: string): Promise<void> {
    const { name, email } = (await this.read(account)).member(id);
    await this.#record(actor, account, 'session.ended', { [this.realm.noun]: name, email });
    await this.sessions.endAll(subjectOf(account, id));
  }

  /** Removes a passkey, and ends the sessions that it may have begun. @param session goes on. @throws OperatorError */
  async removePasskey(
    actor: Actor,
    account: string,
    { id, passkeys }: Pick<Member, 'id' | 'passkeys'>,
    passkey: string,
    session: string,
  ): Promise<void> {
    // Only if it can be removed. If ending the sessions fails, it is still there.
    (await this.read(account)).removePasskey(id, passkey);
    const endOthers = () => this.sessions.endAll(subjectOf(account, id), session);
    await endOthers();
    const name = passkeys.find((each) => each.id === passkey)?.name ?? '';
    await this.#store.change(
      account,
      (roster) => roster.removePasskey(id, passkey),
      () => this.#record(actor, account, 'passkey.removed', { name }),
    );
    // Those that have begun meanwhile.
    await endOthers();
    // An entry that is left does no harm.
    await this.#store.unplacePasskeys([{ id: passkey }]).catch(() => {});
  }

  /** Removes the entries that lead to members of a removed account. @returns how many there were. */
  async forget(account: string): Promise<number> {
    const { members, invitations, expired } = await this.read(account);
    const passkeys = members.flatMap((member) => member.passkeys);
    await this.#store.unplacePasskeys(passkeys);
    await Promise.all(invitations.map(({ hash }) => this.#store.unplaceInvitation(hash)));
    const known = [...members, ...invitations].map(({ email }) => email);
    await Promise.all([...known, ...expired].map((email) => this.#store.forgetEmail(email, account)));
    return passkeys.length + invitations.length;
  }

  async #invite(
    actor: Actor,
    account: string,
    open: (hash: string, madeBy: Maker) => (roster: Roster<R>) => Invitation<R>,
  ): Promise<NewInvitation<R>> {
    const { token, hash } = MemberStore.newToken();
    const invitation = await this.#store.change(account, open(hash, makerOf(actor)), ({ email, role }) =>
      this.#record(actor, account, `${this.realm.noun}.invited`, { email, role }),
    );
    await this.#store.placeInvitation(hash, { account, id: invitation.id });
    await this.#store.placeEmail(invitation.email, account);
    return { ...invitation, token };
  }

  /** Removes the entries that lead to ended invitations, without which they have no effect. */
  async #unplace(account: string, ended: readonly Invitation<R>[]): Promise<void> {
    await Promise.all(
      ended.flatMap(({ hash, email }) => [
        this.#store.unplaceInvitation(hash),
        this.#store.unplaceEmail(email, account),
      ]),
    );
  }

  /** Notes the invitations that end with their maker; a link for the maker is part of them. */
  async #recordEnds(
    actor: Actor,
    account: string,
    maker: string,
    ended: readonly Invitation<R>[],
  ): Promise<void> {
    for (const { email, member } of ended)
      if (member !== maker) await this.#record(actor, account, 'invitation.withdrawn', { email });
  }

  #record(
    actor: Actor,
    account: string,
    action: AuditAction,
    details: Readonly<Record<string, string>>,
  ): Promise<void> {
    return this.#audit.record(actor, action, { ...subjectFor(account), details });
  }
}
