/** What an account used in a month, by day and key, and its ledger. */
import { useState } from 'preact/hooks';
import { formatBytes } from '../../format.ts';
import { addressOf, read } from '../api.ts';
import type { Usage } from '../api-types.ts';
import { useResource } from '../hooks.ts';
import { useEnvironment } from '../parts/environment.tsx';
import { Fact } from '../parts/fact.tsx';
import { Select } from '../parts/fields.tsx';
import { Loaded } from '../parts/notes.tsx';
import { Plot } from '../parts/plot.tsx';
import { type Column, Table } from '../parts/table.tsx';
import { HOME } from '../router.ts';
import { formatMonth, formatNumber, lastMonths } from '../words.ts';

/** Days are kept for 400 days. */
const MONTHS = 14;
const DAY_SECONDS = 86_400;

interface AccountUsageProps {
  /** Of the account in the API. */
  readonly path: string;
  /** Whether the ledger is for who is signed in. */
  readonly mayExport?: boolean;
  /** Whether keys have pages for who is signed in; undefined: they are not shown. */
  readonly mayOpenKeys?: boolean;
}

export function AccountUsage({ path, mayExport = true, mayOpenKeys }: AccountUsageProps) {
  const { environment = 'live' } = useEnvironment() ?? {};
  const months = lastMonths(MONTHS);
  const [month, setMonth] = useState(months[0] ?? '');
  const resource = useResource(`${path} ${month} ${environment}`, (signal) =>
    read<Usage>(`${path}/usage`, {
      query: { month, ...(environment === 'test' && { environment }) },
      signal,
    }),
  );
  return (
    <section class="part" id="usage" aria-busy={resource.isOutdated}>
      <div class="title">
        <h2>{environment === 'test' ? 'Use by day of test keys' : 'Use by day'}</h2>
        <div class="filter">
          <Select
            aria-label="Month"
            options={months.map((each) => [each, formatMonth(each)])}
            value={month}
            choose={setMonth}
          />
          {mayExport && environment === 'live' && (
            <a class="button small" href={addressOf(`${path}/ledger`, { month })} download>
              Ledger as CSV
            </a>
          )}
        </div>
      </div>
      <Loaded resource={resource}>
        {(usage) => (
          <>
            <Days usage={usage} />
            {mayOpenKeys !== undefined && <Keys usage={usage} mayOpen={mayOpenKeys} />}
          </>
        )}
      </Loaded>
    </section>
  );
}

const onDay = (seconds: number) => `${new Date(seconds * 1_000).toISOString().slice(0, 10)} (UTC)`;
const dayOfMonth = (seconds: number) => `${new Date(seconds * 1_000).getUTCDate()}`;
const inWholes = (value: number) => (Number.isInteger(value) ? formatNumber(value) : '');

function Days({ usage: { month, days } }: { usage: Usage }) {
  const byDate = new Map(days.map((day) => [Date.parse(day.date) / 1_000, day]));
  const times = daysOf(month);
  const valuesOf = (figure: (day: Usage['days'][number]) => number) =>
    times.map((time) => {
      const day = byDate.get(time);
      return day ? figure(day) : 0;
    });
  const sum = (figure: (day: Usage['days'][number]) => number) =>
    days.reduce((total, day) => total + figure(day), 0);
  const common = {
    times,
    timeZone: 'UTC',
    formatTime: onDay,
    formatTick: dayOfMonth,
    format: inWholes,
    empty: 'No conversion in this month.',
  } as const;
  return (
    <>
      <dl class="summary">
        <Fact title="Conversions" value={formatNumber(sum(({ conversions }) => conversions))} />
        <Fact title="Failures" value={formatNumber(sum(failuresOf))} />
        <Fact title="Pages" value={formatNumber(sum(({ pages }) => pages))} />
        <Fact
          title="In and out"
          value={`${formatBytes(sum(({ bytesIn }) => bytesIn))} · ${formatBytes(sum(({ bytesOut }) => bytesOut))}`}
        />
      </dl>
      <div class="plots">
        <Plot
          {...common}
          title="Conversions and failures"
          series={[
            { label: 'failures', color: '--plot-bad', kind: 'bars', values: valuesOf(failuresOf) },
            {
              label: 'conversions',
              color: '--plot-1',
              kind: 'bars',
              values: valuesOf(({ conversions }) => conversions),
            },
          ]}
        />
        <Plot
          {...common}
          title="Pages"
          series={[
            { label: 'pages', color: '--plot-1', kind: 'bars', values: valuesOf(({ pages }) => pages) },
          ]}
        />
      </div>
    </>
  );
}

type KeyUse = Usage['keys'][number];

function Keys({ usage: { keys }, mayOpen }: { usage: Usage; mayOpen: boolean }) {
  if (keys.length === 0) return null;
  const nameOf = ({ key, name, display }: KeyUse) => {
    if (key === null) return 'All other keys';
    // Its record is gone, and with it its page.
    if (name === null) return <code>{key}</code>;
    return (
      <>
        {mayOpen ? <a href={`${HOME}/keys/${key}`}>{name}</a> : name}
        <code class="second">{display}</code>
      </>
    );
  };
  const columns: Column<KeyUse>[] = [
    { title: 'Key', cell: nameOf },
    { title: 'Conversions', isNumber: true, cell: ({ conversions }) => formatNumber(conversions) },
    { title: 'Pages', isNumber: true, cell: ({ pages }) => formatNumber(pages) },
  ];
  return (
    <>
      <h3>By key</h3>
      <Table caption="Use by key" columns={columns} rows={keys} keyOf={({ key }) => key ?? ''} />
    </>
  );
}

/** When the days of a month begin, UTC: seconds since the epoch. */
function daysOf(month: string): number[] {
  const first = Date.parse(`${month}-01T00:00:00Z`) / 1_000;
  const date = new Date(first * 1_000);
  const next = Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1) / 1_000;
  return Array.from({ length: (next - first) / DAY_SECONDS }, (_, day) => first + day * DAY_SECONDS);
}

function failuresOf({ failures }: Usage['days'][number]): number {
  return Object.values(failures).reduce((total, count) => total + count, 0);
}
