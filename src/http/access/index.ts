/** Access control: what a request passes before its route, with and without a key. */
import fp from 'fastify-plugin';
import type { Billing } from '../../accounts/billing/billing.ts';
import type { Conversions } from '../../accounts/billing/conversions.ts';
import type { Claims } from '../../accounts/billing/idempotency.ts';
import type { KeyLocator } from '../../accounts/keys/locate.ts';
import type { Admission } from '../../accounts/limits/admission.ts';
import type { Plans } from '../../accounts/plans/plans.ts';
import type { RedisClient } from '../../redis/connect.ts';
import type { Maintenance } from '../../redis/maintenance.ts';
import type { Lifecycle } from '../../system/lifecycle.ts';
import { admissionPlugin } from './admission.ts';
import { authenticationLimit } from './authentication-limit.ts';
import { availability } from './availability.ts';
import { noFeatures } from './features.ts';
import { publicLimit } from './public-limit.ts';
import { simulation } from './simulation.ts';

interface AccessOptions {
  readonly redis: RedisClient;
  readonly lifecycle: Lifecycle;
  readonly maintenance: Maintenance;
}

interface KeyAccessOptions extends AccessOptions {
  readonly locator: KeyLocator;
  readonly admission: Admission;
  readonly billing: Billing;
  readonly claims: Claims;
  readonly conversions: Conversions;
  readonly plans: Plans;
  /** Failed authentications a minute per address. */
  readonly authFailuresPerMinute: number;
}

/** For scopes that require an API key. */
export const keyAccess = fp<KeyAccessOptions>(
  async (app, { redis, lifecycle, maintenance, authFailuresPerMinute, ...admissionOptions }) => {
    await app.register(availability, { lifecycle, maintenance });
    await app.register(authenticationLimit, { redis, perMinute: authFailuresPerMinute });
    await app.register(admissionPlugin, admissionOptions);
    await app.register(simulation);
  },
  { name: 'key-access' },
);

interface PublicAccessOptions extends AccessOptions {
  /** Requests an hour and a second per address. */
  readonly perHour: number;
  readonly perSecond: number;
  readonly limitsOwn: boolean;
}

/** For public scopes. */
export const publicAccess = fp<PublicAccessOptions>(
  async (app, { redis, lifecycle, maintenance, ...limits }) => {
    await app.register(availability, { lifecycle, maintenance });
    await app.register(publicLimit, { redis, ...limits });
    await app.register(noFeatures);
    await app.register(simulation);
  },
  { name: 'public-access' },
);
