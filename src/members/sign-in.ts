/** Registers passkeys, and signs members in with them. */
import { OperatorError } from '../errors.ts';
import type { Audit } from '../operator/audit.ts';
import type { AuditAction } from '../operator/audit-entry.ts';
import type { Client, Session } from '../operator/sessions.ts';
import type { RedisClient } from '../redis/connect.ts';
import type { Log } from '../system/log.ts';
import { Challenges } from './challenges.ts';
import {
  type Invitation,
  type Member,
  newId,
  type Passkey,
  type Role,
  readMemberName,
  readPasskeyName,
} from './member.ts';
import type { Members } from './members.ts';
import { NO_ACCOUNT, type Realm, subjectFor, subjectOf } from './realm.ts';
import type { Roster } from './roster.ts';
import { type MemberRef, MemberStore } from './store.ts';
import {
  type AuthenticationResponseJSON,
  challengeIn,
  type RegistrationResponseJSON,
  readRegistration,
  readSignIn,
  registrationOptions,
  type Site,
  signInOptions,
} from './webauthn.ts';

export interface SignedIn<R extends string = Role> {
  /** `-` for an operator. */
  readonly account: string;
  readonly member: Member<R>;
  /** Id of the session. */
  readonly id: string;
  readonly session: Session;
}

/** An invitation that can be accepted. */
export interface OpenInvitation<R extends string = Role> {
  readonly account: string;
  readonly invitation: Invitation<R>;
}

const SIGN_IN = 'sign-in';
/** Verified in place of an unknown passkey, so that the time does not tell whether a passkey is known. */
const DECOY = {
  publicKey:
    'pQECAyYgASFYIBjrH_yD-h4DwHQeTx7FXmVpHs4C24P1gzFh9yCKkB0xIlggpARiIGQc3LgDkmMuzYy6ZWmpowagijp5kQqzl5A5Kgc',
  transports: [],
} as const;

export class SignIn<R extends string = Role> {
  readonly #realm: Realm<R>;
  readonly #members: Members<R>;
  readonly #store: MemberStore<R>;
  readonly #challenges: Challenges;
  readonly #audit: Audit;
  readonly #log: Log;

  /** @param secret the same on all servers, for challenges of this realm only. */
  constructor(
    redis: RedisClient,
    { members, audit, secret, log }: { members: Members<R>; audit: Audit; secret: string; log: Log },
  ) {
    this.#realm = members.realm;
    this.#members = members;
    this.#store = new MemberStore(redis, members.realm);
    this.#challenges = new Challenges(redis, secret);
    this.#audit = audit;
    this.#log = log;
  }

  /** Options for the browser's request to an authenticator; the same for everybody. */
  options(site: Site) {
    return signInOptions(site, this.#challenges.issue(SIGN_IN));
  }

  /**
   * Signs a member in.
   *
   * @returns undefined if the passkey belongs to no member, or its answer is not valid.
   * @throws Error when Redis is not available.
   */
  async signIn(
    site: Site,
    response: AuthenticationResponseJSON,
    client: Client,
  ): Promise<SignedIn<R> | undefined> {
    const place = (await this.#store.locatePasskey(response.id)) ?? this.#nowhere;
    const member = await this.#store.find(place);
    const passkey = member?.passkeys.find(({ id }) => id === response.id);
    const counter = await this.#checked(SIGN_IN, response, (isOurs) =>
      readSignIn(site, response, isOurs, passkey ?? { ...DECOY, id: response.id }),
    );
    if (!passkey || counter === undefined || response.response.userHandle !== member?.handle)
      return undefined;
    const { account, id } = place;
    const known = await this.#store.change(account, (roster) => roster.signIn(id, passkey.id, counter));
    return known && this.begin(account, known, client);
  }

  /** The invitation of a token; undefined if there is none, or it is no longer open. */
  async invitation(token: string): Promise<OpenInvitation<R> | undefined> {
    const { account, id } = (await this.#store.locateInvitation(token)) ?? this.#nowhere;
    const invitation = (await this.#store.read(account)).invitation(id);
    return invitation && { account, invitation };
  }

  /** Options for the browser to register the passkey of an invited person. */
  async invitationOptions(site: Site, { invitation }: OpenInvitation<R>) {
    const { id, handle, email } = invitation;
    const challenge = this.#challenges.issue(id);
    const label = this.#realm.labelOf(email);
    return registrationOptions(site, { handle, email: label, name: label }, challenge, []);
  }

  /**
   * Accepts an invitation with a new passkey. A member who had passkeys loses the others, and all other sessions end.
   *
   * @returns undefined if the invitation is no longer open, or the answer is not valid.
   * @throws OperatorError if the name is wrong, or there are too many members.
   */
  async accept(
    site: Site,
    { account, invitation }: OpenInvitation<R>,
    { response, ...names }: { response: RegistrationResponseJSON; name: string; passkey: string },
    client: Client,
  ): Promise<SignedIn<R> | undefined> {
    const name = readMemberName(names.name);
    const passkey = await this.#register(site, invitation.id, response, names.passkey);
    if (!passkey) return undefined;
    const id = invitation.member ?? newId(this.#realm.prefix);
    const subject = subjectOf(account, id);
    // Already now: if this fails, the invitation is still open. Of a new member there are none.
    await this.#members.sessions.endAll(subject);
    const { member, former } = await this.#placed(
      passkey,
      { account, id },
      (roster) => ({
        former: roster.members.find((each) => each.id === id),
        member: roster.accept(invitation.id, id, name, passkey),
      }),
      (member, { former }) => {
        const { email, role } = member;
        const action = former ? 'passkey.replaced' : (`${this.#realm.noun}.joined` as const);
        return this.#record(account, member, action, { email, role });
      },
    );
    if (!member) return undefined;
    // Those that have begun meanwhile.
    await this.#members.sessions.endAll(subject);
    const signedIn = await this.begin(account, member, client);
    await this.#tidy(
      this.#store.unplaceInvitation(invitation.hash),
      this.#store.unplacePasskeys(former?.passkeys ?? []),
    );
    return signedIn;
  }

  /**
   * Begins a session of a member who has signed in. @param by the way of signing in. @throws Error when Redis is not available.
   */
  async begin(account: string, member: Member<R>, client: Client, by = 'passkey'): Promise<SignedIn<R>> {
    const { id, session } = await this.#members.sessions.begin(subjectOf(account, member.id), client);
    const details = { address: client.address, by };
    await this.#record(account, member, 'session.began', details);
    return { account, member, id, session };
  }

  /** Options for the browser to register another passkey of a member. */
  async passkeyOptions(site: Site, { id, handle, email, name, passkeys }: Member<R>) {
    const label = this.#realm.labelOf(email);
    return registrationOptions(site, { handle, email: label, name }, this.#challenges.issue(id), passkeys);
  }

  /** @returns undefined if the answer is not valid. @throws OperatorError if the member has too many. */
  async addPasskey(
    site: Site,
    account: string,
    { id }: Member<R>,
    { response, name }: { response: RegistrationResponseJSON; name: string },
  ): Promise<Passkey | undefined> {
    const passkey = await this.#register(site, id, response, name);
    if (!passkey) return undefined;
    const { member } = await this.#placed(
      passkey,
      { account, id },
      (roster) => ({ member: roster.addPasskey(id, passkey) }),
      (member) => this.#record(account, member, 'passkey.added', { name: passkey.name }),
    );
    return member && passkey;
  }

  /** Stores a passkey. First its entry, which has no effect without the member's record. @param record for the audit. */
  async #placed<T extends { readonly member: Member<R> | undefined }>(
    passkey: Passkey,
    place: MemberRef,
    change: (roster: Roster<R>) => T,
    record: (member: Member<R>, result: T) => Promise<void>,
  ): Promise<T | { readonly member: undefined; readonly former: undefined }> {
    const nothing = { member: undefined, former: undefined };
    if (!(await this.#store.placePasskey(passkey.id, place))) return nothing;
    try {
      const announce = (result: T) => result.member && record(result.member, result);
      const result = await this.#store.change(place.account, change, announce);
      if (!result.member) await this.#tidy(this.#store.unplacePasskeys([passkey]));
      return result;
    } catch (error) {
      // After any other error, Redis may still make the change.
      if (error instanceof OperatorError) await this.#tidy(this.#store.unplacePasskeys([passkey]));
      throw error;
    }
  }

  /** Waits for the removal of entries that have no effect any more. One that is left does no harm. */
  async #tidy(...removals: readonly Promise<void>[]): Promise<void> {
    await Promise.allSettled(removals);
  }

  async #register(
    site: Site,
    purpose: string,
    response: RegistrationResponseJSON,
    name: string,
  ): Promise<Passkey | undefined> {
    const read = await this.#checked(purpose, response, (isOurs) => readRegistration(site, response, isOurs));
    const createdAt = new Date().toISOString();
    return read && { ...read, name: readPasskeyName(name), createdAt, lastUsedAt: null };
  }

  /** Verifies an answer and uses its challenge. @returns undefined if it is not valid, or was used before. */
  async #checked<T>(
    purpose: string,
    response: { readonly response: { readonly clientDataJSON: string } },
    read: (isOurs: (challenge: string) => boolean) => Promise<T>,
  ): Promise<T | undefined> {
    const isOurs = (challenge: string) => this.#challenges.isValid(challenge, purpose);
    let result: T;
    let challenge: string;
    try {
      challenge = challengeIn(response);
      result = await read(isOurs);
    } catch (error) {
      this.#log.info({ cause: (error as Error).message }, 'a passkey was refused');
      return undefined;
    }
    return (await this.#challenges.spend(challenge)) ? result : undefined;
  }

  /** Looked up in place of an unknown passkey or token, so that the time does not tell whether it is known. */
  get #nowhere(): MemberRef {
    return { account: NO_ACCOUNT, id: `${this.#realm.prefix}_` };
  }

  #record(
    account: string,
    member: Member<R>,
    action: AuditAction,
    details: Readonly<Record<string, string>>,
  ): Promise<void> {
    return this.#audit.record(this.#realm.actorFor(member), action, { ...subjectFor(account), details });
  }
}
