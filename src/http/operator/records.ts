/** Records requests for operators: statistics of conversions, and recent requests of accounts. */
import { type ConversionReport, notableWarningsOf } from '../../convert/report/warnings.ts';
import type { RequestRecord } from '../../operator/request-record.ts';
import type { RecentRequests } from '../../operator/requests.ts';
import type { Statistics } from '../../operator/statistics.ts';
import { tenths, tenthsOrNull } from '../../system/tenths.ts';
import type { RequestObserver, RequestOutcome } from '../core/request-outcome.ts';

/** Most characters of a message that are kept; of a PDF that `failOn` refused, it may name many fonts. */
const MAX_MESSAGE = 500;

export class OperatorRecords implements RequestObserver {
  readonly #statistics: Statistics;
  readonly #requests: RecentRequests;

  constructor(statistics: Statistics, requests: RecentRequests) {
    this.#statistics = statistics;
    this.#requests = requests;
  }

  began(): void {}

  ended(outcome: RequestOutcome): void {
    const { converts, code, conversion, key } = outcome;
    const { upload, queue, convert } = conversion?.phases ?? {};
    // A simulated answer is not a conversion.
    if (converts && code !== 'simulated') {
      this.#statistics.record({ outcome: code, queueMs: queue, convertMs: convert });
    }
    if (!key) return;
    const isDelivered = code === 'success';
    const record: RequestRecord = {
      requestId: outcome.requestId,
      at: new Date().toISOString(),
      account: key.account,
      key: key.id,
      environment: key.environment,
      method: outcome.method,
      route: outcome.route,
      status: outcome.status ?? null,
      outcome: code,
      reason: outcome.reason ?? null,
      pages: isDelivered ? (conversion?.pages ?? null) : null,
      bytesIn: conversion?.bytesIn ?? null,
      bytesOut: isDelivered ? (conversion?.bytesOut ?? null) : null,
      durationMs: tenths(outcome.ms),
      uploadMs: tenthsOrNull(upload),
      queueMs: tenthsOrNull(queue),
      convertMs: tenthsOrNull(convert),
      // A PDF that its sender refuses has some, too.
      warnings: code !== 'client_left' && conversion?.report ? codesOf(conversion.report) : null,
      libreOffice: isDelivered ? (conversion?.receipt?.libreOffice ?? null) : null,
      message: outcome.message?.slice(0, MAX_MESSAGE) ?? null,
    };
    // Also if the client did not wait for the refusal.
    this.#requests.record(record, outcome.admitted ? 'admitted' : 'refused');
  }
}

/** Each code once. */
function codesOf(report: ConversionReport): string[] {
  return [...new Set(notableWarningsOf(report).map(({ code }) => code))];
}
