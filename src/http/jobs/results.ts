/** GET /v1/jobs/{id}/files/{number} and …/archive: the results of a job: PDFs, or pictures of their pages. */
import { Readable } from 'node:stream';
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyReply } from 'fastify';
import { ZipFile } from 'yazl';
import { PlatenError } from '../../errors.ts';
import { assertJobs } from '../../jobs/assert-jobs.ts';
import { isOpen, type Job, type JobFile } from '../../jobs/job.ts';
import type { Jobs } from '../../jobs/jobs.ts';
import { formatOf, formats } from '../../shared/options/conversion-options.ts';
import { type ObjectStore, StorageError } from '../../storage/object-store.ts';
import { resultDisposition, resultName } from '../conversion/file-name.ts';
import { bodyOf } from '../conversion/job-body.ts';
import { limitDelivery } from '../core/delivery-limit.ts';
import { findJob, notFound } from './find.ts';
import { ADDRESS_SECONDS, getJobArchive, getJobFile, NOT_READY } from './jobs.contract.ts';
import { endingAfter } from './sized-stream.ts';

export interface JobResultsOptions {
  readonly jobs: Jobs | undefined;
  /** How long a client may take to receive it, in milliseconds. */
  readonly deliveryTimeoutMs: number;
}

export const jobResultRoutes: FastifyPluginAsyncTypebox<JobResultsOptions> = async (app, options) => {
  const { deliveryTimeoutMs } = options;

  app.get(
    getJobFile.path,
    { schema: getJobFile.schema, config: { permission: 'jobs' } },
    async (request, typedReply) => {
      // Its types know JSON only.
      const reply = typedReply as FastifyReply;
      const { storage } = assertJobs(options.jobs);
      const job = await findJob(request, assertJobs(options.jobs), request.params.id);
      const file = job.files[Number(request.params.number) - 1];
      if (!file) throw notFound(`The job has ${job.files.length} files, numbered from 1.`);
      const { result } = fileWithResult(job, file);
      const fileName = file.name ?? undefined;
      const format = formatOf(job.options);
      const disposition = resultDisposition(fileName, format);
      const address =
        request.query.redirect === false
          ? undefined
          : await orAway(storage.address(result.key, { disposition, seconds: ADDRESS_SECONDS }));
      if (address) return reply.code(303).header('location', address.href).send();
      reply.headers({
        'content-type': formats[format].type,
        'content-length': result.bytes,
        'content-disposition': disposition,
        'repr-digest': `sha-256=:${Buffer.from(result.sha256, 'hex').toString('base64')}:`,
        'x-conversion-pages': result.pages,
      });
      if (request.method === 'HEAD') return reply.send(Readable.from([]));
      const object = await orAway(storage.open(result.key));
      if (!object) throw notFound(EXPIRED);
      const content = endingAfter(object.stream, result.bytes);
      limitDelivery(reply, deliveryTimeoutMs, content);
      return reply.send(content);
    },
  );

  app.get(
    getJobArchive.path,
    { schema: getJobArchive.schema, config: { permission: 'jobs' } },
    async (request, typedReply) => {
      // Its types know JSON only.
      const reply = typedReply as FastifyReply;
      const jobs = assertJobs(options.jobs);
      const job = await findJob(request, jobs, request.params.id);
      if (isOpen(job.state)) throw new PlatenError('REQUEST_IN_PROGRESS', { message: NOT_READY });
      if (job.state === 'expired') throw notFound(EXPIRED);
      const archive = request.method === 'HEAD' ? Readable.from([]) : await archiveOf(job, jobs.storage);
      reply.headers({
        'content-type': 'application/zip',
        'content-disposition': `attachment; filename="${job.id}.zip"`,
      });
      limitDelivery(reply, deliveryTimeoutMs, archive);
      return reply.send(archive);
    },
  );
};

const EXPIRED = 'The results of this job were removed. Send its documents again.';

/** @throws PlatenError if the file has no result. */
function fileWithResult(
  { state }: Job,
  file: JobFile,
): JobFile & { readonly result: NonNullable<JobFile['result']> } {
  if (state === 'expired') throw notFound(EXPIRED);
  const { result } = file;
  if (result) return { ...file, result };
  if (file.state === 'failed') throw notFound('The file could not be converted. The job says why.');
  if (file.state === 'canceled') throw notFound('The file was cancelled before it was converted.');
  throw new PlatenError('REQUEST_IN_PROGRESS', { message: NOT_READY });
}

/**
 * The results, each opened when the one before has gone, and the job as a manifest. It breaks off where the storage fails.
 *
 * @returns once the first one is open.
 * @throws PlatenError if that cannot be opened.
 */
async function archiveOf(job: Job, storage: ObjectStore): Promise<Readable> {
  const zip = new ZipFile();
  const output = zip.outputStream as Readable;
  zip.on('error', (error) => output.destroy(error as Error));
  // It may fail before anyone listens.
  output.on('error', () => {});
  // yazl neither destroys a stream nor sees that it fails.
  let stream: Readable | undefined;
  let first: Promise<void> | undefined;
  output.once('close', () => stream?.destroy());
  const digits = String(job.files.length).length;
  const mtime = new Date(job.completedAt ?? job.createdAt);
  const written = job.files.flatMap((file) => {
    const { number, name, result } = file;
    if (!result) return [];
    const path = `${String(number).padStart(digits, '0')}-${resultName(name ?? undefined, formatOf(job.options))}`;
    zip.addReadStreamLazy(path, { compress: false, size: result.bytes, mtime }, (done) => {
      const opening = orAway(storage.open(result.key)).then((object) => {
        if (!object) throw notFound(EXPIRED);
        stream = object.stream.once('error', (error) => output.destroy(error));
        if (output.destroyed) stream.destroy();
        else done(null, stream);
      });
      first ??= opening;
      opening.catch((error: Error) => output.destroy(error));
    });
    return [{ number, path }];
  });
  const manifest = { ...bodyOf(job), archive: written };
  zip.addBuffer(Buffer.from(`${JSON.stringify(manifest, null, 2)}\n`), 'manifest.json', { mtime });
  zip.end();
  await first;
  return output;
}

/** @throws PlatenError `SERVICE_UNAVAILABLE` if the storage fails. */
async function orAway<T>(answer: Promise<T>): Promise<T> {
  return answer.catch((cause: unknown) => {
    throw cause instanceof StorageError ? new PlatenError('SERVICE_UNAVAILABLE', { cause }) : cause;
  });
}
