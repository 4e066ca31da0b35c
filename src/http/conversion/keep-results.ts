/**
 * Keeps what became of the conversions of keys, for GET /v1/conversions/{requestId}. Redis is told right after the
 * first bytes of the answer; who asks before it knows gets a second look (results.ts).
 */
import type { FastifyReply, FastifyRequest } from 'fastify';
import fp from 'fastify-plugin';
import type { ConversionResult, Conversions } from '../../billing/conversions.ts';
import { onAnswerEnd } from '../core/answer-end.ts';

export interface KeepResultsOptions {
  readonly conversions: Conversions;
}

/** Of requests that were admitted as conversions; those that were refused before, or simulated, convert nothing. */
export const keepResults = fp<KeepResultsOptions>(
  async (app, { conversions }) => {
    app.addHook('onRequest', async (request, reply) => {
      if (!request.bill) return;
      onAnswerEnd(request, reply, (whole) => {
        if (!whole) keep(request, reply, 'client_left');
      });
    });

    app.addHook('onSend', async (request, reply) => {
      if (!request.bill) return;
      let hasLeft = request.raw.socket.destroyed;
      // Once it has the whole answer its connection may end at once.
      onAnswerEnd(request, reply, (whole) => {
        hasLeft ||= !whole;
      });
      // Writing a PDF's report takes as long as the rest of its way out.
      setImmediate(() => {
        const answered = request.failure ? 'failure' : 'success';
        keep(request, reply, hasLeft ? 'client_left' : answered);
      });
    });

    function keep(request: FastifyRequest, reply: FastifyReply, outcome: ConversionResult['outcome']): void {
      const { key, id } = request;
      if (!key) return;
      conversions.keep(key, id, resultOf(request, reply, outcome)).catch((error: Error) => {
        request.log.debug({ cause: error.message }, 'the result of a conversion could not be kept');
      });
    }
  },
  { name: 'keep-results', dependencies: ['admission', 'errors'] },
);

function resultOf(
  { conversion, failure, standing }: FastifyRequest,
  reply: FastifyReply,
  outcome: ConversionResult['outcome'],
): ConversionResult {
  const { upload, queue, convert } = conversion?.phases ?? {};
  const isDelivered = outcome === 'success';
  return {
    at: new Date(standing?.at ?? Date.now()).toISOString(),
    outcome,
    code: outcome === 'failure' ? (failure?.code ?? null) : null,
    bytesIn: conversion?.bytesIn ?? null,
    bytesOut: isDelivered ? (conversion?.bytesOut ?? null) : null,
    durationMs: tenths(reply.elapsedTime) ?? 0,
    uploadMs: tenths(upload),
    queueMs: tenths(queue),
    convertMs: tenths(convert),
    report: isDelivered ? (conversion?.report ?? null) : null,
  };
}

function tenths(milliseconds: number | undefined): number | null {
  return milliseconds === undefined ? null : Math.round(milliseconds * 10) / 10;
}
