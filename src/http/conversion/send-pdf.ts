/** The answer with a PDF, or with a picture of one of its pages: it is billed first. */
import { closeSync } from 'node:fs';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { PdfFigures } from '../../accounts/billing/reservation.ts';
import type { ConvertedPdf } from '../../convert/converter.ts';
import { notableWarningsOf } from '../../convert/report/warnings.ts';
import { formats } from '../../shared/options/conversion-options.ts';
import { pdfBody } from '../../system/pdf-stream.ts';
import { limitDelivery } from '../core/delivery-limit.ts';
import { nextDeadline, orUnavailable } from '../core/redis-deadline.ts';
import type { ConversionRecord } from '../core/request-outcome.ts';
import { CONFORMANCE_HEADER, conformanceHeader } from './conformance-header.ts';
import { resultDisposition } from './file-name.ts';
import { REPLAYED } from './job-taking.ts';
import { WARNINGS_HEADER, warningsHeader } from './warnings-header.ts';

/** What is sent, and what is noted of it. */
export interface Delivery {
  /** File name of the document, which names the PDF; undefined for none. */
  readonly name: string | undefined;
  readonly pdf: Pick<ConvertedPdf, 'format' | 'pages' | 'bytes' | 'sha256' | 'report' | 'fd' | 'reader'>;
  readonly figures: Omit<PdfFigures, 'durationMs' | 'document'>;
  /** For the record, besides the figures. */
  readonly details: Omit<ConversionRecord, 'phases'>;
}

/** Settles the conversion and then sends its PDF, whose file it closes whatever happens. */
export async function sendPdf(
  reply: FastifyReply,
  record: ConversionRecord,
  { name, pdf, figures, details }: Delivery,
  signal: AbortSignal,
  deliveryTimeoutMs: number,
): Promise<void> {
  const { request } = reply;
  const { pages, bytesIn, bytesOut } = figures;
  Object.assign(record, { ...details, pages, bytesIn, bytesOut });
  const replayed = request.state.bill?.isRepetition && REPLAYED;
  const headers = { ...pdfHeaders(record, name, pdf), ...replayed };
  try {
    signal.throwIfAborted();
    await settle(request, { ...figures, durationMs: reply.elapsedTime });
    signal.throwIfAborted();
  } catch (error) {
    closeSync(pdf.fd);
    throw error;
  }
  record.sentAt = performance.now();
  limitDelivery(reply, deliveryTimeoutMs);
  reply.code(200).headers(headers).send(pdfBody(pdf.fd, pdf.reader));
}

function pdfHeaders({ phases }: ConversionRecord, name: string | undefined, pdf: Delivery['pdf']) {
  const warnings = warningsHeader(notableWarningsOf(pdf.report), pdf.report.moreWarnings);
  const conformance = conformanceHeader(pdf.report.conformance);
  const { upload, queue, convert } = phases;
  return {
    'content-type': formats[pdf.format].type,
    'content-length': pdf.bytes,
    'content-disposition': resultDisposition(name, pdf.format),
    'repr-digest': `sha-256=:${Buffer.from(pdf.sha256, 'hex').toString('base64')}:`,
    'x-conversion-pages': pdf.pages,
    ...(warnings !== undefined && { [WARNINGS_HEADER]: warnings }),
    ...(conformance !== undefined && { [CONFORMANCE_HEADER]: conformance }),
    'server-timing': Object.entries({ upload, queue, convert })
      .map(([phase, ms = 0]) => `${phase};dur=${ms.toFixed(1)}`)
      .join(', '),
  };
}

/** A client waits for Redis no longer than usual, and gets its PDF whatever Redis answers. */
async function settle(request: FastifyRequest, figures: PdfFigures): Promise<void> {
  const { bill, trace } = request.state;
  if (!bill) return;
  const settling = () => orUnavailable(bill.settle(figures), nextDeadline(request));
  await trace.timed('settlement', settling).catch(() => {});
}
