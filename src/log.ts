import type { Logger } from 'pino';

/** The logger interface below HTTP; pino's and Fastify's loggers fit. */
export type Log = Pick<Logger, 'debug' | 'info' | 'warn' | 'error'>;
