/** The limits of an account's own: what they are, and setting and removing them. */
import { useState } from 'preact/hooks';
import { change, pathOf } from '../../app/api.ts';
import type { AccountDetail, LimitName, OwnLimit } from '../../app/api-types.ts';
import { Button } from '../../app/parts/button.tsx';
import { Dialog } from '../../app/parts/dialog.tsx';
import { Field, Select, TextField, TimeField } from '../../app/parts/fields.tsx';
import { type Column, Table } from '../../app/parts/table.tsx';
import { Time } from '../../app/parts/time.tsx';
import { formatNumber, formatUtc } from '../../app/words.ts';

const titles: Readonly<Record<LimitName, string>> = {
  perMonth: 'Conversions a month',
  perDay: 'Requests a day',
  perHour: 'Requests an hour',
  perSecond: 'Requests a second',
  maxFilesPerJob: 'Files of a job',
  maxJobs: 'Open jobs',
};

const limits = Object.entries(titles) as [LimitName, string][];

interface LimitsProps {
  readonly account: AccountDetail;
  readonly changed: () => void;
}

/** Nothing for an account that has none. */
export function OwnLimits({ account, changed }: LimitsProps) {
  const [removed, remove] = useState<OwnLimit>();
  if (account.ownLimits.length === 0) return null;
  const columns: readonly Column<OwnLimit>[] = [
    { title: 'Limit', cell: ({ limit }) => titles[limit] },
    {
      title: 'Value',
      isNumber: true,
      cell: ({ value }) => (value === null ? 'no limit' : formatNumber(value)),
    },
    { title: 'From', cell: ({ from }) => (from === null ? 'now' : <Time at={from} />) },
    { title: 'Until', cell: ({ until }) => (until === null ? 'no end' : <Time at={until} />) },
    {
      title: 'Actions',
      changes: true,
      cell: (own) => <Button text="Remove" of={titles[own.limit]} look="small" act={() => remove(own)} />,
    },
  ];
  return (
    <>
      <h3>Its own limits</h3>
      <Table
        caption="Limits of the account"
        columns={columns}
        rows={account.ownLimits}
        keyOf={({ limit }) => limit}
      />
      {removed && (
        <Dialog
          title={`Remove the limit “${titles[removed.limit]}”?`}
          action="Remove the limit"
          act={() => change('DELETE', pathOf('accounts', account.id, 'limits', removed.limit)).then(changed)}
          close={() => remove(undefined)}
        >
          <p>The limit of the plan {account.plan} applies again from the next request on.</p>
        </Dialog>
      )}
    </>
  );
}

/** As `datetime-local` has it, in the viewer's zone; empty: none. */
const timeOf = (text: string) => (text === '' ? {} : { at: new Date(text) });

export function SetLimit({ account, changed, close }: LimitsProps & { close: () => void }) {
  const [limit, setLimit] = useState<LimitName>('perMonth');
  const [value, setValue] = useState('');
  const [from, setFrom] = useState('');
  const [until, setUntil] = useState('');
  const isUnlimited = value === '';
  const isWrong = isUnlimited ? limit === 'maxFilesPerJob' : !/^[1-9]\d{0,9}$/.test(value);
  const begins = timeOf(from).at;
  const ends = timeOf(until).at;
  const isOver = ends !== undefined && !(ends.getTime() > Math.max(Date.now(), begins?.getTime() ?? 0));
  const act = () =>
    change('PUT', pathOf('accounts', account.id, 'limits', limit), {
      value: isUnlimited ? null : Number(value),
      ...(begins && { from: begins.toISOString() }),
      ...(ends && { until: ends.toISOString() }),
    }).then(changed);
  const hint = (time: Date | undefined, none: string) => (time ? formatUtc(time) : none);
  return (
    <Dialog
      title={`Set a limit for ${account.name}`}
      action="Set the limit"
      isReady={!isWrong && !isOver}
      act={act}
      close={close}
    >
      <Field title="Limit" hint={`Replaces the limit of the plan ${account.plan}, for live keys.`}>
        {(described) => <Select {...described} options={limits} value={limit} choose={setLimit} />}
      </Field>
      <TextField
        title="Value"
        hint="Empty: no limit."
        mistake={isWrong ? 'A whole number.' : undefined}
        inputMode="numeric"
        maxLength={10}
        value={value}
        set={(typed) => setValue(typed.trim())}
      />
      <TimeField
        title="From (optional)"
        hint={hint(begins, 'In your time zone. Empty: at once.')}
        value={from}
        set={setFrom}
      />
      <TimeField
        title="Until (optional)"
        hint={hint(ends, 'Empty: until it is removed.')}
        mistake={isOver ? 'It must end in the future, and after it began.' : undefined}
        value={until}
        set={setUntil}
      />
    </Dialog>
  );
}
