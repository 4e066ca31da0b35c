/** The end of a conversion that was admitted with a key: everything that must happen then, in one place. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Bill } from '../../accounts/billing/bill.ts';
import type { ConversionResult, Conversions } from '../../accounts/billing/conversions.ts';
import type { KeyLocation } from '../../accounts/keys/locate.ts';
import { tenths, tenthsOrNull } from '../../system/tenths.ts';
import { onAnswerEnd } from '../core/answer-end.ts';
import type { RequestState } from '../core/request-state.ts';

interface ConversionEndOptions {
  readonly key: KeyLocation;
  readonly bill: Bill;
  /** Releases the request's idempotency key. */
  readonly letGo: () => void;
  readonly conversions: Conversions;
}

/**
 * Runs when the answer has ended, in whatever way: frees the idempotency key, releases an unsettled reservation, and
 * stores the result for GET /v1/conversions/{requestId}. That endpoint looks twice if Redis has no result yet.
 */
export function followConversion(
  request: FastifyRequest,
  reply: FastifyReply,
  { key, bill, letGo, conversions }: ConversionEndOptions,
): void {
  onAnswerEnd(request, reply, (whole) => {
    const { id, state, log } = request;
    letGo();
    void bill.end(state.failure?.code);
    // Its job tells what became of it.
    if (state.isJob) return;
    conversions.keep(key, id, resultOf(state, reply, whole)).catch((error: Error) => {
      log.debug({ cause: error.message }, 'the result of a conversion could not be kept');
    });
  });
}

function resultOf(
  { conversion, failure, standing, trace }: RequestState,
  reply: FastifyReply,
  whole: boolean,
): ConversionResult {
  const answered = failure ? 'failure' : 'success';
  const outcome = whole ? answered : 'client_left';
  const { upload, queue, convert } = conversion?.phases ?? {};
  const isDelivered = outcome === 'success';
  return {
    at: new Date(standing?.at ?? Date.now()).toISOString(),
    outcome,
    code: outcome === 'failure' ? (failure?.code ?? null) : null,
    file: outcome === 'failure' ? failure?.file?.index : undefined,
    bytesIn: conversion?.bytesIn ?? null,
    bytesOut: isDelivered ? (conversion?.bytesOut ?? null) : null,
    traceId: trace.id,
    durationMs: tenths(reply.elapsedTime),
    uploadMs: tenthsOrNull(upload),
    queueMs: tenthsOrNull(queue),
    convertMs: tenthsOrNull(convert),
    // A PDF that its sender refuses has one, too.
    report: whole ? (conversion?.report ?? null) : null,
    receipt: isDelivered ? (conversion?.receipt ?? null) : null,
  };
}
