/** The recent requests of an account. */
import { useState } from 'preact/hooks';
import { formatBytes } from '../../format.ts';
import { read } from '../api.ts';
import type { RequestList, RequestRecord } from '../api-types.ts';
import { useResource } from '../hooks.ts';
import { Outcome } from '../parts/badges.tsx';
import { Empty, Loaded } from '../parts/notes.tsx';
import { type Column, More, Table } from '../parts/table.tsx';
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
    cell: ({ outcome, reason }) => (
      <>
        <Outcome value={outcome} />
        {reason !== null && <span class="second">{reason}</span>}
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

/** @param path of the account in the API. */
export function AccountRequests({ path }: { path: string }) {
  const [outcome, setOutcome] = useState('');
  const resource = useResource(`${path} ${outcome}`, (signal) => readPage(path, outcome, '', signal));
  const showMore = async (list: RequestList) => {
    const page = await readPage(path, outcome, list.next ?? '');
    resource.set({ ...page, requests: [...list.requests, ...page.requests] });
  };
  return (
    <section class="part" id="requests">
      <div class="title">
        <h2>Recent requests</h2>
        <div class="filter">
          <select
            aria-label="Outcome"
            value={outcome}
            onChange={({ currentTarget }) => setOutcome(currentTarget.value)}
          >
            <option value="">All</option>
            <option value="failures">All but success</option>
            <option value="RATE_LIMIT_EXCEEDED">RATE_LIMIT_EXCEEDED</option>
            <option value="QUOTA_EXCEEDED">QUOTA_EXCEEDED</option>
            <option value="CONVERSION_FAILED">CONVERSION_FAILED</option>
          </select>
          <button type="button" class="button small" onClick={resource.reload}>
            Read again
          </button>
        </div>
      </div>
      <Loaded resource={resource}>
        {(list) => (
          <>
            {list.requests.length === 0 ? (
              <Empty>No such request in the last seven days.</Empty>
            ) : (
              <Table
                caption="Recent requests"
                columns={columns}
                rows={list.requests}
                keyOf={({ requestId }) => requestId}
              />
            )}
            {list.next !== null && <More show={() => showMore(list)} />}
          </>
        )}
      </Loaded>
      <p class="faint">
        The last 1,000, and the last 1,000 that were refused, for seven days. Nothing of the documents is
        kept, not even their names.
      </p>
    </section>
  );
}

function readPage(path: string, outcome: string, after: string, signal?: AbortSignal): Promise<RequestList> {
  const query = { outcome, after, limit: PAGE };
  return read(`${path}/requests`, { query, ...(signal && { signal }) });
}
