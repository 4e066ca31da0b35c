/** Keys, and what can be done with them. */
import type { CreatedKey, Key } from '../api-types.ts';
import { HOME } from '../router.ts';
import { EnvironmentBadge, KeyState } from './badges.tsx';
import { KeyActions } from './key-actions.tsx';
import { MadeBy } from './made-by.tsx';
import { type Column, Table } from './table.tsx';
import { Time } from './time.tsx';

interface KeyTableProps {
  readonly caption: string;
  readonly keys: readonly Key[];
  /** Whether they are of several accounts. */
  readonly withAccount?: boolean;
  /** Shown in place of keys, if there are none. */
  readonly empty: string;
  readonly changed: () => void;
  readonly created: (successor: CreatedKey) => void;
}

export function KeyTable({ caption, keys, withAccount = false, empty, changed, created }: KeyTableProps) {
  const account: Column<Key> = {
    title: 'Account',
    cell: (key) => <a href={`${HOME}/accounts/${key.account}`}>{key.account}</a>,
  };
  const columns: Column<Key>[] = [
    {
      title: 'Key',
      cell: ({ id, name, display }) => (
        <>
          <a href={`${HOME}/keys/${id}`}>{name}</a>
          <code class="second">{display}</code>
        </>
      ),
    },
    ...(withAccount ? [account] : []),
    {
      title: 'Permissions',
      cell: ({ environment, permissions, ipRestrictions, origins }) => (
        <>
          <EnvironmentBadge value={environment} /> {permissions.join(', ')}
          {ipRestrictions.length > 0 && <span class="second">from {ipRestrictions.join(', ')}</span>}
          {origins.length > 0 && <span class="second">pages of {origins.join(', ')}</span>}
        </>
      ),
    },
    { title: 'State', cell: (key) => <KeyState value={key} /> },
    {
      title: 'Last use',
      cell: ({ lastUsedAt }) => (lastUsedAt === null ? 'never' : <Time at={lastUsedAt} style="relative" />),
    },
    {
      title: 'Expires',
      cell: ({ expiresAt }) => (expiresAt === null ? 'never' : <Time at={expiresAt} />),
    },
    { title: 'Made by', isMinor: true, cell: ({ madeBy }) => <MadeBy maker={madeBy} /> },
    {
      title: 'Actions',
      changes: true,
      cell: (key) => <KeyActions subject={key} changed={changed} created={created} />,
    },
  ];
  return <Table caption={caption} columns={columns} rows={keys} keyOf={({ id }) => id} empty={empty} />;
}
