/**
 * The header `Platen-Simulate`, to test clients: a request with a test key gets the named error, as the service would
 * send it. Nothing is read, converted, reserved or billed. An error of one file comes when all have arrived.
 */
import { setTimeout as delay } from 'node:timers/promises';
import type { FastifyReply, FastifyRequest } from 'fastify';
import fp from 'fastify-plugin';
import type { KeyLocation } from '../../accounts/keys/locate.ts';
import type { Standing } from '../../accounts/limits/admission.ts';
import { catalogue, type ErrorCode, PlatenError } from '../../errors.ts';
import { withLinkedController } from '../../system/linked-controller.ts';
import { retryAfterSeconds } from './rate-limit-headers.ts';
import { isOfFiles, readFileSimulation } from './simulated-files.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Whether a request to this route has files, of which some can be made to fail. */
    files?: boolean;
  }
}

/** Extra time of a slow conversion, in milliseconds. */
export const SLOW_MS = 10_000;

/** Values of the header: any error of the catalogue, or a conversion that takes {@link SLOW_MS} longer. */
type Simulation = ErrorCode | 'slow';

export const simulations = [...(Object.keys(catalogue) as ErrorCode[]), 'slow'] as const;

/** Whether the request asks for an error, so that nothing is converted. */
export function simulatesError({ headers }: FastifyRequest, { environment }: KeyLocation): boolean {
  const value = headers['platen-simulate'];
  return environment === 'test' && isSimulation(value) && value !== 'slow';
}

/** Runs once the caller is known and before the body is read. */
export const simulation = fp(
  async (app) => {
    app.addHook('onRequest', async (request, reply) => {
      const { headers, routeOptions, state } = request;
      const value = headers['platen-simulate'];
      const { conversion, files } = routeOptions.config;
      if (value === undefined || !conversion) return;
      if (files && isOfFiles(value)) {
        state.fileSimulation = readFileSimulation(request);
        return;
      }
      if (state.key?.environment !== 'test') {
        throw new PlatenError('INVALID_PARAMETER', {
          message:
            'Platen-Simulate needs a test key here. Leave the header out, or use a key that begins with svc_test_.',
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
 * Waits like a slow conversion, without a worker. A draining server stops waiting.
 *
 * @throws the signal's reason if it aborts.
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

/** The error, with the state that the service would have set on the request and the reply. */
function simulated(code: ErrorCode, request: FastifyRequest, reply: FastifyReply): PlatenError {
  const { status } = catalogue[code];
  if (status === 405) reply.header('allow', String(request.routeOptions.method));
  const { state } = request;
  const { standing } = state;
  // No caller who could have a limit is known, or no route that has one.
  if (status === 401 || status === 404 || status === 405) state.standing = undefined;
  const reason = 'full'; // an OVERLOADED has one; of what is simulated it is not logged
  if (status !== 429 || !standing) return new PlatenError(code, { reason });
  const full = withFullWindow(standing);
  state.standing = full;
  return new PlatenError(code, { reason, retryAfter: retryAfterSeconds(full.windows, full.at) });
}

/** The shortest window is full, so that nobody has to wait an hour. */
function withFullWindow(standing: Standing): Standing {
  const [shortest, ...others] = standing.windows;
  return shortest ? { ...standing, windows: [{ ...shortest, remaining: 0 }, ...others] } : standing;
}
