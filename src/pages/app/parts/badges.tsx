/** States in a word and a colour. */
import type { Account, Key } from '../api-types.ts';
import { isSoon, outcomeTitle } from '../words.ts';

/** Nothing for an account whose keys work. */
export function AccountState({ value: { suspendedAt, deletesAt } }: { value: Account }) {
  if (deletesAt !== null) return <span class="badge bad">To be deleted</span>;
  return suspendedAt === null ? null : <span class="badge bad">Suspended</span>;
}

export function KeyState({ value }: { value: Key }) {
  const { state, expiresAt, successor } = value;
  if (state === 'revoked') return <span class="badge bad">Revoked</span>;
  if (state === 'expired') return <span class="badge bad">Expired</span>;
  if (successor !== null) return <span class="badge warn">Rotated, ending</span>;
  if (expiresAt !== null && isSoon(expiresAt)) return <span class="badge warn">Expiring soon</span>;
  return <span class="badge good">Valid</span>;
}

const ours = ['CONVERSION_FAILED', 'INTERNAL_ERROR', 'OVERLOADED', 'SERVICE_UNAVAILABLE'];

/** Who caused it: nobody, the client, or the service. */
export function levelOf(outcome: string): 'good' | 'warn' | 'bad' {
  if (outcome === 'success' || outcome === 'simulated') return 'good';
  return ours.includes(outcome) ? 'bad' : 'warn';
}

export function Outcome({ value }: { value: string }) {
  return <span class={`badge ${levelOf(value)}`}>{outcomeTitle(value)}</span>;
}

const jobLevels: Readonly<Record<string, string>> = {
  completed: 'good',
  succeeded: 'good',
  failed: 'bad',
  canceled: 'warn',
};

/** Of a job or of one of its files. */
export function JobState({ value }: { value: string }) {
  return <span class={`badge ${jobLevels[value] ?? 'plain'}`}>{value}</span>;
}

export function EnvironmentBadge({ value }: { value: Key['environment'] }) {
  return <span class="badge plain">{value}</span>;
}
