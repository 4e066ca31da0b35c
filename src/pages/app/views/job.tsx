/** One job, by the id that a customer quotes: how far it is, and why files failed. */
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { count, formatBytes } from '../../format.ts';
import { addressOf, change, pathOf, read } from '../api.ts';
import type { Job as JobData, JobFile } from '../api-types.ts';
import { useResource } from '../hooks.ts';
import { JobState } from '../parts/badges.tsx';
import { Button } from '../parts/button.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { Fact } from '../parts/fact.tsx';
import { Heading } from '../parts/heading.tsx';
import { useMayChange } from '../parts/may-change.tsx';
import { Loaded } from '../parts/notes.tsx';
import { type Column, Table } from '../parts/table.tsx';
import { Time } from '../parts/time.tsx';
import { HOME } from '../router.ts';
import { explanationOf, formatDuration } from '../words.ts';

const ID = /^job_[0-9a-f]{32}$/;

interface JobProps {
  readonly id: string;
  /** Whether it is of the account of who is signed in. */
  readonly isOwn?: boolean;
  /** What follows the files. */
  readonly children?: ComponentChildren;
}

export function Job({ id, isOwn = false, children }: JobProps) {
  return (
    <main>
      {ID.test(id) ? (
        <Found id={id} isOwn={isOwn}>
          {children}
        </Found>
      ) : (
        <>
          <Heading title="Job" />
          <p class="note warn">
            That is not a complete job id: it has 32 digits and letters from a to f after “job_”.
          </p>
        </>
      )}
    </main>
  );
}

function Found({ id, isOwn = false, children }: JobProps) {
  const resource = useResource(id, (signal) => read<JobData>(pathOf('jobs', id), { signal }));
  const [asks, setAsks] = useState(false);
  const cancel = async () => resource.set(await change<JobData>('POST', `${pathOf('jobs', id)}/cancel`));
  const mayChange = useMayChange();
  return (
    <>
      {!resource.data && <Heading title="Job" />}
      <Loaded resource={resource}>
        {(job) => (
          <>
            <div class="title">
              <Heading title="Job" />
              <div class="buttons">
                <Button text="Refresh" look="small" act={resource.reload} />
                {mayChange && ['queued', 'running'].includes(job.state) && (
                  <Button text="Cancel the job" look="small danger" act={() => setAsks(true)} />
                )}
              </div>
            </div>
            <p>
              <JobState value={job.state} counts={job.counts} /> <code>{id}</code>
            </p>
            <Facts of={job} isOwn={isOwn} />
            <Table
              caption="Files of the job"
              columns={columnsOf(job, isOwn)}
              rows={job.files}
              keyOf={({ number }) => `${number}`}
            />
            <p class="faint">
              {isOwn
                ? 'Names of files and metadata are in the answers to your programs, and so are PDFs: nobody sees them here.'
                : 'Names of files and metadata are for the owner of the job alone.'}
            </p>
            {children}
          </>
        )}
      </Loaded>
      {asks && (
        <Dialog
          title="Cancel this job?"
          action="Cancel the job"
          isDangerous
          act={cancel}
          close={() => setAsks(false)}
        >
          <p>Files without a PDF are not converted, and cost nothing. Existing PDFs stay.</p>
        </Dialog>
      )}
    </>
  );
}

function Facts({ of: job, isOwn }: { of: JobData; isOwn: boolean }) {
  const options = Object.entries(job.options).map(([name, value]) => `${name}=${value}`);
  return (
    <dl class="facts card">
      {!isOwn && (
        <Fact title="Account" value={<a href={`${HOME}/accounts/${job.account}`}>{job.account}</a>} />
      )}
      <Fact title="Key">
        <a href={`${HOME}/keys/${job.key}`}>{job.key}</a>
        {` (${job.environment})`}
      </Fact>
      <Fact title="Taken" value={<Time at={job.createdAt} style="seconds" />} />
      <Fact
        title="Ended"
        value={job.completedAt === null ? '–' : <Time at={job.completedAt} style="seconds" />}
      />
      <Fact title="Results are removed" value={<Time at={job.expiresAt} />} />
      <Fact title="Options" value={options.length === 0 ? 'none' : options.join(', ')} />
      {isCombined(job) && <Fact title="One PDF of all files" value={job.pdf ? described(job.pdf) : '–'} />}
    </dl>
  );
}

/** Whether its files become one PDF. */
const isCombined = ({ options }: JobData): boolean => options.combine === 'true';

/** What is told of each file. Its picture is for the account alone. */
function columnsOf(job: JobData, isOwn: boolean): readonly Column<JobFile>[] {
  if (isCombined(job)) return columns.filter(({ isOfPdf }) => !isOfPdf);
  const hasPictures = isOwn && job.options.format === 'png' && job.state !== 'expired';
  return hasPictures ? [...columns.slice(0, 1), pictureOf(job), ...columns.slice(1)] : columns;
}

/** They are fetched as they come into view. */
const pictureOf = ({ id }: JobData): Column<JobFile> => ({
  title: 'Picture',
  cell: ({ number, state }) =>
    state === 'succeeded' ? (
      <img
        class="thumbnail"
        src={addressOf(pathOf('jobs', id, 'files', `${number}`, 'picture'))}
        alt={`Page of file ${number}`}
        loading="lazy"
        width={96}
        height={96}
      />
    ) : (
      '–'
    ),
});

/** The PDF of all files, in words. */
function described({ pages, bytesOut, durationMs, libreOffice, warnings }: NonNullable<JobData['pdf']>) {
  return [
    `${count(pages ?? 0, 'page')}, ${formatBytes(bytesOut ?? 0)}, in ${formatDuration(durationMs ?? 0)}`,
    ...(libreOffice === null ? [] : [`LibreOffice ${libreOffice}`]),
    ...new Set(warnings),
  ].join(', ');
}

const columns: readonly (Column<JobFile> & { readonly isOfPdf?: boolean })[] = [
  { title: 'File', isNumber: true, cell: ({ number }) => number },
  {
    title: 'State',
    cell: ({ number, state, error, errorFile = number - 1 }) => (
      <>
        <JobState value={state} />
        {error !== null && (
          <span class="second" title={explanationOf(error)}>
            {errorFile === number - 1 ? error : `because of file ${errorFile + 1}`}
          </span>
        )}
      </>
    ),
  },
  { title: 'Document', isNumber: true, cell: ({ bytes }) => (bytes === null ? '–' : formatBytes(bytes)) },
  { title: 'Pages', isNumber: true, isOfPdf: true, cell: ({ pages }) => pages ?? '–' },
  {
    title: 'PDF',
    isNumber: true,
    isMinor: true,
    isOfPdf: true,
    cell: ({ bytesOut }) => (bytesOut === null ? '–' : formatBytes(bytesOut)),
  },
  {
    title: 'Took',
    isNumber: true,
    isOfPdf: true,
    cell: ({ durationMs }) => (durationMs === null ? '–' : formatDuration(durationMs)),
  },
  { title: 'LibreOffice', isMinor: true, isOfPdf: true, cell: ({ libreOffice }) => libreOffice ?? '–' },
  { title: 'Warnings', isMinor: true, isOfPdf: true, cell: ({ warnings }) => warnings.join(', ') || '–' },
];
