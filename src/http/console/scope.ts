/**
 * The data that a member may use: that of their own account. Routes of the console take everything from here and never name an
 * account themselves, so they cannot read or change another one.
 */
import type { FastifyReply } from 'fastify';
import { monthOf } from '../../billing/months.ts';
import type { Config } from '../../config.ts';
import type { Environment } from '../../keys/format.ts';
import type { Account } from '../../keys/records.ts';
import type { KeyStore } from '../../keys/store.ts';
import { readAccountUsage } from '../../limits/account-standing.ts';
import { accountUsage } from '../../limits/account-usage.ts';
import type { Member } from '../../members/member.ts';
import { memberRealm, subjectOf } from '../../members/realm.ts';
import type { OperationServices } from '../../operations/services.ts';
import type { Audit } from '../../operator/audit.ts';
import type { Actor } from '../../operator/audit-entry.ts';
import type { Management } from '../../operator/management.ts';
import type { Session } from '../../operator/sessions.ts';
import type { Plans } from '../../plans/plans.ts';
import type { Banner } from '../../redis/banner.ts';
import type { RedisClient } from '../../redis/connect.ts';
import type { ContactStore, Contacts } from '../../webhooks/contacts.ts';
import { describeContacts } from '../operator/contacts.ts';
import { type LedgerSources, sendLedger } from '../operator/send-ledger.ts';

export interface ScopeSources extends LedgerSources, OperationServices {
  readonly redis: RedisClient;
  readonly plans: Plans;
  readonly keys: KeyStore;
  readonly management: Management;
  readonly audit: Audit;
  readonly banner: Banner;
  readonly contacts: ContactStore;
  readonly config: OperationServices['config'] & Pick<Config, 'mail' | 'deliveryTimeoutMs'>;
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

  /** Contact addresses for warnings, and whether the service sends e-mail. */
  async contacts() {
    const { contacts, config } = this.#sources;
    return describeContacts(await contacts.read(this.account), config);
  }

  async setContacts(wanted: Partial<Contacts>) {
    const { management, config } = this.#sources;
    return describeContacts(await management.setContacts(this.actor, this.account, wanted), config);
  }

  /** The operator's banner for all customers. */
  async banner(): Promise<string | null> {
    return (await this.#sources.banner.get())?.text ?? null;
  }

  async usage({ month, environment }: { month?: string; environment?: Environment }) {
    const { redis, plans, usage } = this.#sources;
    const { id: account, plan } = this.record;
    if (environment !== 'test') return readAccountUsage(redis, plans, this.record, month);
    const used = await usage.month(account, 'test', month ?? monthOf(Date.now()));
    return accountUsage({ account, plan, environment }, null, [], used);
  }

  sendLedger(reply: FastifyReply, month: string | undefined): FastifyReply {
    return sendLedger(reply, this.#sources, this.account, month);
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

  audit(after: string | undefined, limit: number) {
    return this.#sources.audit.listOf(this.account, after, limit);
  }

  get #subject(): string {
    return subjectOf(this.account, this.member.id);
  }

  #note(action: 'session.ended'): Promise<void> {
    return this.#sources.audit.record(this.actor, action, { account: this.account });
  }
}
