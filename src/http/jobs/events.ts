/** GET /v1/jobs/{id}/events: the progress of a job, as server-sent events. */
import { PassThrough } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyReply } from 'fastify';
import { PlatenError } from '../../errors.ts';
import { isOpen, type JobRef } from '../../jobs/job.ts';
import type { Jobs } from '../../jobs/jobs.ts';
import { ownerOf } from '../access/admitted.ts';
import { summaryOf } from '../conversion/job-body.ts';
import { assertJobs } from '../conversion/job-taking.ts';
import { findJob, nameOf } from './find.ts';
import { getJobEvents } from './jobs.contract.ts';

const LOOK_MS = 1_000;
/** A connection without traffic is cut by proxies. */
const SIGN_OF_LIFE_MS = 15_000;
const LONGEST_MS = 600_000;
/** Streams of this server, and of one account. */
const MAX_STREAMS = 200;
const MAX_OWN_STREAMS = MAX_STREAMS / 4;
/** When one may have ended, in seconds. */
const STREAM_ENDS_SECONDS = 10;

export interface JobEventsOptions {
  readonly jobs: Jobs | undefined;
  /** Aborts when the server begins to drain. */
  readonly draining: AbortSignal;
}

export const jobEventsRoute: FastifyPluginAsyncTypebox<JobEventsOptions> = async (
  app,
  { jobs: known, draining },
) => {
  /** Accounts of the streams that are open. */
  const watchers: string[] = [];
  app.get(
    getJobEvents.path,
    // Nothing would end the stream of a HEAD.
    { exposeHeadRoute: false, schema: getJobEvents.schema, config: { permission: 'jobs' } },
    async (request, typedReply) => {
      // Its types know JSON only.
      const reply = typedReply as FastifyReply;
      const jobs = assertJobs(known);
      const { id } = request.params;
      await findJob(request, jobs, id);
      const { account } = ownerOf(request);
      if (watchers.filter((watcher) => watcher === account).length >= MAX_OWN_STREAMS) {
        throw new PlatenError('RATE_LIMIT_EXCEEDED', {
          message: `Your account watches ${MAX_OWN_STREAMS} jobs, which is the limit. Close another stream first, or ask for the job with GET.`,
          retryAfter: STREAM_ENDS_SECONDS,
          reason: 'jobs',
        });
      }
      if (watchers.length >= MAX_STREAMS || draining.aborted) {
        throw new PlatenError('SERVICE_UNAVAILABLE', {
          message: 'Too many jobs are being watched. Ask for the job with GET instead.',
          retryAfter: STREAM_ENDS_SECONDS,
        });
      }
      watchers.push(account);
      const stream = new PassThrough();
      const ended = new AbortController();
      const end = () => ended.abort();
      draining.addEventListener('abort', end, { once: true });
      const timer = setTimeout(end, LONGEST_MS);
      stream.once('close', () => {
        watchers.splice(watchers.indexOf(account), 1);
        clearTimeout(timer);
        draining.removeEventListener('abort', end);
        end();
      });
      void tell(jobs, nameOf(request, id), stream, ended.signal).finally(() => {
        stream.end();
        // A client that reads nothing would keep its connection for ever.
        if (stream.writableNeedDrain) reply.raw.destroy();
      });
      return reply.type('text/event-stream; charset=utf-8').header('cache-control', 'no-store').send(stream);
    },
  );
};

/** Tells of the job until it has ended, or the signal aborts. Never rejects. */
async function tell(jobs: Jobs, name: JobRef, stream: PassThrough, signal: AbortSignal): Promise<void> {
  let told: number | undefined;
  let lastSign = performance.now();
  stream.write('retry: 2000\n\n');
  while (!signal.aborted) {
    try {
      const revision = await jobs.records.revision(name);
      if (revision === undefined) return;
      // A slow watcher misses some states; the next event has the whole state.
      if (revision !== told && !stream.writableNeedDrain) {
        const job = await jobs.records.summary(name);
        if (!job) return;
        told = job.revision;
        lastSign = performance.now();
        stream.write(`event: job\ndata: ${JSON.stringify(summaryOf(job))}\n\n`);
        if (!isOpen(job.state)) return;
      }
    } catch {
      // Redis is away: it is asked again.
    }
    if (performance.now() - lastSign > SIGN_OF_LIFE_MS && !stream.writableNeedDrain) {
      lastSign = performance.now();
      stream.write(': still here\n\n');
    }
    await delay(LOOK_MS, undefined, { signal }).catch(() => {});
  }
}
