/** An account with a key on a real Redis. */
import type { Redis } from 'ioredis';
import type { KeyLocation } from '../../../src/accounts/keys/locate.ts';
import type { NewKey } from '../../../src/accounts/keys/records.ts';
import { type CreatedKey, KeyStore } from '../../../src/accounts/keys/store.ts';
import type { Plan, Plans } from '../../../src/accounts/plans/plans.ts';

/** Plans with these limits; what is not given is unlimited. */
export function plansOf(plans: Readonly<Record<string, Partial<Plan>>>): Plans {
  const unlimited: Plan = { perSecond: null, perHour: null, perDay: null, perMonth: null, features: [] };
  return new Map(Object.entries(plans).map(([name, plan]) => [name, { ...unlimited, ...plan }]));
}

/** A key of the account "acme", which is made with the plan if it is not there. */
export async function createKey(
  redis: Redis,
  plans: Plans,
  options: Partial<NewKey> & { readonly plan?: string } = {},
): Promise<{ key: CreatedKey; location: KeyLocation }> {
  const store = new KeyStore(redis, plans);
  const { plan = [...plans.keys()][0] ?? '', ...rest } = options;
  if (!(await store.getAccount('acme'))) await store.createAccount({ id: 'acme', name: 'Acme', plan });
  const wanted: NewKey = { account: 'acme', name: 'test', environment: 'live', type: 'sk', ...rest };
  const key = await store.createKey(wanted);
  return { key, location: { account: key.account, id: key.id, environment: key.environment } };
}
