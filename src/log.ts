import type { Logger } from 'pino';

/** What everything below HTTP needs of a logger; pino's and Fastify's loggers fit. */
export type Log = Pick<Logger, 'debug' | 'info' | 'warn' | 'error'>;
