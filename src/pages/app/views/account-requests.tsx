/** The recent requests of an account. */
import { useState } from 'preact/hooks';
import { formatBytes } from '../../format.ts';
import { read } from '../api.ts';
import type { RequestList, RequestRecord } from '../api-types.ts';
import { Outcome } from '../parts/badges.tsx';
import { ListSection } from '../parts/list-section.tsx';
import type { Column } from '../parts/table.tsx';
import { Time } from '../parts/time.tsx';
import { HOME } from '../router.ts';
import { formatDuration } from '../words.ts';

const PAGE = '25';

const columns: readonly Column<RequestRecord>[] = [
  { title: 'Time', cell: ({ at }) => <Time at={at} style="seconds" /> },
  {
    title: 'Request',
    cell: ({ requestId, method, route }) => (
      <>
        <a class="nowrap" href={`${HOME}/requests/${requestId}`}>{`${requestId.slice(0, 12)}…`}</a>
        <span class="second nowrap">{`${method} ${route}`}</span>
      </>
    ),
  },
  { title: 'Key', isMinor: true, cell: ({ keyDisplay, key }) => <code>{keyDisplay ?? key}</code> },
  {
    title: 'Outcome',
    cell: (record) => (
      <>
        <Outcome of={record} />
        {record.reason !== null && <span class="second">{record.reason}</span>}
      </>
    ),
  },
  { title: 'Pages', isNumber: true, isMinor: true, cell: ({ pages }) => pages ?? '–' },
  {
    title: 'Size',
    isNumber: true,
    isMinor: true,
    cell: ({ bytesIn }) => (bytesIn === null ? '–' : formatBytes(bytesIn)),
  },
  { title: 'Took', isNumber: true, cell: ({ durationMs }) => formatDuration(durationMs) },
];

const outcomes = {
  '': 'All',
  failures: 'All but success',
  loss: 'Success, with loss',
  RATE_LIMIT_EXCEEDED: 'RATE_LIMIT_EXCEEDED',
  QUOTA_EXCEEDED: 'QUOTA_EXCEEDED',
  CONVERSION_FAILED: 'CONVERSION_FAILED',
};

/** @param path of the account in the API. @param of the id of a key whose requests alone are wanted. */
export function AccountRequests({ path, of = '' }: { path: string; of?: string }) {
  const [from, setFrom] = useState('');
  const [until, setUntil] = useState('');
  return (
    <ListSection
      id="requests"
      title="Recent requests"
      of={`${path} ${of} ${from} ${until}`}
      readPage={async (outcome, after, signal) => {
        const query = { key: of, outcome, from: isoOf(from), until: isoOf(until), after, limit: PAGE };
        const { requests, next } = await read<RequestList>(`${path}/requests`, {
          query,
          ...(signal && { signal }),
        });
        return { rows: requests, next };
      }}
      filter={
        <>
          <Moment label="From" value={from} set={setFrom} />
          <Moment label="Until" value={until} set={setUntil} />
        </>
      }
      choose="Outcome"
      choices={outcomes}
      columns={columns}
      keyOf={({ requestId }) => requestId}
      empty="No such request in the last seven days."
    >
      <p class="faint">
        The last 1,000, and the last 1,000 that were refused, for seven days. Nothing of the documents is
        kept, not even their names.
      </p>
    </ListSection>
  );
}

/** @param value of `datetime-local`, in the time zone of the browser; empty: any. */
function Moment({ label, value, set }: { label: string; value: string; set: (value: string) => void }) {
  return (
    <label class="moment">
      {label}
      <input
        type="datetime-local"
        max="9999-12-31T23:59"
        value={value}
        onInput={({ currentTarget }) => set(currentTarget.value)}
      />
    </label>
  );
}

function isoOf(value: string): string {
  return value === '' ? '' : new Date(value).toISOString();
}
