/** Signing members in at an issuer of OpenID Connect: by the e-mail address that it has verified. */
import { createHash, randomBytes } from 'node:crypto';
import type { OidcSettings } from '../config.ts';
import type { Log } from '../log.ts';
import type { Audit } from '../operator/audit.ts';
import { type Client, LIFETIME_MS, Sessions } from '../operator/sessions.ts';
import type { RedisClient } from '../redis/connect.ts';
import { Challenges } from './challenges.ts';
import { type Attempt, type Identity, Issuer, IssuerAway, LOGOUT_TOKEN_S } from './issuer.ts';
import { newId, type Role, readEmail, readMemberName } from './member.ts';
import { type Members, placeIn, subjectOf } from './members.ts';
import { memberKeys } from './redis-keys.ts';
import { actorFor, type SignedIn, type SignIn } from './sign-in.ts';
import { MemberStore } from './store.ts';

/** How long signing in there may take: ten minutes. */
export const ATTEMPT_MS = 600_000;
/** Most accounts of one address among which somebody chooses. */
const MAX_CHOICES = 50;
const SECRET_BYTES = 32;
const SECRET = /^[A-Za-z0-9_-]{43}$/;
const MAX_NAME = 200;
const ATTEMPT = 'oidc';

/** An account that somebody may enter. */
export interface Choice {
  readonly account: string;
  readonly role: Role;
  /** Whether they join by an invitation. */
  readonly isNew: boolean;
}

/** A person whose address the issuer has verified. */
export interface Person extends Identity {
  readonly email: string;
}

interface OidcSignInSources {
  readonly settings: OidcSettings;
  readonly members: Members;
  readonly signIn: SignIn;
  readonly audit: Audit;
  /** Of all servers. */
  readonly secret: string;
  readonly log: Log;
}

export class OidcSignIn {
  readonly isOnly: boolean;
  readonly #redis: RedisClient;
  readonly #store: MemberStore;
  readonly #challenges: Challenges;
  readonly #issuer: Issuer;
  readonly #members: Members;
  readonly #signIn: SignIn;
  readonly #audit: Audit;
  readonly #log: Log;

  constructor(redis: RedisClient, { settings, members, signIn, audit, secret, log }: OidcSignInSources) {
    this.isOnly = settings.isOnly;
    this.#redis = redis;
    this.#store = new MemberStore(redis);
    this.#challenges = new Challenges(redis, secret, ATTEMPT_MS);
    this.#issuer = new Issuer(settings);
    this.#members = members;
    this.#signIn = signIn;
    this.#audit = audit;
    this.#log = log;
  }

  /**
   * Asks the issuer where to sign in. Nothing is stored: from many addresses that would fill Redis.
   *
   * @returns the address, and what the browser shows to go on, on any server.
   * @throws IssuerAway
   */
  async begin(): Promise<{ readonly url: string; readonly begun: string }> {
    const begun = this.#challenges.issue(ATTEMPT).toString('base64url');
    return { url: await this.#issuer.begin(this.#attemptOf(begun)), begun };
  }

  /** Keeps who is to choose an account. @returns what the browser shows for it. @throws Error when Redis is not available. */
  async keep(person: Person): Promise<string> {
    const secret = randomBytes(SECRET_BYTES).toString('base64url');
    await this.#redis.set(memberKeys.oidc(sha256(secret)), JSON.stringify(person), 'PX', ATTEMPT_MS);
    return secret;
  }

  /** Whether a browser has begun this, and not too long ago. */
  hasBegun(begun: string): boolean {
    return this.#challenges.isValid(begun, ATTEMPT);
  }

  /** Uses an attempt up. @returns false if it was used before. @throws Error as above. */
  spend(begun: string): Promise<boolean> {
    return this.#challenges.spend(begun);
  }

  /** The person who chooses an account, once. @throws Error as above. */
  async takePerson(secret = ''): Promise<Person | undefined> {
    if (!SECRET.test(secret)) return undefined;
    const key = memberKeys.oidc(sha256(secret));
    const [[error, text] = []] = (await this.#redis.multi().get(key).del(key).exec()) ?? [];
    if (error) throw error;
    return typeof text === 'string' ? JSON.parse(text) : undefined;
  }

  /**
   * Whom the issuer names in its answer.
   *
   * @param query of the address to which the browser came back.
   * @param begun what it showed, of {@link begin}.
   * @returns undefined where the answer is not right.
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

  /** What a person may enter. @throws Error when Redis is not available. */
  async choices({ email }: Person): Promise<Choice[]> {
    const accounts = await this.#store.locateEmail(email, MAX_CHOICES);
    const found = await Promise.all(
      accounts.map(async (account) => {
        const { member, invitation } = (await this.#store.read(account)).find(email);
        const role = (member ?? invitation)?.role;
        return role && { account, role, isNew: !member };
      }),
    );
    return found.filter((choice) => choice !== undefined);
  }

  /**
   * Signs a person in to an account, which they join if they are invited.
   *
   * @returns undefined where they are neither a member nor invited.
   * @throws OperatorError when there are too many members; Error when Redis is not available.
   */
  async enter(person: Person, account: string, client: Client): Promise<SignedIn | undefined> {
    const id = newId('mem');
    const { member, invitation } = await this.#store.change(account, (roster) => {
      const found = roster.find(person.email);
      const member = found.invitation
        ? roster.accept(found.invitation.id, id, nameOf(person), null)
        : roster.noteSignIn(found.member?.id ?? '');
      return { member, invitation: found.invitation };
    });
    if (!member) return undefined;
    if (invitation) {
      await this.#store.unplaceInvitation(invitation.hash);
      const details = { email: member.email, role: member.role };
      await this.#audit.record(actorFor(member), 'member.joined', { account, details });
    }
    const signedIn = await this.#signIn.begin(account, member, client, 'oidc');
    await this.#remember(person, signedIn);
    return signedIn;
  }

  /**
   * Ends the sessions that a logout token names.
   *
   * @returns false where the token is not right, or came before.
   * @throws IssuerAway; Error when Redis is not available.
   */
  async logout(token: string): Promise<boolean> {
    const logout = await this.#issuer.readLogout(token).catch((error: Error) => {
      if (error instanceof IssuerAway) throw error;
      this.#log.info({ cause: error.message }, 'a logout token was refused');
    });
    if (!logout) return false;
    const once = memberKeys.logoutToken(sha256(logout.id));
    if ((await this.#redis.set(once, '1', 'EX', 2 * LOGOUT_TOKEN_S, 'NX')) !== 'OK') return false;
    const name = logout.sid === undefined ? subName(logout.sub ?? '') : sidName(logout.sid);
    const key = memberKeys.oidcSessions(sha256(name));
    const sessions = await this.#redis.zrange(key, '0', '-1');
    await Promise.all(sessions.map((each) => this.#end(each)));
    await this.#redis.del(key);
    return true;
  }

  #attemptOf(begun: string): Attempt {
    const secret = (name: string) => this.#challenges.secretOf(begun, `oidc ${name}`);
    return { state: secret('state'), nonce: secret('nonce'), verifier: secret('verifier') };
  }

  /** So that the issuer can end the session. */
  async #remember({ sub, sid }: Person, { account, member, id }: SignedIn): Promise<void> {
    const session = `${subjectOf(account, member.id)} ${Sessions.listedIdOf(id)}`;
    const now = Date.now();
    for (const name of [subName(sub), ...(sid === null ? [] : [sidName(sid)])]) {
      const key = memberKeys.oidcSessions(sha256(name));
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
    const place = placeIn(subject);
    if (!place || !(await this.#members.sessions.endListed(subject, listed))) return;
    const { account, member } = place;
    const known = await this.#members.find(account, member);
    const details = { ...(known && { member: known.name, email: known.email }), by: 'oidc' };
    await this.#audit.record({ by: 'service', who: '-' }, 'session.ended', { account, details });
  }
}

function subName(sub: string): string {
  return `sub ${sub}`;
}

function sidName(sid: string): string {
  return `sid ${sid}`;
}

/** An address as members have it; null: what no member can have. */
function addressIn(email: string): string | null {
  try {
    return readEmail(email);
  } catch {
    return null;
  }
}

/** What the issuer says may be no name here. */
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
