/** Choosing a plan, with what it allows. */
import type { Plan } from '../api-types.ts';
import { formatNumber } from '../words.ts';
import { Field } from './fields.tsx';

interface PlanSelectProps {
  readonly plans: readonly Plan[];
  readonly value: string;
  readonly choose: (name: string) => void;
}

export function PlanSelect({ plans, value, choose }: PlanSelectProps) {
  const plan = plans.find(({ name }) => name === value);
  return (
    <Field
      title="Plan"
      hint={plan ? limitsOf(plan) : 'This server no longer has this plan.'}
      mistake={undefined}
    >
      {(described) => (
        <select {...described} value={value} onChange={({ currentTarget }) => choose(currentTarget.value)}>
          {!plan && <option value={value}>{value}</option>}
          {plans.map(({ name }) => (
            <option key={name} value={name}>
              {name}
            </option>
          ))}
        </select>
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
