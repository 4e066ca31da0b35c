/** States in a word and a colour. */
import { isLossy } from '../../../shared/warning-levels.ts';
import type { Account, JobSummary, Key, RequestRecord } from '../api-types.ts';
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

/** Who caused it: nobody, the client, or the service. A PDF that lacks something is not all good. */
export function stateOf(outcome: string, warnings: readonly string[] | null = null): 'good' | 'warn' | 'bad' {
  if (outcome === 'success') return isLossy(warnings) ? 'warn' : 'good';
  if (outcome === 'simulated') return 'good';
  return ours.includes(outcome) ? 'bad' : 'warn';
}

export function Outcome({ of: { outcome, warnings } }: { of: RequestRecord }) {
  return <span class={`badge ${stateOf(outcome, warnings)}`}>{outcomeTitle(outcome, warnings)}</span>;
}

const jobLevels: Readonly<Record<string, string>> = {
  completed: 'good',
  succeeded: 'good',
  failed: 'bad',
  canceled: 'warn',
};

/** Of a job or of one of its files. A job may be completed and have files without a PDF. */
export function JobState({ value, counts }: { value: string; counts?: JobSummary['counts'] }) {
  const failed = value === 'completed' ? (counts?.failed ?? 0) : 0;
  if (counts === undefined || failed === 0) {
    return <span class={`badge ${jobLevels[value] ?? 'plain'}`}>{value}</span>;
  }
  const all = Object.values(counts).reduce((sum, count) => sum + count, 0);
  return <span class="badge warn">{`completed, ${failed} of ${all} failed`}</span>;
}

export function EnvironmentBadge({ value }: { value: Key['environment'] }) {
  return <span class="badge plain">{value}</span>;
}
