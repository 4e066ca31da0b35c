/** The header `Prefer: respond-async[, wait=SECONDS]` (RFC 7240): the conversion may become a job. */
import type { FastifyRequest } from 'fastify';

/** Longest wait; more is no reason to answer later. */
const MAX_WAIT_SECONDS = 120;
const RESPOND_ASYNC = /(^|,)\s*respond-async\s*($|[,;])/i;
const WAIT = /(?:^|,)\s*wait\s*=\s*"?(\d{1,9})"?\s*(?:$|[,;])/i;

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Whether a request to this route may be answered with a job. */
    mayBecomeJob?: boolean;
  }
}

export interface AsyncPreference {
  /** How long the client waits for the PDF before it wants the job; undefined: not at all. */
  readonly waitSeconds: number | undefined;
}

/** What the client prefers; undefined if it prefers nothing of it, or this route has no jobs. */
export function asyncPreference({ headers, routeOptions }: FastifyRequest): AsyncPreference | undefined {
  if (!routeOptions.config.mayBecomeJob) return undefined;
  const prefer = [headers.prefer ?? []].flat().join(', ');
  if (!RESPOND_ASYNC.test(prefer)) return undefined;
  const [, seconds] = WAIT.exec(prefer) ?? [];
  return { waitSeconds: seconds === undefined ? undefined : Math.min(Number(seconds), MAX_WAIT_SECONDS) };
}

/** The value of `Preference-Applied`. */
export function appliedPreference({ waitSeconds }: AsyncPreference): string {
  return waitSeconds === undefined ? 'respond-async' : `respond-async, wait=${waitSeconds}`;
}
