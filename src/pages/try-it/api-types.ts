/** What the API answers of jobs: the types of its contract, and nothing of the server that runs. */
import type { Static } from 'typebox';
import type * as body from '../../http/conversion/job-body.ts';
import type * as summary from '../../operations/job-schema.ts';

export type Job = Static<typeof body.Job>;
export type JobSummary = Static<typeof summary.JobSummary>;
export type JobFile = Job['files'][number];
