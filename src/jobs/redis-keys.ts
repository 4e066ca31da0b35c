/** Redis keys of jobs. All have the account as their hash tag, like its reservations, so that one script may use both. */
import type { Environment } from '../accounts/keys/format.ts';

export const jobKeys = {
  /** Hash: the job and its files; see job-record.ts. It expires some days after its results. */
  job: (account: string, environment: Environment, id: string) =>
    `platen:{${account}}:${environment}:job:${id}`,
  /** Sorted set: ids of jobs, all with score 0, as ids begin with the time. */
  jobs: (account: string, environment: Environment) => `platen:{${account}}:${environment}:jobs`,
  /** Sorted set: ids of open jobs, by their expiration, in ms. */
  open: (account: string, environment: Environment) => `platen:{${account}}:${environment}:jobs:open`,
  /** String: number of waiting files of all jobs. */
  waiting: (account: string, environment: Environment) => `platen:{${account}}:${environment}:jobs:waiting`,
} as const;
