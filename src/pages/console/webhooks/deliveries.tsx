/** Messages, with their attempts. */
import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';
import { change } from '../../app/api.ts';
import type { Delivery } from '../../app/api-types.ts';
import { type Resource, useAction } from '../../app/hooks.ts';
import { Button } from '../../app/parts/button.tsx';
import { FailureNote, Loaded } from '../../app/parts/notes.tsx';
import { type Column, Table } from '../../app/parts/table.tsx';
import { Time } from '../../app/parts/time.tsx';
import { HOME } from '../../app/router.ts';
import { formatDuration } from '../../app/words.ts';

/** How often a due message is polled, and for how long: each request keeps the session alive. */
const LOOK_MS = 1_500;
const LOOKED_AFTER_MS = 15_000;

const levels: Readonly<Record<string, string>> = { delivered: 'good', failed: 'bad', pending: 'plain' };
const failures: Readonly<Record<string, string>> = {
  forbidden: 'the address is not allowed',
  unreachable: 'no connection',
  timeout: 'no answer in 15 seconds',
};

interface DeliveriesProps<Row extends Delivery> {
  readonly resource: Omit<Resource<{ readonly deliveries: readonly Row[] }>, 'set'>;
  /** A column of their own. */
  readonly to?: (row: Row) => ComponentChildren;
  /** The message in the API; undefined: it cannot be sent again. */
  readonly pathOf: (row: Row) => string | undefined;
  readonly empty: string;
}

export function Deliveries<Row extends Delivery>({ resource, to, pathOf, empty }: DeliveriesProps<Row>) {
  const { isBusy, failure, run } = useAction();
  useEffect(() => {
    const isDue = resource.data?.deliveries.some(
      ({ nextAttemptAt }) =>
        nextAttemptAt !== null && Math.abs(Date.parse(nextAttemptAt) - Date.now()) < LOOKED_AFTER_MS,
    );
    if (!isDue) return;
    const timer = setTimeout(resource.reload, LOOK_MS);
    return () => clearTimeout(timer);
  }, [resource.data]);
  const sendAgain = (path: string) => run(() => change('POST', `${path}/retry`).then(resource.reload));
  const columns: Column<Row>[] = [
    { title: 'Time', cell: ({ createdAt }) => <Time at={createdAt} style="seconds" /> },
    {
      title: 'Event',
      cell: ({ type, id }) => (
        <>
          <a class="nowrap" href={`${HOME}/messages/${id}`}>
            {type}
          </a>
          <span class="second nowrap">{`${id.slice(0, 12)}…`}</span>
        </>
      ),
    },
    ...(to ? [{ title: 'To', cell: to }] : []),
    { title: 'State', cell: (row) => <State of={row} /> },
    { title: 'Attempts', cell: ({ attempts }) => <Attempts of={attempts} /> },
    {
      title: 'Actions',
      changes: true,
      cell: (row) => {
        const path = pathOf(row);
        if (path === undefined) return <span class="faint">–</span>;
        return (
          <Button text="Send again" of={row.type} look="small" isBusy={isBusy} act={() => sendAgain(path)} />
        );
      },
    },
  ];
  return (
    <section class="part" id="deliveries">
      <div class="title">
        <h2>Deliveries</h2>
        <Button text="Refresh" look="small" act={resource.reload} />
      </div>
      {failure && <FailureNote failure={failure} />}
      <Loaded resource={resource}>
        {({ deliveries }) => (
          <Table
            caption="Deliveries"
            columns={columns}
            rows={deliveries}
            keyOf={(row) => `${row.id} ${pathOf(row)}`}
            empty={empty}
          />
        )}
      </Loaded>
    </section>
  );
}

function State({ of: { state, nextAttemptAt } }: { of: Delivery }) {
  return (
    <>
      <span class={`badge ${levels[state] ?? 'plain'}`}>{state}</span>
      {nextAttemptAt !== null && (
        <span class="second">
          next attempt <Time at={nextAttemptAt} style="relative" />
        </span>
      )}
    </>
  );
}

function Attempts({ of: attempts }: { of: Delivery['attempts'] }) {
  const last = attempts.at(-1);
  if (!last) return <span class="faint">none yet</span>;
  if (attempts.length === 1) return <Attempt of={last} />;
  return (
    <details>
      <summary>{`${attempts.length}, the last: ${resultOf(last)}`}</summary>
      <ol class="attempts">
        {attempts.map((attempt) => (
          <li key={attempt.at}>
            <Attempt of={attempt} />
          </li>
        ))}
      </ol>
    </details>
  );
}

function Attempt({ of: attempt }: { of: Delivery['attempts'][number] }) {
  return (
    <>
      {`${resultOf(attempt)}, ${formatDuration(attempt.durationMs)}`}
      <span class="second">
        <Time at={attempt.at} style="seconds" />
      </span>
    </>
  );
}

function resultOf({ status, failure }: Delivery['attempts'][number]): string {
  return status === null ? (failures[failure ?? ''] ?? 'no answer') : `answered ${status}`;
}
