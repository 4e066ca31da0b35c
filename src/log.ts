import { type DestinationStream, type Logger, pino } from 'pino';

/** The logger interface below HTTP; pino's and Fastify's loggers fit. */
export type Log = Pick<Logger, 'debug' | 'info' | 'warn' | 'error'>;

/** The log of the service, in JSON lines; on stdout unless told otherwise. */
export function openLog(level: string, destination?: DestinationStream): Logger {
  // At "trace" the parser of forms tells the headers that it was given, with the key.
  const options = { level, redact: ['busboyOptions.headers'] };
  return destination ? pino(options, destination) : pino(options);
}
