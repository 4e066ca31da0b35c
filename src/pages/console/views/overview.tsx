/** Where the account stands this month. */
import { read } from '../../app/api.ts';
import type { AccountDetail, Usage } from '../../app/api-types.ts';
import { useResource } from '../../app/hooks.ts';
import { Heading } from '../../app/parts/heading.tsx';
import { Loaded } from '../../app/parts/notes.tsx';
import { type Column, Table } from '../../app/parts/table.tsx';
import { Time } from '../../app/parts/time.tsx';
import { UseBar } from '../../app/parts/use.tsx';
import { WindowTiles } from '../../app/parts/window-tiles.tsx';
import { HOME } from '../../app/router.ts';
import { AccountUsage } from '../../app/views/account-usage.tsx';
import { formatMonth, formatNumber, isSoon } from '../../app/words.ts';
import { adviceOn, guideUrlOf } from '../advice.ts';
import { readKeys } from '../all-keys.ts';
import type { Me } from '../me.ts';
import { Changes } from './audit.tsx';
import { FirstSteps } from './first-steps.tsx';

export function Overview({ me }: { me: Me }) {
  return (
    <main>
      <Heading title="Overview" />
      {me.may('createOwnKey') && !me.isHeld && <FirstSteps />}
      <Now />
      {me.may('createOwnKey') && <ExpiringKeys />}
      <Errors />
      {me.may('listOwnAudit') && <Changes />}
      <AccountUsage path="" mayExport={false} />
      <p class="faint">
        The <a href={me.may('listOwnKeys') ? `${HOME}/docs` : '/v1/docs/guide'}>guide</a> says how to convert,
        and the <a href="/v1/docs/changelog">changelog</a> what changed in the service.
      </p>
    </main>
  );
}

function Now() {
  const resource = useResource('', (signal) => read<AccountDetail>('/account', { signal }));
  return (
    <section class="part">
      <Loaded resource={resource}>
        {({ month, used, quota, renewsAt, plan, windows }) => (
          <>
            <div class="tiles">
              <section class="tile" id="quota">
                <h2>{`Quota of ${formatMonth(month)}`}</h2>
                <UseBar used={used} limit={quota} what="conversions" />
                <div class="faint">
                  {`Plan ${plan}`}
                  {quota !== null && (
                    <>
                      , renews <Time at={renewsAt} />
                    </>
                  )}
                </div>
              </section>
              <WindowTiles windows={windows} level="h2" />
            </div>
          </>
        )}
      </Loaded>
    </section>
  );
}

/** Keys that do not expire soon get no line. */
function ExpiringKeys() {
  const resource = useResource('', readKeys);
  return (
    <Loaded resource={resource}>
      {(keys) => {
        const ending = keys.filter(
          ({ state, expiresAt, successor }) =>
            state === 'valid' && successor === null && expiresAt !== null && isSoon(expiresAt),
        );
        return (
          <>
            {ending.map(({ id, name, expiresAt }) => (
              <p class="note warn" key={id}>
                The key <a href={`${HOME}/keys/${id}`}>{name}</a> expires{' '}
                <Time at={expiresAt ?? ''} style="relative" />. Rotate it, or create another one.
              </p>
            ))}
          </>
        );
      }}
    </Loaded>
  );
}

interface ErrorCount {
  readonly code: string;
  readonly count: number;
  /** Of them, those of this day (UTC). */
  readonly today: number;
}

const columns: readonly Column<ErrorCount>[] = [
  { title: 'Error', cell: ({ code }) => code },
  { title: 'Conversions', isNumber: true, cell: ({ count }) => formatNumber(count) },
  { title: 'Today', isNumber: true, cell: ({ today }) => formatNumber(today) },
  {
    title: 'What to do',
    cell: ({ code }) => (
      <>
        {adviceOn(code)} <a href={guideUrlOf(code)}>More about {code}</a>
      </>
    ),
  },
];

function Errors() {
  const resource = useResource('', (signal) => read<Usage>('/usage', { signal }));
  return (
    <section class="part" id="errors">
      <h2>Errors this month</h2>
      <Loaded resource={resource}>
        {({ days }) => {
          const today = new Date().toISOString().slice(0, 10);
          const counts = new Map<string, ErrorCount>();
          for (const { date, failures } of days) {
            for (const [code, number] of Object.entries(failures)) {
              const before = counts.get(code) ?? { code, count: 0, today: 0 };
              const since = date === today ? number : 0;
              counts.set(code, { code, count: before.count + number, today: before.today + since });
            }
          }
          return (
            <Table
              caption="Errors this month"
              columns={columns}
              rows={[...counts.values()].sort((a, b) => b.count - a.count)}
              keyOf={({ code }) => code}
              empty="None."
            />
          );
        }}
      </Loaded>
    </section>
  );
}
