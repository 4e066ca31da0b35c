/** GET /v1/jobs/{id}/events: the progress of a job, as server-sent events. */
import { PassThrough } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyReply } from 'fastify';
import type { Admission } from '../../accounts/limits/admission.ts';
import { PlatenError } from '../../errors.ts';
import { assertJobs } from '../../jobs/assert-jobs.ts';
import { isOpen, type JobRef } from '../../jobs/job.ts';
import type { Jobs } from '../../jobs/jobs.ts';
import { summaryOf } from '../../operations/job-schema.ts';
import { admittedOf, ownerOf } from '../access/admitted.ts';
import { clientAddressOf } from '../core/client-address.ts';
import { foreignOrigin } from '../core/same-origin.ts';
import { findJob, nameOf } from './find.ts';
import { getJobEvents } from './jobs.contract.ts';

/** How often the job is looked at, and whether the key still works. */
const LOOK_MS = 1_000;
const permission = 'jobs';
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
  readonly admission: Pick<Admission, 'stillAdmits'>;
  /** Aborts when the server begins to drain. */
  readonly draining: AbortSignal;
}

export const jobEventsRoute: FastifyPluginAsyncTypebox<JobEventsOptions> = async (
  app,
  { jobs: known, admission, draining },
) => {
  /** Accounts of the streams that are open. */
  const watchers: string[] = [];
  app.get(
    getJobEvents.path,
    // Nothing would end the stream of a HEAD.
    { exposeHeadRoute: false, schema: getJobEvents.schema, config: { permission } },
    async (request, typedReply) => {
      // Its types know JSON only.
      const reply = typedReply as FastifyReply;
      const jobs = assertJobs(known);
      const { id } = request.params;
      await findJob(request, jobs, id);
      const { key } = admittedOf(request);
      const { account } = key;
      const address = clientAddressOf(request) ?? '';
      const caller = { key, address, origin: foreignOrigin(request), permission } as const;
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
      const isAdmitted = () => admission.stillAdmits(caller);
      void tell({ jobs, name: nameOf(ownerOf(request), id), isAdmitted }, stream, ended.signal).finally(
        () => {
          stream.end();
          // A client that reads nothing would keep its connection for ever.
          if (stream.writableNeedDrain) reply.raw.destroy();
        },
      );
      return reply.type('text/event-stream; charset=utf-8').send(stream);
    },
  );
};

interface Watched {
  readonly jobs: Jobs;
  readonly name: JobRef;
  /** Whether the watcher may still see it. */
  readonly isAdmitted: () => Promise<boolean>;
}

/**
 * Tells of the job until it has ended, the watcher may not see it any more, or the signal aborts. Never rejects.
 */
async function tell(
  { jobs, name, isAdmitted }: Watched,
  stream: PassThrough,
  signal: AbortSignal,
): Promise<void> {
  let told: number | undefined;
  let lastSign = performance.now();
  stream.write('retry: 2000\n\n');
  while (!signal.aborted) {
    try {
      const [mayWatch, revision] = await Promise.all([isAdmitted(), jobs.records.revision(name)]);
      if (!mayWatch || revision === undefined) return;
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
