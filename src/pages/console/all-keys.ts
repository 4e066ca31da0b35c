/** The keys of the account, of all pages of the list. */
import { read } from '../app/api.ts';
import type { Key, KeyList } from '../app/api-types.ts';

export async function readKeys(signal: AbortSignal): Promise<Key[]> {
  const keys: Key[] = [];
  let after = '';
  do {
    const page = await read<KeyList>('/keys', { query: { after, limit: '200' }, signal });
    keys.push(...page.keys);
    after = page.next ?? '';
  } while (after !== '');
  return keys;
}
