/** Keys and accounts, for tests. */
import type { Account, KeyRecord } from '../../../src/accounts/keys/records.ts';
import type { KeyStore } from '../../../src/accounts/keys/store.ts';

/** The keys of an account that has few. */
export const keysOf = async (store: KeyStore, account: string): Promise<KeyRecord[]> =>
  (await store.listed.page(account, undefined, 200)).keys;

/** All accounts, without unfinished creations. */
export async function accountsIn(store: KeyStore): Promise<Account[]> {
  const accounts = await Promise.all((await store.accountIds()).map((id) => store.getAccount(id)));
  return accounts.filter((account) => account !== undefined);
}
