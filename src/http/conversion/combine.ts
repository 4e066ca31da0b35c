/** POST /v1/combine: several DOCX in, one PDF out. */
import { createHash } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyRequest } from 'fastify';
import type { Static } from 'typebox';
import type { Admission } from '../../accounts/limits/admission.ts';
import { LARGEST_TOGETHER, MAX_COMBINED_FILES, type Plans } from '../../accounts/plans/plans.ts';
import {
  type CombinedPdf,
  type Combiner,
  type DocumentToCombine,
  ofDocument,
} from '../../convert/combiner.ts';
import type { Converter } from '../../convert/converter.ts';
import type { Workspace, Workspaces } from '../../convert/workspace.ts';
import { PlatenError } from '../../errors.ts';
import type { Place } from '../../queue/queue.ts';
import {
  type ConversionOptions,
  type FormOptions,
  notedOptions,
  type PageNumbering,
} from '../../shared/options/conversion-options.ts';
import { quotaExceeded } from '../access/admission.ts';
import { admittedOf } from '../access/admitted.ts';
import { assertFeatures } from '../access/features.ts';
import { slowDown } from '../access/simulation.ts';
import { nextDeadline, orUnavailable } from '../core/redis-deadline.ts';
import type { ConversionRecord } from '../core/request-outcome.ts';
import { combineDocuments } from './combine.contract.ts';
import {
  assertCombination,
  assertNoFields,
  assertNoPicture,
  assertPageNumbers,
  documentOf,
  readForm,
  readOptions,
} from './conversion-request.ts';
import { senderOf } from './convert.ts';
import { ClientGone, endingOf } from './ending.ts';
import { COMBINED_NAME, shownName } from './file-name.ts';
import { counted, jobLimits } from './job-taking.ts';
import { type Delivery, sendPdf } from './send-pdf.ts';
import { type ManyUpload, receiveUploads, type UploadedFile } from './upload.ts';

export interface CombineRouteOptions {
  /** Largest file, in bytes. */
  readonly maxBytes: number;
  /** How long an upload may take, in milliseconds. */
  readonly uploadTimeoutMs: number;
  /** How long a PDF may take to its client, in milliseconds. */
  readonly deliveryTimeoutMs: number;
  readonly converter: Converter;
  readonly combiner: Combiner;
  readonly workspaces: Workspaces;
  readonly admission: Pick<Admission, 'reserveDocuments'>;
  /** Aborts when the server begins to drain. */
  readonly draining: AbortSignal;
  readonly plans: Plans;
}

type Query = Static<typeof combineDocuments.schema.querystring>;

/** What has arrived. */
interface Arrived {
  readonly upload: ManyUpload;
  readonly documents: readonly DocumentToCombine[];
  readonly options: ConversionOptions;
  readonly pageNumbers: PageNumbering | undefined;
  readonly form: FormOptions;
}

export const combineRoute: FastifyPluginAsyncTypebox<CombineRouteOptions> = async (app, context) => {
  const { converter, combiner, workspaces, draining } = context;
  // A body that is no form is not read either: upload.ts says what is wrong with it.
  app.removeContentTypeParser(['application/json', 'text/plain']);
  app.addContentTypeParser('*', (_request, _payload, done) => done(null));
  app.post(
    combineDocuments.path,
    {
      schema: combineDocuments.schema,
      config: { permission: 'convert', conversion: true, files: true },
      preValidation: async ({ query }) => {
        assertNoFields(query as object);
        assertNoPicture(query as object, 'send the document to /v1/convert');
      },
    },
    async (request: FastifyRequest<{ Querystring: Query }>, reply) => {
      const { state } = request;
      const { pageNumbers, ...query } = request.query;
      const options = readOptions(query);
      assertPageNumbers(pageNumbers, options);
      converter.assertPossible(options);
      // After the caller is known and before the body is read.
      const place = converter.admit(senderOf(request));
      const signal = endingOf(reply.raw, place.signal);
      const record: ConversionRecord = { phases: {} };
      state.conversion = record;
      let workspace: Workspace | undefined;
      try {
        const used = workspaces.create(LARGEST_TOGETHER);
        workspace = used;
        const arrived = await receive(
          request,
          record,
          used,
          place,
          signal,
          { options, pageNumbers },
          context,
        );
        if (state.simulation === 'slow') await slowDown(signal, draining);
        const { documents, form } = arrived;
        assertNotSimulated(request, documents);
        const combination = { place, documents, options, pageNumbers, form };
        const { phases } = record;
        const pdf = await combiner.combine(used, combination, signal, { phases, trace: state.trace });
        // The PDF is an open file: it goes out while its folder is removed.
        await sendPdf(reply, record, deliveryOf(arrived, pdf), signal, context.deliveryTimeoutMs);
      } catch (error) {
        // Nobody waits for the rest of an upload that has lost its place.
        if (place.signal.aborted) reply.header('connection', 'close');
        if (!(error instanceof ClientGone)) throw error;
      } finally {
        place.leave();
        // The answer goes out first.
        await nextTurn();
        await workspace?.dispose();
      }
      return reply;
    },
  );
};

async function receive(
  request: FastifyRequest,
  record: ConversionRecord,
  workspace: Workspace,
  place: Place,
  signal: AbortSignal,
  { options, pageNumbers }: Pick<Arrived, 'options' | 'pageNumbers'>,
  { maxBytes: maxFileBytes, uploadTimeoutMs, draining, plans, admission }: CombineRouteOptions,
): Promise<Arrived> {
  const { state } = request;
  const maxFiles = Math.min(MAX_COMBINED_FILES, jobLimits(request, plans).maxFilesPerJob);
  const folders: Workspace[] = [];
  const limits = {
    ...{ maxFiles, maxFileBytes, maxBytes: LARGEST_TOGETHER * maxFileBytes },
    tooMany: `The form has too many parts. Your plan allows ${counted(maxFiles, 'file')}, with up to 10 attachments.`,
    ...{ timeoutMs: uploadTimeoutMs, progress: place.progress, draining },
    nextPath: () => {
      const folder = workspace.inside();
      folders.push(folder);
      return folder.input;
    },
    attachmentPath: (number: number) => workspace.attachment(number),
  };
  const took = (ms: number) => {
    record.phases.upload = ms;
  };
  const upload = await state.trace.timed('upload', () => receiveUploads(request, limits, signal), { took });
  const { files } = upload;
  record.bytesIn = files.reduce((sum, { bytes }) => sum + bytes, 0);
  record.documents = files.length;
  const form = readForm(upload, options, { path: combineDocuments.path, ownFields: [], isOfPdf: true });
  assertFeatures(request, plans, { ...form });
  assertCombination({ ...options, ...form });
  const document = documentOf({ sha256: digestOf(files) }, options, form);
  const numbered = pageNumbers === 'continuous' ? `${pageNumbers}:` : '';
  state.bill?.identify(`combined:${numbered}${document}`);
  await reserve(request, files.length, admission);
  const documents = files.map(({ fileName, bytes, sha256 }, index) => ({
    ...{ bytes, sha256, name: shownName(fileName) },
    workspace: folders[index] as Workspace,
  }));
  return { upload, documents, options, pageNumbers, form };
}

/** @throws PlatenError that a test key asks for, of a document. */
function assertNotSimulated({ state }: FastifyRequest, documents: readonly DocumentToCombine[]): void {
  for (const [index, { name }] of documents.entries()) {
    const code = state.fileSimulation?.(index + 1);
    if (code === undefined) continue;
    state.simulation = code;
    throw ofDocument(new PlatenError(code), { index, name });
  }
}

/** Names are bookmarks. */
function digestOf(files: readonly UploadedFile[]): string {
  const named = files.map(({ fileName, sha256 }) => [sha256, shownName(fileName)]);
  return createHash('sha256').update(JSON.stringify(named)).digest('hex');
}

/** @throws PlatenError `QUOTA_EXCEEDED` if it is not enough for all documents, `SERVICE_UNAVAILABLE`. */
async function reserve(
  request: FastifyRequest,
  documents: number,
  admission: CombineRouteOptions['admission'],
): Promise<void> {
  const { standing } = admittedOf(request);
  const { bill } = request.state;
  if (!bill || documents === 1) return;
  const reserving = admission.reserveDocuments(bill.reservation, documents, standing.quota);
  const left = await orUnavailable(reserving, nextDeadline(request));
  if (left === undefined) return;
  throw quotaExceeded(
    standing,
    `The form has ${counted(documents, 'document')}, but the quota of ${standing.quota} a month has ${counted(left, 'conversion')} left.`,
  );
}

function deliveryOf({ upload, options, pageNumbers, form }: Arrived, pdf: CombinedPdf): Delivery {
  const { pages, bytes, documentPages, report, rewrites, peakBytes, cpuMs, isolation } = pdf;
  const { libreOffice, fontSet } = pdf.engine;
  const documents = upload.files.map((file, index) => ({ ...file, pages: documentPages[index] ?? 0 }));
  const digests = documents.map(({ sha256 }) => sha256);
  const receipt = {
    documentSha256: createHash('sha256').update(digests.join('')).digest('hex'),
    documents: documents.map(({ sha256, pages }) => ({ sha256, pages })),
    pdfSha256: pdf.pdfSha256,
    ...(libreOffice !== undefined && { libreOffice }),
    ...(fontSet !== undefined && { fontSet }),
    isolation,
    options: {
      ...notedOptions(options, form),
      ...(pageNumbers === 'continuous' && { pageNumbers }),
    },
  };
  return {
    name: options.title === undefined ? COMBINED_NAME : `${options.title}.docx`,
    pdf,
    figures: {
      ...{ pages, bytesOut: bytes, bytesIn: documents.reduce((sum, each) => sum + each.bytes, 0) },
      documents: documents.map(({ bytes: bytesIn, pages }) => ({ pages, bytesIn })),
    },
    details: { peakBytes, cpuMs, isolation, rewrites, report, receipt },
  };
}
