/** Who did what, and when. */
import { Fragment } from 'preact';
import { read } from '../api.ts';
import type { AuditEntry, AuditList } from '../api-types.ts';
import { useResource } from '../hooks.ts';
import { Heading } from '../parts/heading.tsx';
import { Empty, Loaded } from '../parts/notes.tsx';
import { type Column, More, Table } from '../parts/table.tsx';
import { Time } from '../parts/time.tsx';
import { HOME } from '../router.ts';

export const actions: Readonly<Record<string, string>> = {
  'account.created': 'Account created',
  'account.plan-changed': 'Plan changed',
  'key.created': 'Key created',
  'key.revoked': 'Key revoked',
  'key.rotated': 'Key rotated',
  'member.invited': 'Member invited',
  'invitation.withdrawn': 'Invitation withdrawn',
  'member.joined': 'Member joined',
  'member.role-changed': 'Role changed',
  'member.removed': 'Member removed',
  'passkey.added': 'Passkey added',
  'passkey.replaced': 'Passkeys replaced',
  'passkey.removed': 'Passkey removed',
  'job.canceled': 'Job cancelled',
  'webhook.disabled': 'Webhook disabled',
  'maintenance.on': 'Maintenance turned on',
  'maintenance.off': 'Maintenance turned off',
  'session.began': 'Signed in',
  'session.ended': 'Signed out',
  'session.refused': 'Sign-in refused',
  'token.refused': 'Token refused',
};

const ways: Readonly<Record<AuditEntry['by'], string>> = {
  cli: 'on the command line',
  session: 'on the dashboard',
  token: 'with the token',
  key: 'with a key of the account',
  member: 'in the console',
  nobody: 'without the token',
};

const detailTitles: Readonly<Record<string, string>> = {
  display: 'key',
  formerPlan: 'former plan',
  successor: 'new key',
  ipRestrictions: 'works from',
  expiresAt: 'expires',
};

/** What has spaces between its items. */
const lists: ReadonlySet<string> = new Set(['permissions', 'ipRestrictions']);

function Detail({ name, value }: { name: string; value: string }) {
  if (name === 'expiresAt') return <Time at={value} />;
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

export function Audit() {
  const resource = useResource('', (signal) => readPage('', signal));
  const showMore = async (list: AuditList) => {
    const page = await readPage(list.next ?? '');
    resource.set({ ...page, entries: [...list.entries, ...page.entries] });
  };
  return (
    <main>
      <Heading title="Audit" />
      <p class="faint">
        What was done here, on the command line, and by customers with their own keys. The last 10,000
        entries.
      </p>
      <Loaded resource={resource}>
        {(list) => (
          <>
            {list.entries.length === 0 ? (
              <Empty>Nothing was done yet.</Empty>
            ) : (
              <Table caption="Audit" columns={columns} rows={list.entries} keyOf={({ id }) => id} />
            )}
            {list.next !== null && <More show={() => showMore(list)} />}
          </>
        )}
      </Loaded>
    </main>
  );
}

function readPage(after: string, signal?: AbortSignal): Promise<AuditList> {
  return read('/audit', { query: { after, limit: '50' }, ...(signal && { signal }) });
}
