/** The recent requests of an account, or of all. */
import { useState } from 'preact/hooks';
import { catalogue } from '../../../shared/error-catalogue.ts';
import { formatBytes } from '../../format.ts';
import { read } from '../api.ts';
import type { Environment, KeyList, RequestList, RequestRecord } from '../api-types.ts';
import { useResource } from '../hooks.ts';
import { Outcome } from '../parts/badges.tsx';
import { useEnvironment } from '../parts/environment.tsx';
import { localOf, Select } from '../parts/fields.tsx';
import { ListSection } from '../parts/list-section.tsx';
import type { Column } from '../parts/table.tsx';
import { Time } from '../parts/time.tsx';
import { HOME } from '../router.ts';
import { formatDuration, outcomeTitle } from '../words.ts';

const PAGE = '25';

const account: Column<RequestRecord> = {
  title: 'Account',
  cell: (record) => <a href={`${HOME}/accounts/${record.account}`}>{record.account}</a>,
};

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
  '': 'All outcomes',
  failures: 'All but success',
  loss: 'Success, with loss',
  ...Object.fromEntries(
    ['success', 'client_left', 'simulated', ...Object.keys(catalogue).sort()].map((outcome) => [
      outcome,
      outcomeTitle(outcome),
    ]),
  ),
};

interface AccountRequestsProps {
  /** Of the account in the API, or of all. */
  readonly path: string;
  /** The id of a key whose requests alone are wanted. */
  readonly of?: string;
  /** Whether they are of all accounts. */
  readonly ofAll?: boolean;
  /** What is chosen at first. */
  readonly outcome?: string;
  /** ISO 8601. */
  readonly since?: string;
}

export function AccountRequests({
  path,
  of = '',
  ofAll = false,
  outcome: first = '',
  since = '',
}: AccountRequestsProps) {
  const chosen = useEnvironment()?.environment;
  const [own, setOwn] = useState<Environment | ''>('');
  const [key, setKey] = useState(of);
  const [from, setFrom] = useState(localOf(since));
  const [until, setUntil] = useState('');
  // A key is of one environment.
  const environment = of === '' ? (chosen ?? own) : '';
  return (
    <ListSection
      id="requests"
      title={chosen && of === '' ? `Recent requests of ${chosen} keys` : 'Recent requests'}
      of={`${path} ${key} ${environment} ${from} ${until}`}
      readPage={async (outcome, after, signal) => {
        const query = {
          key,
          environment,
          outcome,
          from: isoOf(from),
          until: isoOf(until),
          after,
          limit: PAGE,
        };
        const { requests, next } = await read<RequestList>(`${path}/requests`, {
          query,
          signal,
        });
        return { rows: requests, next };
      }}
      filter={
        <>
          {!chosen && of === '' && (
            <Select aria-label="Environment" options={environments} value={own} choose={setOwn} />
          )}
          {of === '' && !ofAll && (
            <KeySelect path={path} environment={environment} value={key} choose={setKey} />
          )}
          <Moment label="From" value={from} set={setFrom} />
          <Moment label="Until" value={until} set={setUntil} />
        </>
      }
      choose="Outcome"
      choices={outcomes}
      first={first}
      columns={ofAll ? [...columns.slice(0, 2), account, ...columns.slice(2)] : columns}
      keyOf={({ requestId }) => requestId}
      empty="No such request in the last seven days."
    >
      <p class="faint">
        {ofAll
          ? 'The last 5,000 with a key, and the last 5,000 that were refused, for seven days. Those without a key are in the metrics and the log only.'
          : 'The last 1,000, and the last 1,000 that were refused, for seven days. Nothing of the documents is kept, not even their names.'}
      </p>
    </ListSection>
  );
}

const environments = [
  ['', 'Live and test'],
  ['live', 'Live'],
  ['test', 'Test'],
] as const;

interface KeySelectProps {
  readonly path: string;
  /** Whose keys; empty: all. */
  readonly environment: Environment | '';
  readonly value: string;
  readonly choose: (id: string) => void;
}

/** The newest keys of the account. */
function KeySelect({ path, environment, value, choose }: KeySelectProps) {
  const { data } = useResource(path, (signal) =>
    read<KeyList>(`${path}/keys`, { query: { limit: '200' }, signal }),
  );
  const keys = (data?.keys ?? [])
    .filter((key) => environment === '' || key.environment === environment)
    .map(({ id, name, display }) => [id, `${name}, …${display.slice(-4)}`] as const);
  return <Select aria-label="Key" options={[['', 'All keys'], ...keys]} value={value} choose={choose} />;
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
