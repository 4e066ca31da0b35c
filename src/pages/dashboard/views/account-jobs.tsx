/** The jobs of an account. */
import { useState } from 'preact/hooks';
import { pathOf, read } from '../api.ts';
import type { JobList, JobSummary } from '../api-types.ts';
import { useResource } from '../hooks.ts';
import { JobState } from '../parts/badges.tsx';
import { Empty, Loaded } from '../parts/notes.tsx';
import { type Column, More, Table } from '../parts/table.tsx';
import { Time } from '../parts/time.tsx';
import { HOME } from '../router.ts';
import { formatNumber } from '../words.ts';

const PAGE = '20';

const columns: readonly Column<JobSummary>[] = [
  { title: 'Taken', cell: ({ createdAt }) => <Time at={createdAt} style="seconds" /> },
  {
    title: 'Job',
    cell: ({ id }) => <a class="nowrap" href={`${HOME}/jobs/${id}`}>{`${id.slice(0, 20)}…`}</a>,
  },
  { title: 'State', cell: ({ state }) => <JobState value={state} /> },
  {
    title: 'Files',
    isNumber: true,
    cell: ({ counts }) => formatNumber(Object.values(counts).reduce((sum, count) => sum + count, 0)),
  },
  { title: 'With a PDF', isNumber: true, cell: ({ counts }) => formatNumber(counts.succeeded) },
  { title: 'Failed', isNumber: true, cell: ({ counts }) => formatNumber(counts.failed) },
];

export function AccountJobs({ account }: { account: string }) {
  const [environment, setEnvironment] = useState('live');
  const resource = useResource(`${account} ${environment}`, (signal) =>
    readPage(account, environment, '', signal),
  );
  const showMore = async (list: JobList) => {
    const page = await readPage(account, environment, list.next ?? '');
    resource.set({ ...page, jobs: [...list.jobs, ...page.jobs] });
  };
  return (
    <section class="part" id="jobs">
      <div class="title">
        <h2>Jobs</h2>
        <div class="filter">
          <select
            aria-label="Environment of jobs"
            value={environment}
            onChange={({ currentTarget }) => setEnvironment(currentTarget.value)}
          >
            <option value="live">Live</option>
            <option value="test">Test</option>
          </select>
          <button type="button" class="button small" onClick={resource.reload}>
            Refresh
          </button>
        </div>
      </div>
      <Loaded resource={resource}>
        {(list) => (
          <>
            {list.jobs.length === 0 ? (
              <Empty>It has no such job.</Empty>
            ) : (
              <Table caption="Jobs" columns={columns} rows={list.jobs} keyOf={({ id }) => id} />
            )}
            {list.next !== null && <More show={() => showMore(list)} />}
          </>
        )}
      </Loaded>
    </section>
  );
}

function readPage(
  account: string,
  environment: string,
  after: string,
  signal?: AbortSignal,
): Promise<JobList> {
  const query = { environment, after, limit: PAGE };
  return read(pathOf('accounts', account, 'jobs'), { query, ...(signal && { signal }) });
}
