/** Authenticates and admits every request in the scope that registers this plugin. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import fp from 'fastify-plugin';
import { ReplyError } from 'ioredis';
import { Bill } from '../../accounts/billing/bill.ts';
import type { Billing } from '../../accounts/billing/billing.ts';
import type { Conversions } from '../../accounts/billing/conversions.ts';
import type { Claims } from '../../accounts/billing/idempotency.ts';
import { monthEnd } from '../../accounts/billing/months.ts';
import { readBearer } from '../../accounts/keys/bearer.ts';
import type { KeyLocator } from '../../accounts/keys/locate.ts';
import type { Permission } from '../../accounts/keys/records.ts';
import type { Admission, Standing, Verdict } from '../../accounts/limits/admission.ts';
import type { Plans } from '../../accounts/plans/plans.ts';
import { PlatenError } from '../../errors.ts';
import { clientAddressOf } from '../core/client-address.ts';
import { orUnavailable } from '../core/redis-deadline.ts';
import { foreignOrigin } from '../core/same-origin.ts';
import { limitFailures } from './authentication-limit.ts';
import { followConversion } from './conversion-end.ts';
import { featureRefusal, neededFeatures } from './features.ts';
import { readIdempotencyKey } from './idempotency-key.ts';
import { asyncPreference } from './preference.ts';
import { rateLimitHeaders, retryAfterSeconds } from './rate-limit-headers.ts';
import { simulatesError } from './simulation.ts';

interface AdmissionPluginOptions {
  readonly locator: KeyLocator;
  readonly admission: Admission;
  readonly billing: Billing;
  readonly claims: Claims;
  readonly conversions: Conversions;
  readonly plans: Plans;
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Permission that the route requires. */
    permission?: Permission;
    /** Whether a request to this route is a conversion, which counts against the quota. */
    conversion?: boolean;
    /** Whether a request to this route hands in a job. */
    job?: boolean;
  }
}

export const admissionPlugin = fp<AdmissionPluginOptions>(
  async (app, { locator, admission, billing, claims, conversions, plans }) => {
    app.addHook('onRequest', async (request, reply) => {
      try {
        await request.state.trace.timed('admission', () => admit(request, reply));
      } catch (error) {
        if (error instanceof PlatenError && isFailedAuthentication(error)) {
          await limitFailures(app, request);
        }
        throw error;
      }
    });

    app.addHook('onSend', async ({ state: { standing } }, reply) => {
      if (standing) reply.headers(rateLimitHeaders(standing.windows, standing.at));
    });

    async function admit(request: FastifyRequest, reply: FastifyReply): Promise<void> {
      const text = readBearer(request.headers.authorization);
      const { conversion: converts = false, job = false } = request.routeOptions.config;
      const permission = neededPermission(request);
      const key = await orUnavailable(locator.locate(text), request.redisDeadline);
      if (!key) throw new PlatenError('INVALID_API_KEY');
      // Also for refused requests, as support asks which key sent them.
      request.state.key = key;
      const conversion = converts && !simulatesError(request, key);
      const header = conversion ? idempotencyHeader(request) : noHeader;
      const { idempotencyKey } = header;
      const decision = admission.admit({
        key,
        // A client that has left has no address.
        address: clientAddressOf(request) ?? '',
        origin: foreignOrigin(request),
        permission,
        conversion: conversion ? request.id : undefined,
        idempotencyKey,
        features: conversion || job ? neededFeatures(request).map(({ feature }) => feature) : [],
      });
      const verdict = await orUnavailable(decision, request.redisDeadline).catch((error: unknown) => {
        // Unless it refused it, Redis may have run the command, or may run it once it recovers.
        const isUnknown = !(error instanceof PlatenError && error.cause instanceof ReplyError);
        if (conversion && isUnknown) {
          void billing.abandon({ requestId: request.id, key, at: Date.now(), idempotencyKey });
        }
        throw error;
      });
      if (verdict.outcome === 'gone') {
        // Nothing is kept of requests with it.
        locator.forget(text);
        delete request.state.key;
        throw new PlatenError('INVALID_API_KEY');
      }
      if (verdict.outcome === 'unknown') throw new PlatenError('INVALID_API_KEY');
      if (verdict.outcome === 'expired') throw new PlatenError('EXPIRED_API_KEY');
      request.state.standing = verdict;
      if (verdict.outcome !== 'admitted') throw refusal(verdict, request, plans);
      request.state.admitted = true;
      if (conversion) {
        const reservation = { requestId: request.id, key, at: verdict.at, idempotencyKey };
        const bill = new Bill(billing, reservation, verdict.settled, verdict.jobDigest);
        request.state.bill = bill;
        followConversion(request, reply, { key, bill, letGo: claims.hold(reservation), conversions });
      }
      if (header.mistake) throw header.mistake;
    }
  },
  { name: 'admission', dependencies: ['errors', 'authentication-limit', 'redis-deadline'] },
);

/** A conversion that may become a job needs the permission for jobs. */
function neededPermission(request: FastifyRequest): Permission | undefined {
  return asyncPreference(request) ? 'jobs' : request.routeOptions.config.permission;
}

/** The request's `Idempotency-Key`. A malformed one is reported only after the other checks have passed. */
interface IdempotencyHeader {
  readonly idempotencyKey: string | undefined;
  readonly mistake?: unknown;
}

const noHeader: IdempotencyHeader = { idempotencyKey: undefined };

function idempotencyHeader({ headers }: FastifyRequest): IdempotencyHeader {
  try {
    return { idempotencyKey: readIdempotencyKey(headers['idempotency-key']) };
  } catch (mistake) {
    return { idempotencyKey: undefined, mistake };
  }
}

function isFailedAuthentication({ code }: PlatenError): boolean {
  return code === 'INVALID_API_KEY' || code === 'EXPIRED_API_KEY';
}

function refusal(verdict: Extract<Verdict, Standing>, request: FastifyRequest, plans: Plans): PlatenError {
  const { outcome, windows, at } = verdict;
  if (outcome === 'origin') {
    const mend =
      request.state.key?.type === 'pk'
        ? 'Add this origin to the key, or send the request from a server.'
        : 'It is secret: send the request from a server, or use a pk key that has this origin.';
    return new PlatenError('ORIGIN_NOT_ALLOWED', {
      message: `This API key may not be used by pages of ${foreignOrigin(request)}. ${mend}`,
    });
  }
  if (outcome === 'suspended') return new PlatenError('ACCOUNT_SUSPENDED');
  if (outcome === 'address') {
    return new PlatenError('IP_NOT_ALLOWED', {
      message: `This API key may not be used from ${clientAddressOf(request)}. Ask your operator to allow the address.`,
    });
  }
  if (outcome === 'permission') {
    return new PlatenError('INSUFFICIENT_PERMISSIONS', {
      message: `This API key lacks the permission "${neededPermission(request)}" for this endpoint. Use a key that holds it.`,
    });
  }
  if (outcome === 'rate') {
    const full = windows.filter(({ remaining }) => remaining === 0);
    const limits = full.map(({ limit, name }) => `${limit} ${name === 'hour' ? 'an' : 'a'} ${name}`);
    const whose = request.state.key?.environment === 'test' ? ' of this test key' : '';
    const others = whose && ' Live keys have the limits of the plan.';
    return new PlatenError('RATE_LIMIT_EXCEEDED', {
      message: `The limit of ${limits.join(' and ')}${whose} is reached. Wait for retryAfter seconds, then retry.${others}`,
      retryAfter: retryAfterSeconds(windows, at),
      // The longest, as the client waits for it.
      reason: full.at(-1)?.name,
    });
  }
  if (outcome === 'running') return new PlatenError('REQUEST_IN_PROGRESS');
  if (outcome === 'feature') {
    const refused = featureRefusal(plans, verdict.plan, neededFeatures(request));
    return refused ?? new PlatenError('FEATURE_NOT_IN_PLAN');
  }
  return quotaExceeded(verdict, `The quota of ${verdict.quota} conversions a month is used up or reserved.`);
}

/** @param what happened. */
export function quotaExceeded({ month }: Pick<Standing, 'month'>, what: string): PlatenError {
  const renewal = new Date(monthEnd(month)).toISOString();
  const message = `${what} It renews on ${renewal}. Ask your operator for a higher plan.`;
  return new PlatenError('QUOTA_EXCEEDED', { message, reason: 'month' });
}
