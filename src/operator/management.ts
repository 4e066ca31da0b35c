/** What the operator does, on the command line and over HTTP, each with its entry in the audit. */

import type { Account, KeyRecord, NewAccount, NewKey } from '../keys/records.ts';
import { type RotatedKey, Rotation } from '../keys/rotation.ts';
import { type CreatedKey, KeyStore } from '../keys/store.ts';
import type { Plans } from '../limits/plans.ts';
import type { RedisClient } from '../redis/connect.ts';
import { Maintenance } from '../redis/maintenance.ts';
import type { Audit } from './audit.ts';
import type { Actor } from './audit-entry.ts';

export interface ManagementOptions {
  readonly redis: RedisClient;
  readonly plans: Plans;
  readonly audit: Audit;
}

export class Management {
  readonly #store: KeyStore;
  readonly #rotation: Rotation;
  readonly #maintenance: Maintenance;
  readonly #audit: Audit;

  constructor({ redis, plans, audit }: ManagementOptions) {
    this.#store = new KeyStore(redis, plans);
    this.#rotation = new Rotation(redis, this.#store);
    this.#maintenance = new Maintenance(redis);
    this.#audit = audit;
  }

  /** @throws OperatorError when a field is wrong or the id is taken. */
  async createAccount(actor: Actor, input: NewAccount): Promise<Account> {
    const account = await this.#store.createAccount(input);
    const { id, name, plan } = account;
    await this.#audit.record(actor, 'account.created', { account: id, details: { name, plan } });
    return account;
  }

  /** @throws OperatorError when there is no such account or plan. */
  async setPlan(actor: Actor, id: string, plan: string): Promise<Account> {
    const former = await this.#store.getAccount(id);
    const account = await this.#store.setPlan(id, plan);
    const details = { plan, formerPlan: former?.plan ?? '' };
    await this.#audit.record(actor, 'account.plan-changed', { account: id, details });
    return account;
  }

  /** @throws OperatorError when a field is wrong or there is no such account. */
  async createKey(actor: Actor, input: NewKey): Promise<CreatedKey> {
    const key = await this.#store.createKey(input);
    await this.#audit.record(actor, 'key.created', {
      account: key.account,
      key: key.id,
      details: {
        display: key.display,
        name: key.name,
        permissions: key.permissions.join(' '),
        ...(key.expiresAt !== null && { expiresAt: key.expiresAt }),
      },
    });
    return key;
  }

  /** @throws OperatorError when there is no such key. */
  async revokeKey(actor: Actor, id: string): Promise<KeyRecord> {
    const { revokedAt: before } = await this.#store.findKey(id);
    const key = await this.#store.revokeKey(id);
    if (before !== null) return key;
    const details = { display: key.display, name: key.name };
    await this.#audit.record(actor, 'key.revoked', { account: key.account, key: id, details });
    return key;
  }

  /** @throws OperatorError when there is no such key, or it is revoked, expired or rotated already. */
  async rotateKey(actor: Actor, id: string, overlapSeconds: number): Promise<RotatedKey> {
    const rotated = await this.#rotation.rotate(id, overlapSeconds);
    await auditRotation(this.#audit, actor, rotated);
    return rotated;
  }

  /** Turns the maintenance mode on or off. @returns since when it is on. */
  async setMaintenance(actor: Actor, on: boolean): Promise<string | undefined> {
    const before = await this.#maintenance.since();
    if (on) await this.#maintenance.turnOn();
    else await this.#maintenance.turnOff();
    if (on !== (before !== undefined)) {
      await this.#audit.record(actor, on ? 'maintenance.on' : 'maintenance.off');
    }
    return this.#maintenance.since();
  }
}

/** Notes a rotation, whoever asked for it. */
export async function auditRotation(
  audit: Audit,
  actor: Actor,
  { successor, previous }: RotatedKey,
): Promise<void> {
  await audit.record(actor, 'key.rotated', {
    account: successor.account,
    key: previous.id,
    details: { successor: successor.id, display: successor.display, expiresAt: previous.expiresAt },
  });
}
