/** Who did what, and when. */
import { Fragment } from 'preact';
import { useState } from 'preact/hooks';
import { addressOf, read } from '../../app/api.ts';
import type { AuditEntry, AuditList } from '../../app/api-types.ts';
import { actions } from '../../app/audit-actions.ts';
import { useList, useSettled } from '../../app/hooks.ts';
import { Select } from '../../app/parts/fields.tsx';
import { Heading } from '../../app/parts/heading.tsx';
import { type Column, Pages, Table } from '../../app/parts/table.tsx';
import { Time } from '../../app/parts/time.tsx';
import { HOME } from '../../app/router.ts';
import { searchable } from '../../app/words.ts';

const ways: Readonly<Record<AuditEntry['by'], string>> = {
  cli: 'on the command line',
  operator: 'on the dashboard',
  session: 'on the dashboard',
  token: 'with the token',
  key: 'with a key of the account',
  service: 'by itself',
  member: 'in the console',
  nobody: 'without the token',
};

const detailTitles: Readonly<Record<string, string>> = {
  display: 'key',
  formerPlan: 'former plan',
  formerName: 'former name',
  successor: 'new key',
  ipRestrictions: 'works from',
  formerIpRestrictions: 'worked from',
  origins: 'pages of',
  formerOrigins: 'formerly pages of',
  expiresAt: 'expires',
};

/** What has spaces between its items. */
const lists: ReadonlySet<string> = new Set([
  'permissions',
  'ipRestrictions',
  'formerIpRestrictions',
  'origins',
  'formerOrigins',
]);

const times: ReadonlySet<string> = new Set(['expiresAt', 'from', 'until']);

function Detail({ name, value }: { name: string; value: string }) {
  if (times.has(name)) return <Time at={value} />;
  if (name === 'successor') return <a href={`${HOME}/keys/${value}`}>{value}</a>;
  return lists.has(name) ? value.replaceAll(' ', ', ') : value;
}

const columns: readonly Column<AuditEntry>[] = [
  { title: 'Time', cell: ({ at }) => <Time at={at} style="seconds" /> },
  { title: 'What', cell: ({ action }) => <span class="nowrap">{actions[action] ?? action}</span> },
  {
    title: 'To',
    cell: ({ account, key }) => (
      <>
        {account !== null && (
          <a class="nowrap" href={`${HOME}/accounts/${account}`}>
            {account}
          </a>
        )}
        {key !== null && (
          <a class="second nowrap" href={`${HOME}/keys/${key}`}>
            {key}
          </a>
        )}
        {account === null && key === null && '–'}
      </>
    ),
  },
  {
    title: 'Who',
    cell: ({ by, who }) => (
      <>
        {who}
        <span class="second nowrap">{ways[by]}</span>
      </>
    ),
  },
  {
    title: 'More',
    cell: ({ details }) => {
      const entries = Object.entries(details).filter(([, value]) => value !== '');
      if (entries.length === 0) return '–';
      return entries.map(([name, value], index) => (
        <Fragment key={name}>
          {index > 0 && ', '}
          {`${detailTitles[name] ?? name}: `}
          <Detail name={name} value={value} />
        </Fragment>
      ));
    },
  },
];

export function Audit({ account: initial }: { account: string }) {
  const [account, setAccount] = useState(initial);
  const [action, setAction] = useState('');
  const [who, setWho] = useState('');
  const filter = useSettled(JSON.stringify({ account: searchable(account), action, who: searchable(who) }));
  const query = JSON.parse(filter) as Record<string, string>;
  const resource = useList(filter, 'entries', (after, signal) => readPage(query, after, signal));
  return (
    <main>
      <Heading title="Audit" />
      <p class="faint">
        What was done here, on the command line, and by customers with their own keys. The last 10,000
        entries.
      </p>
      <div class="filter">
        <input
          aria-label="Id of an account"
          placeholder="Id of an account"
          maxLength={63}
          value={account}
          onInput={({ currentTarget }) => setAccount(currentTarget.value)}
        />
        <Select
          aria-label="What was done"
          options={[['', 'Everything'], ...Object.entries(actions)]}
          value={action}
          choose={setAction}
        />
        <input
          aria-label="Part of who did it"
          placeholder="Who"
          maxLength={200}
          value={who}
          onInput={({ currentTarget }) => setWho(currentTarget.value)}
        />
        <a class="button small" href={addressOf('/audit.csv', query)} download>
          As CSV
        </a>
      </div>
      <Pages resource={resource}>
        {({ entries }) => (
          <Table
            caption="Audit"
            columns={columns}
            rows={entries}
            keyOf={({ id }) => id}
            empty="There is no such entry."
          />
        )}
      </Pages>
    </main>
  );
}

function readPage(
  filter: Readonly<Record<string, string>>,
  after: string,
  signal?: AbortSignal,
): Promise<AuditList> {
  return read('/audit', { query: { ...filter, after, limit: '50' }, signal });
}
