/** GET /v1/jobs/{id}/files/{number} and …/archive: the results of a job: PDFs, or pictures of their pages. */
import { Readable } from 'node:stream';
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyReply } from 'fastify';
import { ZipFile } from 'yazl';
import { PlatenError } from '../../errors.ts';
import { assertJobs } from '../../jobs/assert-jobs.ts';
import { type FileResult, isOpen, type Job, WHOLE } from '../../jobs/job.ts';
import type { Jobs } from '../../jobs/jobs.ts';
import { openResult, orAway } from '../../jobs/results.ts';
import { formatOf, formats } from '../../shared/options/conversion-options.ts';
import type { ObjectStore } from '../../storage/object-store.ts';
import { CONFORMANCE_HEADER, conformanceHeader } from '../conversion/conformance-header.ts';
import { COMBINED_NAME, resultDisposition, resultName } from '../conversion/file-name.ts';
import { bodyOf } from '../conversion/job-body.ts';
import { limitDelivery } from '../core/delivery-limit.ts';
import { findJob, notFound } from './find.ts';
import { ADDRESS_SECONDS, getJobArchive, getJobFile, NOT_READY } from './jobs.contract.ts';

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
      const { result, name } = fileWithResult(job, Number(request.params.number));
      const fileName = name ?? undefined;
      const format = formatOf(job.options);
      const disposition = resultDisposition(fileName, format);
      const conformance = conformanceHeader(result.conformance);
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
        ...(conformance !== undefined && { [CONFORMANCE_HEADER]: conformance }),
      });
      if (request.method === 'HEAD') return reply.send(Readable.from([]));
      const content = await openResult(storage, result);
      if (!content) throw notFound(EXPIRED);
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

/** A PDF of a job. */
interface JobPdf {
  /** File name of the document. */
  readonly name: string | null;
  readonly result: FileResult;
}

/** The PDFs that there are, with the numbers of their files. */
function pdfsOf({ result: whole, files }: Job): (JobPdf & { readonly number: number })[] {
  const all = [{ number: WHOLE, name: COMBINED_NAME, result: whole }, ...files];
  return all.flatMap(({ number, name, result }) => (result ? [{ number, name, result }] : []));
}

/** @throws PlatenError if the file has no result. */
function fileWithResult(job: Job, number: number): JobPdf {
  const { state, files, combine } = job;
  if (combine && number !== WHOLE) throw notFound('The job makes one PDF of all its files: ask for file 0.');
  const file = files[combine ? 0 : number - 1];
  if (!file) throw notFound(`The job has ${files.length} files, numbered from 1.`);
  if (state === 'expired') throw notFound(EXPIRED);
  const pdf = pdfsOf(job).find((each) => each.number === number);
  if (pdf) return pdf;
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
  const written = pdfsOf(job).map(({ number, name, result }) => {
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
    return { number, path };
  });
  const manifest = { ...bodyOf(job), archive: written };
  zip.addBuffer(Buffer.from(`${JSON.stringify(manifest, null, 2)}\n`), 'manifest.json', { mtime });
  zip.end();
  await first;
  return output;
}
