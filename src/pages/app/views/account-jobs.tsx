/** The jobs of an account. */
import { read } from '../api.ts';
import type { JobList, JobSummary } from '../api-types.ts';
import { JobState } from '../parts/badges.tsx';
import { useEnvironment } from '../parts/environment.tsx';
import { ListSection } from '../parts/list-section.tsx';
import type { Column } from '../parts/table.tsx';
import { Time } from '../parts/time.tsx';
import { HOME } from '../router.ts';
import { formatNumber } from '../words.ts';

const PAGE = '20';

const columns: readonly Column<JobSummary>[] = [
  { title: 'Created', cell: ({ createdAt }) => <Time at={createdAt} style="seconds" /> },
  {
    title: 'Job',
    cell: ({ id }) => <a class="nowrap" href={`${HOME}/jobs/${id}`}>{`${id.slice(0, 20)}…`}</a>,
  },
  { title: 'State', cell: ({ state, counts }) => <JobState value={state} counts={counts} /> },
  {
    title: 'Files',
    isNumber: true,
    cell: ({ counts }) => formatNumber(Object.values(counts).reduce((sum, count) => sum + count, 0)),
  },
  { title: 'With a PDF', isNumber: true, cell: ({ counts }) => formatNumber(counts.succeeded) },
  { title: 'Failed', isNumber: true, cell: ({ counts }) => formatNumber(counts.failed) },
];

/** @param path of the account in the API. */
export function AccountJobs({ path }: { path: string }) {
  const chosen = useEnvironment()?.environment;
  return (
    <ListSection
      id="jobs"
      title={chosen ? `Jobs of ${chosen} keys` : 'Jobs'}
      of={`${path} ${chosen}`}
      readPage={async (choice, after, signal) => {
        const query = { environment: chosen ?? choice, after, limit: PAGE };
        const { jobs, next } = await read<JobList>(`${path}/jobs`, { query, signal });
        return { rows: jobs, next };
      }}
      {...(!chosen && { choose: 'Environment of jobs', choices: { live: 'Live', test: 'Test' } })}
      columns={columns}
      keyOf={({ id }) => id}
      empty="No jobs."
    />
  );
}
