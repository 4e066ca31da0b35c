/** Choosing a plan, with what it allows. */
import type { Plan } from '../api-types.ts';
import { formatNumber } from '../words.ts';
import { Field, Select } from './fields.tsx';

interface PlanSelectProps {
  readonly plans: readonly Plan[];
  readonly value: string;
  readonly choose: (name: string) => void;
}

export function PlanSelect({ plans, value, choose }: PlanSelectProps) {
  const plan = plans.find(({ name }) => name === value);
  const names = [...(plan ? [] : [value]), ...plans.map(({ name }) => name)];
  return (
    <Field title="Plan" hint={plan ? limitsOf(plan) : 'This server no longer has this plan.'}>
      {(described) => (
        <Select {...described} options={names.map((name) => [name, name])} value={value} choose={choose} />
      )}
    </Field>
  );
}

function limitsOf({ limits: { perMonth, perDay, perHour, perSecond } }: Plan): string {
  const parts = [
    perMonth === null ? 'no quota' : `${formatNumber(perMonth)} conversions a month`,
    ...(perDay === null ? [] : [`${formatNumber(perDay)} requests a day`]),
    ...(perHour === null ? [] : [`${formatNumber(perHour)} an hour`]),
    ...(perSecond === null ? [] : [`${formatNumber(perSecond)} a second`]),
  ];
  return `${parts.join(', ')}.`;
}
