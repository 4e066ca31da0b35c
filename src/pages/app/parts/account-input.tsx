/** A field for an account id, looked up while typing. */
import { Failure, pathOf, read } from '../api.ts';
import type { Account, AccountList } from '../api-types.ts';
import { useResource, useSettled } from '../hooks.ts';
import { searchable } from '../words.ts';
import type { Described } from './fields.tsx';

/** The account of an id, while it is typed: `unknown` where there is none. */
export function useOwner(id: string): Account | 'unknown' | undefined {
  const settled = useSettled(searchable(id));
  const { data } = useResource(settled, async (signal) => {
    if (settled === '') return { id: settled };
    // Not read by its id: most half-typed ids do not exist, and each would be an error.
    const query = { search: settled, limit: '50' };
    const { accounts } = await read<AccountList>('/accounts', { query, signal });
    return {
      id: settled,
      owner: accounts.find((account) => account.id === settled) ?? (await exact(settled, accounts.length)),
    };
  });
  if (settled === '' || data?.id !== searchable(id)) return undefined;
  return data.owner ?? 'unknown';
}

/** With very many matches, the account may not be on the first page. */
async function exact(id: string, found: number): Promise<Account | undefined> {
  if (found < 50) return undefined;
  try {
    return await read<Account>(pathOf('accounts', id));
  } catch (error) {
    if (error instanceof Failure && error.code === 'NOT_FOUND') return undefined;
    throw error;
  }
}

/** Suggests accounts by id and name. */
export function AccountInput({
  value,
  edit,
  ...described
}: Described & { value: string; edit: (value: string) => void }) {
  const search = useSettled(searchable(value));
  const { data } = useResource(search, (signal) =>
    read<AccountList>('/accounts', { query: { search, limit: '20' }, signal }),
  );
  const list = `${described.id}-list`;
  return (
    <>
      <input
        {...described}
        name="account"
        list={list}
        autocomplete="off"
        maxLength={63}
        value={value}
        onInput={({ currentTarget }) => edit(currentTarget.value)}
      />
      <datalist id={list}>
        {data?.accounts.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </datalist>
    </>
  );
}
