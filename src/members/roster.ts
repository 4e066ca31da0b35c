/** The members of one account, or the operators, with open invitations, and all rules for changing them. */
import type { Maker } from '../accounts/keys/maker.ts';
import { NotFoundError, OperatorError } from '../errors.ts';
import {
  INVITATION_MS,
  type Invitation,
  MAX_INVITATIONS,
  MAX_MEMBERS,
  MAX_PASSKEYS,
  type Member,
  newHandle,
  newId,
  type Passkey,
  type Role,
} from './member.ts';
import type { Realm } from './realm.ts';

const VERSION = 'version';

export class Roster<R extends string = Role> {
  readonly version: string;
  readonly #realm: Realm<R>;
  readonly #members = new Map<string, Member<R>>();
  readonly #invitations = new Map<string, Invitation<R>>();
  readonly #expired: string[] = [];
  readonly #ended: Invitation<R>[] = [];
  /** Changes to store, by id; null: removed. */
  readonly #changes = new Map<string, Member<R> | Invitation<R> | null>();
  readonly #now: number;

  /** @param stored the hash in Redis. @param now milliseconds since the epoch. */
  constructor(realm: Realm<R>, stored: Readonly<Record<string, string>>, now: number) {
    this.#realm = realm;
    this.#now = now;
    this.version = stored[VERSION] ?? '';
    for (const [id, text] of Object.entries(stored)) {
      if (id.startsWith(`${realm.prefix}_`)) this.#members.set(id, JSON.parse(text));
      if (!id.startsWith('inv_')) continue;
      const invitation = JSON.parse(text) as Invitation<R>;
      if (Date.parse(invitation.expiresAt) > now) this.#invitations.set(id, invitation);
      else {
        this.#changes.set(id, null);
        this.#expired.push(invitation.email);
      }
    }
  }

  /** In the order in which they joined. */
  get members(): readonly Member<R>[] {
    return [...this.#members.values()].sort((a, b) => compare(a.joinedAt, b.joinedAt) || compare(a.id, b.id));
  }

  /** Open ones, the newest first. */
  get invitations(): readonly Invitation<R>[] {
    return [...this.#invitations.values()].sort((a, b) => compare(b.createdAt, a.createdAt));
  }

  /** Addresses of invitations that were not accepted in time. The next change forgets them. */
  get expired(): readonly string[] {
    return this.#expired;
  }

  /** Open invitations that changes have ended. */
  get ended(): readonly Invitation<R>[] {
    return this.#ended;
  }

  /** Changes to store: ids, and records as JSON or "". */
  get changes(): string[] {
    return [...this.#changes].flatMap(([id, record]) => [id, record === null ? '' : JSON.stringify(record)]);
  }

  /** @throws NotFoundError */
  member(id: string): Member<R> {
    const member = this.#members.get(id);
    if (!member) throw new NotFoundError(this.#realm.noun, id);
    return member;
  }

  /** The member with this address, else an invitation for a new member. */
  find(email: string): { readonly member?: Member<R>; readonly invitation?: Invitation<R> } {
    const member = this.members.find((each) => each.email === email);
    if (member) return { member };
    const invitation = this.invitations.find((each) => each.email === email && each.member === null);
    return invitation ? { invitation } : {};
  }

  knows(email: string): boolean {
    return Object.keys(this.find(email)).length > 0;
  }

  invitation(id: string): Invitation<R> | undefined {
    return this.#invitations.get(id);
  }

  /**
   * Invites somebody; an earlier invitation of the same address ends.
   *
   * @param hash SHA-256 of the token.
   * @throws OperatorError if they are a member already, there are too many, or who makes it may not invite any more.
   */
  invite(email: string, role: R, hash: string, madeBy?: Maker): Invitation<R> {
    const known = this.members.find((member) => member.email === email);
    if (known) throw new OperatorError(`${email} is ${this.#realm.one} already (${known.id})`);
    return this.#open({ email, role, member: null, handle: newHandle(), hash }, madeBy);
  }

  /** A link for a member who lost their passkey. @throws OperatorError when there is no such member, or as above. */
  inviteAgain(id: string, hash: string, madeBy?: Maker): Invitation<R> {
    const { email, role, handle } = this.member(id);
    return this.#open({ email, role, member: id, handle, hash }, madeBy);
  }

  /** @returns whether it was open. */
  withdraw(id: string): boolean {
    const invitation = this.#invitations.get(id);
    if (!invitation) return false;
    this.#invitations.delete(id);
    this.#changes.set(id, null);
    this.#ended.push(invitation);
    return true;
  }

  /**
   * Uses an invitation. Its passkey replaces all others of an existing member.
   *
   * @param member id of the member, who is new unless the invitation is for an existing one.
   * @param passkey null: the member signs in without one.
   * @returns undefined if it is no longer open.
   */
  accept(id: string, member: string, name: string, passkey: Passkey | null): Member<R> | undefined {
    const invitation = this.#invitations.get(id);
    if (!invitation || !this.withdraw(id)) return undefined;
    const former = invitation.member === null ? undefined : this.#members.get(invitation.member);
    if (invitation.member !== null && !former) return undefined;
    const { email, role, handle } = invitation;
    const at = new Date(this.#now).toISOString();
    const passkeys = passkey ? [passkey] : [];
    if (former) return this.#put({ ...former, passkeys, lastSignInAt: at });
    this.#assertRoom();
    return this.#put({ id: member, email, name, role, handle, passkeys, joinedAt: at, lastSignInAt: at });
  }

  /**
   * Without the right to invite, the invitations that they made end, too.
   *
   * @throws OperatorError if there is no such member, or it is the last owner.
   */
  setRole(id: string, role: R): Member<R> {
    const member = this.member(id);
    if (role !== member.role) this.#assertNotLast(member);
    if (role !== this.#realm.invitingRole) this.#withdrawAllBy(id);
    return this.#put({ ...member, role });
  }

  /** Also the invitations that they made, and the link for them. @throws OperatorError as above. */
  remove(id: string): Member<R> {
    const member = this.member(id);
    this.#assertNotLast(member);
    this.#members.delete(id);
    this.#changes.set(id, null);
    this.#withdrawAllBy(id);
    for (const invitation of this.invitations) if (invitation.member === id) this.withdraw(invitation.id);
    return member;
  }

  /** @throws OperatorError if there is no such member, or they have too many. */
  addPasskey(id: string, passkey: Passkey): Member<R> {
    const member = this.member(id);
    if (member.passkeys.length >= MAX_PASSKEYS) {
      throw new OperatorError(`a person can have at most ${MAX_PASSKEYS} passkeys`);
    }
    return this.#put({ ...member, passkeys: [...member.passkeys, passkey] });
  }

  /** @throws OperatorError if there is no such passkey, or it is the last. */
  removePasskey(id: string, passkey: string): Member<R> {
    const member = this.member(id);
    const passkeys = member.passkeys.filter((each) => each.id !== passkey);
    if (passkeys.length === member.passkeys.length) throw new OperatorError('there is no such passkey');
    if (passkeys.length === 0) {
      throw new OperatorError(
        'this is your last passkey: add another one first, so that you can sign in again',
      );
    }
    return this.#put({ ...member, passkeys });
  }

  /** Stores the use of a passkey. @returns undefined if it is gone, or its counter did not grow. */
  signIn(id: string, passkey: string, counter: number): Member<R> | undefined {
    const member = this.#members.get(id);
    const used = member?.passkeys.find((each) => each.id === passkey);
    if (!member || !used || (used.counter > 0 && counter <= used.counter)) return undefined;
    const at = new Date(this.#now).toISOString();
    const passkeys = member.passkeys.map((each) =>
      each.id === passkey ? { ...each, counter, lastUsedAt: at } : each,
    );
    return this.#put({ ...member, passkeys, lastSignInAt: at });
  }

  /** Stores a sign-in without a passkey. @returns undefined if the member is gone. */
  noteSignIn(id: string): Member<R> | undefined {
    const member = this.#members.get(id);
    return member && this.#put({ ...member, lastSignInAt: new Date(this.#now).toISOString() });
  }

  #open(
    wanted: Pick<Invitation<R>, 'email' | 'role' | 'member' | 'handle' | 'hash'>,
    madeBy: Maker | undefined,
  ): Invitation<R> {
    this.#assertMayInvite(madeBy);
    for (const former of this.invitations) if (former.email === wanted.email) this.withdraw(former.id);
    if (this.#invitations.size >= MAX_INVITATIONS) {
      throw new OperatorError(`${this.#realm.whole} can have at most ${MAX_INVITATIONS} open invitations`);
    }
    if (wanted.member === null) this.#assertRoom();
    const createdAt = new Date(this.#now).toISOString();
    const expiresAt = new Date(this.#now + INVITATION_MS).toISOString();
    const invitation = { id: newId('inv'), ...wanted, createdAt, expiresAt, ...(madeBy && { madeBy }) };
    this.#invitations.set(invitation.id, invitation);
    this.#changes.set(invitation.id, invitation);
    return invitation;
  }

  #put(member: Member<R>): Member<R> {
    this.#members.set(member.id, member);
    this.#changes.set(member.id, member);
    return member;
  }

  /** They may have lost the right since their request came. Of other realms nothing is known here. */
  #assertMayInvite(maker: Maker | undefined): void {
    const { noun, invitingRole } = this.#realm;
    if (!maker || maker.by !== noun || maker.id === null) return;
    if (this.#members.get(maker.id)?.role === invitingRole) return;
    throw new OperatorError(`only an ${invitingRole} may invite`);
  }

  #withdrawAllBy(id: string): void {
    for (const { id: invitation, madeBy } of this.invitations) {
      if (madeBy?.by === this.#realm.noun && madeBy.id === id) this.withdraw(invitation);
    }
  }

  #assertRoom(): void {
    if (this.#members.size >= MAX_MEMBERS) {
      throw new OperatorError(`${this.#realm.whole} can have at most ${MAX_MEMBERS} ${this.#realm.noun}s`);
    }
  }

  /** Without an owner, nobody could invite one. */
  #assertNotLast({ id, role }: Member<R>): void {
    if (role !== this.#realm.keptRole) return;
    if (this.members.some((other) => other.role === role && other.id !== id)) return;
    throw new OperatorError(`this is the last ${role}: make another ${this.#realm.noun} an ${role} first`);
  }
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
