/** Signs people of a realm in at an OpenID Connect issuer, by the e-mail address that it has verified. */
import { createHash, randomBytes } from 'node:crypto';
import type { OidcSettings } from '../config.ts';
import type { Audit } from '../operator/audit.ts';
import { type Client, LIFETIME_MS, Sessions } from '../operator/sessions.ts';
import type { RedisClient } from '../redis/connect.ts';
import type { Log } from '../system/log.ts';
import { Challenges } from './challenges.ts';
import { type Attempt, type Identity, Issuer, IssuerAway, type Logout } from './issuer.ts';
import { signedInUrl } from './link.ts';
import { newId, type Role, readEmail, readMemberName } from './member.ts';
import type { Members } from './members.ts';
import { placeIn, type Realm, subjectFor, subjectOf } from './realm.ts';
import type { SignedIn, SignIn } from './sign-in.ts';
import { MemberStore } from './store.ts';

/** How long signing in at the issuer may take: ten minutes. */
export const ATTEMPT_MS = 600_000;
/** Most accounts of one address to choose from. */
const MAX_CHOICES = 50;
const SECRET_BYTES = 32;
const SECRET = /^[A-Za-z0-9_-]{43}$/;
const MAX_NAME = 200;
const ATTEMPT = 'oidc';

/** An account that somebody may enter. */
export interface Choice<R extends string = Role> {
  /** `-` for operators. */
  readonly account: string;
  readonly role: R;
  /** Whether they join by an invitation. */
  readonly isNew: boolean;
}

/** A person whose address the issuer has verified. */
export interface Person extends Identity {
  readonly email: string;
}

interface OidcSignInSources<R extends string> {
  readonly settings: OidcSettings;
  /** Origin of the realm's pages. */
  readonly origin: string;
  readonly members: Members<R>;
  readonly signIn: SignIn<R>;
  readonly audit: Audit;
  /** The same on all servers, for attempts in this realm only. */
  readonly secret: string;
  readonly log: Log;
}

export class OidcSignIn<R extends string = Role> {
  readonly isOnly: boolean;
  readonly #realm: Realm<R>;
  readonly #redis: RedisClient;
  readonly #store: MemberStore<R>;
  readonly #challenges: Challenges;
  readonly #issuer: Issuer;
  readonly #members: Members<R>;
  readonly #signIn: SignIn<R>;
  readonly #audit: Audit;
  readonly #log: Log;

  constructor(
    redis: RedisClient,
    { settings, origin, members, signIn, audit, secret, log }: OidcSignInSources<R>,
  ) {
    this.isOnly = settings.isOnly;
    this.#realm = members.realm;
    this.#redis = redis;
    this.#store = new MemberStore(redis, members.realm);
    this.#challenges = new Challenges(redis, secret, ATTEMPT_MS);
    this.#issuer = new Issuer(settings, signedInUrl(members.realm, origin));
    this.#members = members;
    this.#signIn = signIn;
    this.#audit = audit;
    this.#log = log;
  }

  /**
   * Starts an attempt to sign in. Nothing is stored, as attempts from many addresses would fill Redis.
   *
   * @returns the issuer's URL, and the cookie with which any server continues.
   * @throws IssuerAway
   */
  async begin(): Promise<{ readonly url: string; readonly begun: string }> {
    const begun = this.#challenges.issue(ATTEMPT).toString('base64url');
    return { url: await this.#issuer.begin(this.#attemptOf(begun)), begun };
  }

  /** Keeps a person who must choose an account. @returns the cookie for it. @throws Error when Redis is not available. */
  async keep(person: Person): Promise<string> {
    const secret = randomBytes(SECRET_BYTES).toString('base64url');
    await this.#redis.set(this.#realm.keys.oidc(sha256(secret)), JSON.stringify(person), 'PX', ATTEMPT_MS);
    return secret;
  }

  /** Whether a browser has this attempt's cookie, and it has not expired. */
  hasBegun(begun: string): boolean {
    return this.#challenges.isValid(begun, ATTEMPT);
  }

  /** Marks an attempt as used. @returns false if it was used before. @throws Error as above. */
  spend(begun: string): Promise<boolean> {
    return this.#challenges.spend(begun);
  }

  /** The person who chooses an account, once. @throws Error as above. */
  async takePerson(secret = ''): Promise<Person | undefined> {
    if (!SECRET.test(secret)) return undefined;
    const key = this.#realm.keys.oidc(sha256(secret));
    const [[error, text] = []] = (await this.#redis.multi().get(key).del(key).exec()) ?? [];
    if (error) throw error;
    return typeof text === 'string' ? JSON.parse(text) : undefined;
  }

  /**
   * The person whom the issuer names in its answer.
   *
   * @param query of the URL to which the browser came back.
   * @param begun the cookie, of {@link begin}.
   * @returns undefined if the answer is not valid.
   * @throws IssuerAway
   */
  async identify(query: string, begun: string): Promise<Identity | undefined> {
    try {
      const { email, ...identity } = await this.#issuer.identify(query, this.#attemptOf(begun));
      return { ...identity, email: email === null ? null : addressIn(email) };
    } catch (error) {
      if (error instanceof IssuerAway) throw error;
      this.#log.info({ cause: (error as Error).message }, 'an answer of the OIDC issuer was refused');
      return undefined;
    }
  }

  /** Accounts that a person may enter. @throws Error when Redis is not available. */
  async choices({ email }: Person): Promise<Choice<R>[]> {
    const accounts = await this.#store.locateEmail(email, MAX_CHOICES);
    const found = await Promise.all(
      accounts.map(async (account) => {
        const [isOpen, roster] = await Promise.all([this.#store.isOpen(account), this.#store.read(account)]);
        const { member, invitation } = roster.find(email);
        const role = (member ?? invitation)?.role;
        return isOpen && role ? { account, role, isNew: !member } : undefined;
      }),
    );
    return found.filter((choice) => choice !== undefined);
  }

  /**
   * Signs a person in to an account, which they join if they are invited.
   *
   * @returns undefined if they are neither a member nor invited.
   * @throws OperatorError if there are too many members; Error when Redis is not available.
   */
  async enter(person: Person, account: string, client: Client): Promise<SignedIn<R> | undefined> {
    const id = newId(this.#realm.prefix);
    const { member, invitation } = await this.#store.change(
      account,
      (roster) => {
        const found = roster.find(person.email);
        const member = found.invitation
          ? roster.accept(found.invitation.id, id, nameOf(person), null)
          : roster.noteSignIn(found.member?.id ?? '');
        return { member, invitation: found.invitation };
      },
      ({ member, invitation }) => {
        if (!member || !invitation) return undefined;
        const details = { email: member.email, role: member.role };
        const action = `${this.#realm.noun}.joined` as const;
        return this.#audit.record(this.#realm.actorFor(member), action, { ...subjectFor(account), details });
      },
    );
    if (!member) return undefined;
    const signedIn = await this.#signIn.begin(account, member, client, 'oidc');
    await this.#remember(person, signedIn);
    // It has no effect any more; one that is left does no harm.
    if (invitation) await this.#store.unplaceInvitation(invitation.hash).catch(() => {});
    return signedIn;
  }

  /**
   * What a logout token ends; undefined if it is not valid.
   *
   * @throws IssuerAway
   */
  async readLogout(token: string): Promise<Logout | undefined> {
    return this.#issuer.readLogout(token).catch((error: Error) => {
      if (error instanceof IssuerAway) throw error;
      this.#log.info({ cause: error.message }, 'a logout token was refused');
      return undefined;
    });
  }

  /** Ends the sessions of this realm that a logout names. @throws Error when Redis is not available. */
  async end({ sub = '', sid }: Logout): Promise<void> {
    const key = this.#realm.keys.oidcSessions(sha256(sid === undefined ? subName(sub) : sidName(sid)));
    const sessions = await this.#redis.zrange(key, '0', '-1');
    await Promise.all(sessions.map((each) => this.#end(each)));
    // No others: a session may have begun meanwhile.
    if (sessions.length > 0) await this.#redis.zrem(key, ...sessions);
  }

  #attemptOf(begun: string): Attempt {
    const secret = (name: string) => this.#challenges.secretOf(begun, `oidc ${name}`);
    return { state: secret('state'), nonce: secret('nonce'), verifier: secret('verifier') };
  }

  /** So that the issuer can end the session. */
  async #remember({ sub, sid }: Person, { account, member, id }: SignedIn<R>): Promise<void> {
    const session = `${subjectOf(account, member.id)} ${Sessions.listedIdOf(id)}`;
    const now = Date.now();
    for (const name of [subName(sub), ...(sid === null ? [] : [sidName(sid)])]) {
      const key = this.#realm.keys.oidcSessions(sha256(name));
      await this.#redis
        .multi()
        .zremrangebyscore(key, '0', String(now - LIFETIME_MS))
        .zadd(key, now, session)
        .pexpire(key, LIFETIME_MS)
        .exec();
    }
  }

  async #end(session: string): Promise<void> {
    const [subject = '', listed = ''] = session.split(' ');
    const place = placeIn(this.#realm, subject);
    if (!place) return;
    const { account, member } = place;
    await this.#members.sessions.endListed(subject, listed, async () => {
      const known = await this.#members.find(account, member);
      const details = { ...(known && { [this.#realm.noun]: known.name, email: known.email }), by: 'oidc' };
      const actor = { by: 'service', who: '-' } as const;
      await this.#audit.record(actor, 'session.ended', { ...subjectFor(account), details });
    });
  }
}

function subName(sub: string): string {
  return `sub ${sub}`;
}

function sidName(sid: string): string {
  return `sid ${sid}`;
}

/** An address in the form that members have; null if no member can have it. */
function addressIn(email: string): string | null {
  try {
    return readEmail(email);
  } catch {
    return null;
  }
}

/** A name from the issuer may not be allowed here. */
function nameOf({ name, email }: Person): string {
  try {
    return readMemberName((name ?? '').slice(0, MAX_NAME));
  } catch {
    return email;
  }
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
