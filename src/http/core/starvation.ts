/** Refuses requests at once while the event loop starves, before anything is done for them. */
import underPressure from '@fastify/under-pressure';
import fp from 'fastify-plugin';
import { PlatenError } from '../../errors.ts';

interface StarvationOptions {
  /** Mean delay of the event loop over a second, in milliseconds, above which it starves. */
  readonly maxDelayMs: number;
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Paths that a starving server still answers, for load balancers and operators. */
    vital?: boolean;
  }
}

/** By then the delay, which is measured every second, is a new one. */
const RETRY_SECONDS = 2;

/** Decorates the application with `isUnderPressure`. */
export const starvation = fp<StarvationOptions>(
  async (app, { maxDelayMs }) => {
    await app.register(underPressure, {
      maxEventLoopDelay: maxDelayMs,
      pressureHandler: async ({ routeOptions }, _reply, _type, delay) => {
        if (routeOptions.config.vital) return;
        throw new PlatenError('OVERLOADED', {
          retryAfter: RETRY_SECONDS,
          reason: 'event-loop',
          cause: `the event loop is ${Math.round(delay ?? 0)} ms late`,
        });
      },
    });
  },
  { name: 'starvation', dependencies: ['errors', 'request-log'] },
);
