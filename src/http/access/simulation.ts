/**
 * The header `Platen-Simulate`, for partners who try how their program takes errors: a request with a test key is
 * answered with the error that it names, as the service would. Nothing is read, converted, reserved or billed.
 */
import { setTimeout as delay } from 'node:timers/promises';
import type { FastifyReply, FastifyRequest } from 'fastify';
import fp from 'fastify-plugin';
import { catalogue, type ErrorCode, PlatenError } from '../../errors.ts';
import type { KeyLocation } from '../../keys/locate.ts';
import type { Standing } from '../../limits/admission.ts';
import { withLinkedController } from '../../system/linked-controller.ts';
import { retryAfterSeconds } from './rate-limit-headers.ts';

/** What a slow conversion takes longer, in milliseconds. */
export const SLOW_MS = 10_000;

/** What can be simulated: any error of the catalogue, or a conversion that takes {@link SLOW_MS} longer. */
export type Simulation = ErrorCode | 'slow';

export const simulations = [...(Object.keys(catalogue) as ErrorCode[]), 'slow'] as const;

/** Whether the request will be answered with an error that it asked for, so that it converts nothing. */
export function simulatesError({ headers }: FastifyRequest, { environment }: KeyLocation): boolean {
  const value = headers['platen-simulate'];
  return environment === 'test' && isSimulation(value) && value !== 'slow';
}

/** Acts once the caller is known and before the body is read. */
export const simulation = fp(
  async (app) => {
    app.addHook('onRequest', async (request, reply) => {
      const { headers, routeOptions, state } = request;
      const value = headers['platen-simulate'];
      if (value === undefined || !routeOptions.config.conversion) return;
      if (state.key?.environment !== 'test') {
        throw new PlatenError('INVALID_PARAMETER', {
          message:
            'Platen-Simulate needs POST /v1/convert and a test key. Leave the header out, or use a key that begins ' +
            'with svc_test_.',
        });
      }
      if (!isSimulation(value)) {
        throw new PlatenError('INVALID_PARAMETER', {
          message:
            'Platen-Simulate must be given once, as a code of an error, such as OVERLOADED, or "slow".',
        });
      }
      state.simulation = value;
      if (value !== 'slow') throw simulated(value, request, reply);
    });
  },
  { name: 'simulation', dependencies: ['errors'] },
);

/**
 * Waits as a slow conversion would, holding no worker. A server that drains waits no longer.
 *
 * @throws the signal's reason when it aborts.
 */
export async function slowDown(signal: AbortSignal, draining: AbortSignal): Promise<void> {
  await withLinkedController([signal, draining], async ({ signal: either }) =>
    delay(SLOW_MS, undefined, { signal: either }),
  ).catch(() => {});
  signal.throwIfAborted();
}

function isSimulation(value: string | string[] | undefined): value is Simulation {
  return simulations.some((known) => known === value);
}

/** The error, and on the reply and the request what the service would have put there with it. */
function simulated(code: ErrorCode, request: FastifyRequest, reply: FastifyReply): PlatenError {
  const { status } = catalogue[code];
  if (status === 405) reply.header('allow', String(request.routeOptions.method));
  const { state } = request;
  const { standing } = state;
  // Nobody is known who could have a limit, or there is no route that has one.
  if (status === 401 || status === 404 || status === 405) state.standing = undefined;
  const reason = 'full'; // an OVERLOADED has one; of what is simulated it is not logged
  if (status !== 429 || !standing) return new PlatenError(code, { reason });
  const full = withFullWindow(standing);
  state.standing = full;
  return new PlatenError(code, { reason, retryAfter: retryAfterSeconds(full.windows, full.at) });
}

/** With nothing left in the shortest window, so that nobody has to wait for the end of an hour. */
function withFullWindow(standing: Standing): Standing {
  const [shortest, ...others] = standing.windows;
  return shortest ? { ...standing, windows: [{ ...shortest, remaining: 0 }, ...others] } : standing;
}
