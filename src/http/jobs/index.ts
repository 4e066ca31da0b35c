/** Jobs: documents that are converted in the background, and what became of them. */
import type { FastifyPluginAsync } from 'fastify';
import { readQueryValues } from '../contract/query-values.ts';
import { type CreateJobOptions, createJobRoute } from './create.ts';
import { type JobEventsOptions, jobEventsRoute } from './events.ts';
import { type JobResultsOptions, jobResultRoutes } from './results.ts';
import { jobRoutes } from './routes.ts';

type JobsOptions = CreateJobOptions & JobResultsOptions & JobEventsOptions;

/** To be registered in a scope of keys. */
export const jobs: FastifyPluginAsync<JobsOptions> = async (app, options) => {
  readQueryValues(app);
  await app.register(createJobRoute, options);
  await app.register(jobRoutes, options);
  await app.register(jobResultRoutes, options);
  await app.register(jobEventsRoute, options);
};
