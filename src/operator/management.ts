/**
 * Operations of the operator, on the command line and over HTTP. Each is recorded in the audit before it is done: a crash in between
 * leaves an entry too many, but never a change without one.
 */

import { OperatorError } from '../errors.ts';
import { HeldAccounts } from '../jobs/held-accounts.ts';
import { type Account, assertText, type NewAccount } from '../keys/records.ts';
import { KeyStore } from '../keys/store.ts';
import type { LimitName, OwnLimit } from '../plans/own-limits.ts';
import type { Plans } from '../plans/plans.ts';
import { Banner, type BannerText } from '../redis/banner.ts';
import type { RedisClient } from '../redis/connect.ts';
import {
  Maintenance,
  type MaintenanceNotice,
  type MaintenanceState,
  noNotice,
} from '../redis/maintenance.ts';
import { ContactStore, type Contacts } from '../webhooks/contacts.ts';
import { Endpoints } from '../webhooks/endpoints.ts';
import type { EndpointRef } from '../webhooks/webhook.ts';
import type { Audit } from './audit.ts';
import type { Actor } from './audit-entry.ts';

/** Characters of what customers are told. */
const MAX_REASON = 200;
const MAX_BANNER = 300;

export interface ManagementOptions {
  readonly redis: RedisClient;
  readonly plans: Plans;
  readonly audit: Audit;
}

export class Management {
  readonly #store: KeyStore;
  readonly #held: HeldAccounts;
  readonly #maintenance: Maintenance;
  readonly #banner: Banner;
  readonly #endpoints: Endpoints;
  readonly #contacts: ContactStore;
  readonly #audit: Audit;

  constructor({ redis, plans, audit }: ManagementOptions) {
    this.#store = new KeyStore(redis, plans);
    this.#held = new HeldAccounts(redis);
    this.#maintenance = new Maintenance(redis);
    this.#banner = new Banner(redis);
    this.#endpoints = new Endpoints(redis);
    this.#contacts = new ContactStore(redis, this.#store);
    this.#audit = audit;
  }

  /** @throws OperatorError when a field is wrong or the id is taken. */
  createAccount(actor: Actor, input: NewAccount): Promise<Account> {
    return this.#store.createAccount(input, ({ id: account, name, plan }) =>
      this.#audit.record(actor, 'account.created', { account, details: { name, plan } }),
    );
  }

  /** @throws OperatorError when there is no such account or plan. */
  setPlan(actor: Actor, account: string, plan: string): Promise<Account> {
    return this.#store.setPlan(account, plan, ({ plan: formerPlan }) =>
      this.#audit.record(actor, 'account.plan-changed', { account, details: { plan, formerPlan } }),
    );
  }

  /** @throws OperatorError when there is no such account, or the name is wrong. */
  rename(actor: Actor, account: string, name: string): Promise<Account> {
    return this.#store.changes.rename(account, name, ({ name: formerName }) =>
      this.#audit.record(actor, 'account.renamed', { account, details: { name, formerName } }),
    );
  }

  /**
   * Says whom of an account warnings go to by e-mail. What is left out stays.
   *
   * @throws OperatorError when there is no such account, or an address is wrong.
   */
  setContacts(actor: Actor, account: string, wanted: Partial<Contacts>): Promise<Contacts> {
    return this.#contacts.set(account, wanted, ({ addresses, warnings }) => {
      const details = {
        ...(addresses && { contacts: addresses.join(' ') || 'none' }),
        ...(warnings !== undefined && { warnings: warnings ? 'on' : 'off' }),
      };
      return this.#audit.record(actor, 'account.contacts-changed', { account, details });
    });
  }

  /** Gives an account a limit of its own. @throws OperatorError when there is no such account, or the limit is wrong. */
  setLimit(actor: Actor, account: string, own: OwnLimit): Promise<Account> {
    const { limit, value, from, until } = own;
    const details = {
      limit,
      value: value === null ? 'unlimited' : `${value}`,
      ...(from !== null && { from }),
      ...(until !== null && { until }),
    };
    return this.#store.changes.setLimit(account, own, () =>
      this.#audit.record(actor, 'account.limit-set', { account, details }),
    );
  }

  /** Restores the limit of the plan. @throws OperatorError when there is no such account. */
  removeLimit(actor: Actor, account: string, limit: LimitName): Promise<Account> {
    return this.#store.changes.removeLimit(account, limit, () =>
      this.#audit.record(actor, 'account.limit-removed', { account, details: { limit } }),
    );
  }

  /**
   * Refuses the keys of an account from the next request on. Running work finishes; waiting work keeps waiting.
   *
   * @throws OperatorError when there is no such account.
   */
  suspend(actor: Actor, id: string): Promise<Account> {
    return this.#setSuspended(actor, id, true);
  }

  /** Ends {@link suspend}. @throws OperatorError as above. */
  resume(actor: Actor, id: string): Promise<Account> {
    return this.#setSuspended(actor, id, false);
  }

  async #setSuspended(actor: Actor, id: string, isSuspended: boolean): Promise<Account> {
    const former = await this.#store.requireAccount(id);
    if ((former.suspendedAt !== null) === isSuspended) return former;
    await this.#audit.record(actor, isSuspended ? 'account.suspended' : 'account.resumed', { account: id });
    const account = await this.#store.changes.setSuspended(id, isSuspended);
    await this.#held.renew(id);
    return account;
  }

  /**
   * Plans the removal of an account in 30 days, except for its ledger rows. Until then it is treated as suspended.
   *
   * @throws OperatorError when there is no such account.
   */
  async planDeletion(actor: Actor, id: string): Promise<Account> {
    const former = await this.#store.requireAccount(id);
    if (former.deletesAt !== null) return former;
    await this.#audit.record(actor, 'account.deletion-planned', { account: id });
    const account = await this.#store.changes.planDeletion(id);
    await this.#held.renew(id);
    return account;
  }

  /** Ends {@link planDeletion}. One that was suspended before is so again. @throws OperatorError as above. */
  async restore(actor: Actor, id: string): Promise<Account> {
    const former = await this.#store.requireAccount(id);
    if (former.deletesAt === null) return former;
    await this.#audit.record(actor, 'account.restored', { account: id });
    const account = await this.#store.changes.restore(id);
    await this.#held.renew(id);
    return account;
  }

  /**
   * Cancels a job.
   *
   * @param cancel does it.
   */
  async cancelJob<T>(actor: Actor, account: string, job: string, cancel: () => Promise<T>): Promise<T> {
    await this.#audit.record(actor, 'job.canceled', { account, details: { job } });
    return cancel();
  }

  /** Disables an endpoint of webhooks, which its account can enable again. @returns whether there is one. */
  async disableWebhook(actor: Actor, endpoint: EndpointRef): Promise<boolean> {
    const { account, id } = endpoint;
    await this.#audit.record(actor, 'webhook.disabled', { account, details: { webhook: id } });
    return this.#endpoints.disable(endpoint);
  }

  /**
   * Turns the maintenance mode on or off. When it is on, another notice replaces the former.
   *
   * @returns undefined if it is off.
   * @throws OperatorError when the notice is wrong.
   */
  async setMaintenance(
    actor: Actor,
    on: boolean,
    notice: MaintenanceNotice = noNotice,
  ): Promise<MaintenanceState | undefined> {
    const { reason, until } = notice;
    if (reason !== null) assertText('a reason', reason, MAX_REASON);
    if (until !== null && !(Date.parse(until) > Date.now())) {
      throw new OperatorError('the expected end must be in the future');
    }
    const before = await this.#maintenance.state();
    const isNew = on && (before?.reason !== reason || before.until !== until);
    if (isNew || on !== (before !== undefined)) {
      const details = { ...(reason !== null && { reason }), ...(until !== null && { until }) };
      await this.#audit.record(actor, on ? 'maintenance.on' : 'maintenance.off', { details });
    }
    if (on) await this.#maintenance.turnOn(notice);
    else await this.#maintenance.turnOff();
    return this.#maintenance.state();
  }

  /** Shows customers a banner, or none. @throws OperatorError when its text or end is wrong. */
  async setBanner(actor: Actor, banner: BannerText | undefined): Promise<BannerText | undefined> {
    if (banner) {
      const { text, until } = banner;
      assertText('a banner', text, MAX_BANNER);
      if (until !== null && !(Date.parse(until) > Date.now())) {
        throw new OperatorError('the end of a banner must be in the future');
      }
      await this.#audit.record(actor, 'banner.set', { details: { text, ...(until !== null && { until }) } });
      await this.#banner.set(banner);
    } else if (await this.#banner.get()) {
      await this.#audit.record(actor, 'banner.removed');
      await this.#banner.remove();
    }
    return banner;
  }
}
