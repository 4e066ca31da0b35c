/** Accounts, by name, with a search. */
import { useState } from 'preact/hooks';
import { change, read } from '../../app/api.ts';
import type { Account, AccountInUse, AccountList, PlanList } from '../../app/api-types.ts';
import { useList, useResource, useSettled } from '../../app/hooks.ts';
import { AccountState } from '../../app/parts/badges.tsx';
import { Button } from '../../app/parts/button.tsx';
import { Dialog } from '../../app/parts/dialog.tsx';
import { TextField } from '../../app/parts/fields.tsx';
import { Heading } from '../../app/parts/heading.tsx';
import { Changes } from '../../app/parts/may-change.tsx';
import { Loaded, SecretNote } from '../../app/parts/notes.tsx';
import { PlanSelect } from '../../app/parts/plan-select.tsx';
import { type Column, Pages, Table } from '../../app/parts/table.tsx';
import { Time } from '../../app/parts/time.tsx';
import { UseBar } from '../../app/parts/use.tsx';
import { HOME, navigate } from '../../app/router.ts';
import { formatNumber, searchable, secretIn } from '../../app/words.ts';

const columns: readonly Column<AccountInUse>[] = [
  {
    title: 'Account',
    cell: (account) => (
      <>
        <a href={`${HOME}/accounts/${account.id}`}>{account.name}</a> <AccountState value={account} />
        <code class="second">{account.id}</code>
      </>
    ),
  },
  { title: 'Plan', cell: ({ plan }) => plan },
  {
    title: 'This month',
    cell: ({ used, quota }) => <UseBar used={used} limit={quota} what="conversions" />,
  },
  { title: 'Keys', isNumber: true, cell: ({ keys }) => formatNumber(keys) },
  { title: 'Created', isMinor: true, cell: ({ createdAt }) => <Time at={createdAt} /> },
];

export function Accounts({ search: initial }: { search: string }) {
  const [text, setText] = useState(initial);
  const [asks, setAsks] = useState(false);
  const secret = secretIn(text);
  const search = useSettled(searchable(text));
  const resource = useList(search, 'accounts', (after, signal) => readPage(search, after, signal));
  return (
    <main>
      <div class="title">
        <Heading title="Accounts" />
        <Changes>
          <Button text="New account" look="primary" act={() => setAsks(true)} />
        </Changes>
      </div>
      <div class="filter">
        <input
          class="wide"
          type="search"
          aria-label="Part of a name or id"
          placeholder="Part of a name or id"
          maxLength={200}
          value={text}
          onInput={({ currentTarget }) => setText(currentTarget.value)}
        />
        {resource.data && (
          <span class="faint" role="status">
            {search === ''
              ? `${formatNumber(resource.data.total)} in all`
              : `${formatNumber(resource.data.accounts.length)}${resource.data.next === null ? '' : ' or more'} of ${formatNumber(resource.data.total)}`}
          </span>
        )}
      </div>
      {secret && <SecretNote isToken={secret === 'token'} />}
      <Pages resource={resource}>
        {({ accounts, next }) =>
          // Those that were searched first may have none that fits.
          (accounts.length > 0 || next === null) && (
            <Table
              caption="Accounts"
              columns={columns}
              rows={accounts}
              keyOf={({ id }) => id}
              empty={
                search === ''
                  ? 'There is no account yet. Make the first one.'
                  : 'No account has that in its name or id.'
              }
            />
          )
        }
      </Pages>
      {asks && <NewAccount close={() => setAsks(false)} />}
    </main>
  );
}

function readPage(search: string, after: string, signal?: AbortSignal): Promise<AccountList> {
  return read('/accounts', { query: { search, after }, signal });
}

const ID = /^[a-z0-9][a-z0-9_-]{0,62}$/;

function NewAccount({ close }: { close: () => void }) {
  const plans = useResource('', (signal) => read<PlanList>('/plans', { signal }));
  const [name, setName] = useState('');
  const [id, setId] = useState('');
  const [chosen, setPlan] = useState<string>();
  const plan = chosen ?? plans.data?.plans[0]?.name ?? '';
  const isWrongId = id !== '' && !ID.test(id);
  const act = async () => {
    const account = await change<Account>('POST', '/accounts', {
      name: name.trim(),
      plan,
      ...(id !== '' && { id }),
    });
    navigate(`${HOME}/accounts/${account.id}`);
  };
  return (
    <Dialog
      title="New account"
      action="Create the account"
      isReady={name.trim() !== '' && plan !== '' && !isWrongId}
      act={act}
      close={close}
    >
      <TextField
        title="Name"
        hint="Of the customer."
        name="name"
        maxLength={200}
        value={name}
        set={setName}
      />
      <TextField
        title="Id (optional)"
        hint="Generated if empty. It cannot be changed."
        mistake={isWrongId ? 'Small letters, digits, “-” and “_”; at most 63.' : undefined}
        name="id"
        maxLength={63}
        autocomplete="off"
        value={id}
        set={setId}
      />
      <Loaded resource={plans}>
        {(data) => <PlanSelect plans={data.plans} value={plan} choose={setPlan} />}
      </Loaded>
    </Dialog>
  );
}
