/** POST /v1/convert and POST /v1/public/convert: a DOCX in, its PDF out. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyRequest } from 'fastify';
import type { Static } from 'typebox';
import type { Receipt } from '../../accounts/billing/conversions.ts';
import type { Plans } from '../../accounts/plans/plans.ts';
import type { ConvertedPdf, Converter } from '../../convert/converter.ts';
import { assertAccepted } from '../../convert/report/accepted.ts';
import type { Workspace, Workspaces } from '../../convert/workspace.ts';
import type { Jobs } from '../../jobs/jobs.ts';
import type { Place } from '../../queue/queue.ts';
import type { Sender } from '../../queue/sender.ts';
import { type ConversionOptions, notedOptions } from '../../shared/options/conversion-options.ts';
import { assertFeatures } from '../access/features.ts';
import { asyncPreference } from '../access/preference.ts';
import { slowDown } from '../access/simulation.ts';
import { clientAddressOf } from '../core/client-address.ts';
import { clientNetwork } from '../core/client-network.ts';
import type { ConversionRecord } from '../core/request-outcome.ts';
import type { Arrived } from './become-job.ts';
import {
  assertCombination,
  assertNoFields,
  documentOf,
  readForm,
  readOptions,
} from './conversion-request.ts';
import type { convertDocument, convertDocumentPublic } from './convert.contract.ts';
import { ClientGone, endingOf } from './ending.ts';
import { convertOrBecomeJob, sendJob } from './prefer-async.ts';
import { type Delivery, sendPdf } from './send-pdf.ts';
import { receiveUpload, type Upload } from './upload.ts';

export interface ConvertRouteOptions {
  readonly operation: typeof convertDocument | typeof convertDocumentPublic;
  /** Largest upload, in bytes. */
  readonly maxBytes: number;
  /** How long an upload may take, in milliseconds. */
  readonly uploadTimeoutMs: number;
  /** How long a PDF may take to its client, in milliseconds. */
  readonly deliveryTimeoutMs: number;
  readonly converter: Converter;
  readonly workspaces: Workspaces;
  /** Aborts when the server begins to drain. */
  readonly draining: AbortSignal;
  readonly plans: Plans;
  /** Undefined: every client waits for its PDF. */
  readonly jobs?: Jobs | undefined;
}

type Query = Static<typeof convertDocument.schema.querystring>;

export const convertRoute: FastifyPluginAsyncTypebox<ConvertRouteOptions> = async (app, context) => {
  const { operation, converter, workspaces, jobs } = context;
  // A body that is no form is not read either: upload.ts says what is wrong with it.
  app.removeContentTypeParser(['application/json', 'text/plain']);
  app.addContentTypeParser('*', (_request, _payload, done) => done(null));
  app.post(
    operation.path,
    {
      schema: operation.schema,
      config: { permission: 'convert', conversion: true, mayBecomeJob: jobs !== undefined },
      preValidation: async ({ query }) => assertNoFields(query as object),
    },
    async (request: FastifyRequest<{ Querystring: Query }>, reply) => {
      const options = readOptions(request.query);
      converter.assertPossible(options);
      // After the caller is known and before the body is read.
      const place = converter.admit(senderOf(request));
      const signal = endingOf(reply.raw, place.signal);
      const record: ConversionRecord = { phases: {} };
      request.state.conversion = record;
      let workspace: Workspace | undefined;
      // A conversion that has become a job goes on without its client.
      let rest: Promise<unknown> | undefined;
      try {
        const used = workspaces.create();
        workspace = used;
        const arrived = await receive(request, record, used, place, signal, options, context);
        const run = (ending: AbortSignal) => convert(request, arrived, used, place, ending, context);
        const preference = asyncPreference(request);
        let outcome: Outcome | undefined;
        if (preference && jobs) {
          const work = { preference, arrived, workspace: used, signal, convert: run };
          const either = await convertOrBecomeJob(request, reply, work, { jobs, plans: context.plans });
          if ('job' in either) {
            // Before the answer, which may fail.
            rest = either.rest;
            await sendJob(reply, jobs, either, preference);
            return reply;
          }
          outcome = either.outcome;
        }
        outcome ??= await run(signal);
        // The PDF is an open file: it goes out while its folder is removed.
        await sendPdf(reply, record, deliveryOf(outcome), signal, context.deliveryTimeoutMs);
      } catch (error) {
        // Nobody waits for the rest of an upload that has lost its place.
        if (place.signal.aborted) reply.header('connection', 'close');
        if (!(error instanceof ClientGone)) throw error;
      } finally {
        const used = workspace;
        const leave = async () => {
          place.leave();
          // The answer goes out first.
          await nextTurn();
          await used?.dispose();
        };
        if (rest) void rest.then(leave, leave);
        else await leave();
      }
      return reply;
    },
  );
};

interface Outcome {
  readonly upload: Upload;
  readonly pdf: ConvertedPdf;
  readonly receipt: Receipt;
}

async function receive(
  request: FastifyRequest<{ Querystring: Query }>,
  record: ConversionRecord,
  workspace: Workspace,
  place: Place,
  signal: AbortSignal,
  options: ConversionOptions,
  { maxBytes, uploadTimeoutMs, draining, plans }: ConvertRouteOptions,
): Promise<Arrived> {
  const { state } = request;
  const limits = { maxBytes, timeoutMs: uploadTimeoutMs, progress: place.progress, draining };
  const receiving = () => receiveUpload(request, workspace, limits, signal);
  const took = (ms: number) => {
    record.phases.upload = ms;
  };
  const upload = await state.trace.timed('upload', receiving, { took });
  record.bytesIn = upload.bytes;
  const form = readForm(upload, options);
  assertFeatures(request, plans, { ...form });
  assertCombination({ ...options, ...form });
  state.bill?.identify(documentOf(upload, options, form));
  return { upload, options, form, original: workspace.input };
}

/** When it settles, the workspace is no longer used; the PDF lives on as an open file. */
async function convert(
  { state }: FastifyRequest,
  { upload, options, form }: Arrived,
  workspace: Workspace,
  place: Place,
  signal: AbortSignal,
  { converter, draining }: ConvertRouteOptions,
): Promise<Outcome> {
  if (state.simulation === 'slow') await slowDown(signal, draining);
  const { bytes, sha256 } = upload;
  const submission = { place, bytes, sha256, options, form };
  const { trace, conversion } = state;
  const pdf = await converter.convert(workspace, submission, signal, { trace, phases: conversion?.phases });
  // The request's result has the warnings, also of a PDF that is refused.
  if (conversion) conversion.report = pdf.report;
  assertAccepted(pdf, options);
  const { libreOffice, fontSet, poppler } = pdf.engine;
  const receipt = {
    documentSha256: sha256,
    pdfSha256: pdf.pdfSha256,
    ...(pdf.format === 'png' && { pictureSha256: pdf.sha256, ...(poppler !== undefined && { poppler }) }),
    ...(libreOffice !== undefined && { libreOffice }),
    ...(fontSet !== undefined && { fontSet }),
    isolation: pdf.conversion.isolation,
    options: notedOptions(options, form),
  };
  return { upload, pdf, receipt };
}

function deliveryOf({ upload, pdf, receipt }: Outcome): Delivery {
  const { report, rewrites, layouts, layoutFailure, pages, bytes, conversion } = pdf;
  const { pagination } = report;
  const details = { ...conversion, pagination, rewrites, layouts, layoutFailure, report, receipt };
  const figures = { pages, bytesIn: upload.bytes, bytesOut: bytes };
  return { name: upload.fileName, pdf, figures, details };
}

/** Who takes turns with whom: accounts, and on the public endpoint networks. */
export function senderOf(request: FastifyRequest): Sender {
  const { key, standing } = request.state;
  if (key) {
    const { environment, account, type } = key;
    return { class: environment, account, keyType: type, isolation: standing?.isolation ?? 'document' };
  }
  return { class: 'public', network: clientNetwork(clientAddressOf(request)) };
}
