/**
 * Operations of the operator, on the command line and over HTTP. Each is recorded in the audit before it is done: a crash in between
 * leaves an entry too many, but never a change without one.
 */

import { OperatorError } from '../errors.ts';
import { assertText } from '../keys/records.ts';
import { Banner, type BannerText } from '../redis/banner.ts';
import type { RedisClient } from '../redis/connect.ts';
import {
  Maintenance,
  type MaintenanceNotice,
  type MaintenanceState,
  noNotice,
} from '../redis/maintenance.ts';
import type { Audit } from './audit.ts';
import type { Actor } from './audit-entry.ts';

/** Characters of what customers are told. */
const MAX_REASON = 200;
const MAX_BANNER = 300;

export interface ManagementOptions {
  readonly redis: RedisClient;
  readonly audit: Audit;
}

export class Management {
  readonly #maintenance: Maintenance;
  readonly #banner: Banner;
  readonly #audit: Audit;

  constructor({ redis, audit }: ManagementOptions) {
    this.#maintenance = new Maintenance(redis);
    this.#banner = new Banner(redis);
    this.#audit = audit;
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
