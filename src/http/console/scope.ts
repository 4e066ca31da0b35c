/**
 * The data that a member may use: that of their own account. Routes of the console take everything from here and never name an
 * account themselves, so they cannot read or change another one.
 */
import type { Config } from '../../config.ts';
import type { Account } from '../../keys/records.ts';
import type { Member } from '../../members/member.ts';
import { memberRealm, subjectOf } from '../../members/realm.ts';
import type { OperationServices } from '../../operations/services.ts';
import type { Actor } from '../../operator/audit-entry.ts';
import type { Session } from '../../operator/sessions.ts';

export interface ScopeSources extends OperationServices {
  readonly config: OperationServices['config'] & Pick<Config, 'deliveryTimeoutMs'>;
}

export class Scope {
  /** Id of the account. */
  readonly account: string;
  /** The account, as it was when the request came. */
  readonly record: Account;
  /** The member who is signed in. */
  readonly member: Member;
  readonly session: Session;
  /** Id of the session. */
  readonly sessionId: string;
  readonly #sources: ScopeSources;
  readonly actor: Actor;

  constructor(
    sources: ScopeSources,
    signedIn: { record: Account; member: Member; session: Session; sessionId: string },
  ) {
    this.#sources = sources;
    this.account = signedIn.record.id;
    this.record = signedIn.record;
    this.member = signedIn.member;
    this.session = signedIn.session;
    this.sessionId = signedIn.sessionId;
    this.actor = memberRealm.actorFor(signedIn.member);
  }

  /** The operator's banner for all customers. */
  async banner(): Promise<string | null> {
    return (await this.#sources.banner.get())?.text ?? null;
  }

  sessions() {
    return this.#sources.members.sessions.list(this.#subject);
  }

  async signOut(): Promise<void> {
    await this.#note('session.ended');
    await this.#sources.members.sessions.end(this.sessionId);
  }

  /** @returns whether the member has such a session. */
  endSession(listed: string): Promise<boolean> {
    const { sessions } = this.#sources.members;
    return sessions.endListed(this.#subject, listed, () => this.#note('session.ended'));
  }

  get #subject(): string {
    return subjectOf(this.account, this.member.id);
  }

  #note(action: 'session.ended'): Promise<void> {
    return this.#sources.audit.record(this.actor, action, { account: this.account });
  }
}
