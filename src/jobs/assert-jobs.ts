/** Whether this server has jobs. */
import { PlatenError } from '../errors.ts';

/** @throws PlatenError `SERVICE_UNAVAILABLE` on a server that takes none. */
export function assertJobs<Jobs extends object>(jobs: Jobs | undefined): Jobs {
  if (jobs) return jobs;
  throw new PlatenError('SERVICE_UNAVAILABLE', {
    message: 'This service has no storage for jobs. Ask its operator to set one up (S3_BUCKET).',
    retryAfter: 60,
  });
}
