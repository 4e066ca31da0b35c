/** Sample data of events, to test endpoints. */
import type { eventTypes } from './webhook.ts';

type SampledType = (typeof eventTypes)[number];

const DAY_MS = 86_400_000;
const JOB = `job_${'0'.repeat(32)}`;
const KEY = `key_${'0'.repeat(18)}`;

/** Data of an event that did not happen: all its ids are zeros. */
export function sampleData(
  type: SampledType,
  environment: 'test' | 'live',
  now: number,
): Readonly<Record<string, unknown>> {
  const iso = (days: number) => new Date(now + days * DAY_MS).toISOString();
  if (type === 'quota.warning') {
    const month = iso(0).slice(0, 7);
    const link = `/v1/usage?month=${month}`;
    return { month, percent: 80, used: 4_000, quota: 5_000, renewsAt: iso(10), link };
  }
  if (type === 'key.expiring') {
    const display = 'svc_test_sk_…0000';
    return { id: KEY, name: 'Example', display, environment, days: 7, expiresAt: iso(7) };
  }
  const state = type.slice('job.'.length);
  const isCanceled = state === 'canceled';
  return {
    id: JOB,
    environment,
    state,
    counts: { queued: 0, running: 0, succeeded: 1, failed: isCanceled ? 0 : 1, canceled: isCanceled ? 1 : 0 },
    createdAt: iso(-1),
    completedAt: iso(state === 'expired' ? -1 : 0),
    expiresAt: iso(state === 'expired' ? 0 : 1),
    metadata: {},
    link: `/v1/jobs/${JOB}`,
  };
}
