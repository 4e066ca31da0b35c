/** The Fastify instance, before anything is registered on it. */
import Fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify';
import type { Logger } from 'pino';
import { trustedProxies } from './client-address.ts';
import { ClientErrors } from './client-errors.ts';
import { answerFrameworkError } from './errors.ts';
import { newRequestId } from './request-id.ts';
import { sharedSerializers } from './serializers.ts';
import { validation } from './validation.ts';

interface ServerOptions {
  /** See serializers.ts. */
  readonly plainSchemas: readonly string[];
  readonly log: Logger;
  /** Proxies whose `X-Forwarded-For` is believed, see client-address.ts. */
  readonly trustProxy: Parameters<typeof trustedProxies>[0];
  /** How long an upload may take, in milliseconds. */
  readonly uploadTimeoutMs: number;
  /** How long a connection may be silent after an upload, in milliseconds. */
  readonly silentMs: number;
  /** How long the head of a request may take, in milliseconds. */
  readonly headersTimeoutMs: number;
  /** Maps the URL that the router reads. */
  readonly rewriteUrl: (url: string) => string;
  /** Receives the status of each answer to an unreadable request. */
  readonly unreadable: (status: number) => void;
}

/** Only uploads are larger, and their route has its own limit. */
const BODY_LIMIT = 65_536;
/** How often Node checks for slow requests, unless the limit is shorter. */
const MAX_CHECK_INTERVAL_MS = 5_000;
const KEEP_ALIVE_TIMEOUT_MS = 75_000;
const MAX_HEADER_BYTES = 16_384;
/** On a busy machine reading the pages takes longer than the ten seconds that a plugin has by default. */
const PLUGIN_TIMEOUT_MS = 60_000;
/** Margin beyond Platen's own limits of a request. */
const GRACE_MS = 10_000;

export function createServer(options: ServerOptions): FastifyInstance {
  const { log, uploadTimeoutMs, silentMs, headersTimeoutMs, rewriteUrl, unreadable } = options;
  const clientErrors = new ClientErrors(log, unreadable);
  const app = Fastify({
    loggerInstance: log as FastifyBaseLogger,
    logController: new LogController({ disableRequestLogging: true }), // request-log.ts logs each request
    ajv: validation,
    schemaController: sharedSerializers(options.plainSchemas),
    genReqId: newRequestId,
    requestIdHeader: false,
    trustProxy: trustedProxies(options.trustProxy),
    bodyLimit: BODY_LIMIT,
    pluginTimeout: PLUGIN_TIMEOUT_MS,
    // Time limit of the whole request; the upload's own limit answers first.
    requestTimeout: uploadTimeoutMs + GRACE_MS,
    // A connection is silent while its document is checked, waits and is converted.
    connectionTimeout: uploadTimeoutMs + silentMs + GRACE_MS,
    keepAliveTimeout: KEEP_ALIVE_TIMEOUT_MS,
    http: {
      headersTimeout: headersTimeoutMs,
      connectionsCheckingInterval: Math.min(headersTimeoutMs, MAX_CHECK_INTERVAL_MS),
      maxHeaderSize: MAX_HEADER_BYTES,
      requireHostHeader: false, // errors.ts does
    },
    rewriteUrl: ({ url = '/' }) => rewriteUrl(url),
    frameworkErrors(error, request, reply) {
      unreadable(400);
      answerFrameworkError(error, request, reply);
    },
    return503OnClosing: false, // a draining server answers with the error object
    clientErrorHandler: (error, socket) => clientErrors.answer(error, socket),
  });
  clientErrors.follow(app.server);
  return app;
}
