/** Who did what in the account, and when. */
import { read } from '../../app/api.ts';
import type { AuditEntry, AuditList } from '../../app/api-types.ts';
import { actions } from '../../app/audit-actions.ts';
import { useList, useResource } from '../../app/hooks.ts';
import { Heading } from '../../app/parts/heading.tsx';
import { Loaded } from '../../app/parts/notes.tsx';
import { type Column, Pages, Table } from '../../app/parts/table.tsx';
import { Time } from '../../app/parts/time.tsx';
import { HOME } from '../../app/router.ts';

const columns: readonly Column<AuditEntry>[] = [
  { title: 'Time', cell: ({ at }) => <Time at={at} style="seconds" /> },
  { title: 'What', cell: ({ action }) => <span class="nowrap">{actions[action] ?? action}</span> },
  { title: 'Who', cell: ({ by, who }) => (by === 'key' ? `the key ${who}` : who) },
  {
    title: 'More',
    cell: ({ key, details: { name, display, email, role, plan, contacts, to, environment } }) => {
      const texts = [name ?? display, email, role, plan, contacts, to, environment]
        .filter(Boolean)
        .join(', ');
      if (key === null) return texts === '' ? '–' : texts;
      return <a href={`${HOME}/keys/${key}`}>{texts === '' ? key : texts}</a>;
    },
  },
];

export function Audit() {
  const resource = useList('', 'entries', readPage);
  return (
    <main>
      <Heading title="Audit" />
      <p class="faint">What members, keys and your operator did. The last 1,000 entries.</p>
      <Pages resource={resource}>
        {({ entries }) => (
          <Table
            caption="Audit"
            columns={columns}
            rows={entries}
            keyOf={({ id }) => id}
            empty="Nothing has been done yet."
          />
        )}
      </Pages>
    </main>
  );
}

/** Few enough for a glance, of the newest entries other than sign-ins. */
const SHOWN_CHANGES = 5;

/** The last changes, for the overview. */
export function Changes() {
  const resource = useResource('', (signal) => readPage('', signal));
  return (
    <section class="part" id="changes">
      <div class="title">
        <h2>What changed</h2>
        <a href={`${HOME}/audit`}>The whole audit</a>
      </div>
      <Loaded resource={resource}>
        {({ entries }) => {
          const changes = entries.filter(({ action }) => !action.startsWith('session.'));
          return (
            <Table
              caption="What changed"
              columns={columns}
              rows={changes.slice(0, SHOWN_CHANGES)}
              keyOf={({ id }) => id}
              empty="Nothing lately."
            />
          );
        }}
      </Loaded>
    </section>
  );
}

function readPage(after: string, signal?: AbortSignal): Promise<AuditList> {
  return read('/audit', { query: { after, limit: '50' }, signal });
}
