/** The state of the service. */
import { Type } from 'typebox';
import { count, named, orNull, time } from '../../operations/schema.ts';
import { shownBanner } from '../../operations/service.ts';
import { requestIdHeader } from '../contract/headers.ts';
import { jsonResponse } from '../contract/responses.ts';
import { byOperator, type OperatorOperation, readErrors } from './operation.ts';
import { ServerSummary, ServiceStatus } from './status.contract.ts';

const Quantiles = (what: string) =>
  orNull(
    Type.Object({
      p50: Type.Number({ minimum: 0, description: 'Median, in ms.' }),
      p95: Type.Number({ minimum: 0, description: '95th percentile, in ms.' }),
    }),
    `${what}, estimated from a histogram. \`null\`: there was none.`,
  );

const figures = {
  conversions: count('PDFs delivered.'),
  queueMs: Quantiles('Wait for a worker'),
  convertMs: Quantiles('Duration of conversions'),
  outcomes: Type.Record(Type.String(), Type.Integer({ minimum: 0 }), {
    description:
      'Number of conversion requests and files of jobs by outcome: `success`, the `code` of the error, or `client_left`.',
  }),
};

/** Without an example, which OpenAPI 3.0 does not allow inside a choice. */
const stepTime = Type.String({ format: 'date-time', description: 'Start of the time step.' });

const Period = (description: string) =>
  Type.Object(
    {
      stepSeconds: Type.Integer({ minimum: 1, description: 'Length of a time step.' }),
      total: Type.Object(figures, { description: 'Totals of the period.' }),
      steps: Type.Array(Type.Object({ at: stepTime, ...figures }), {
        description: 'All time steps of the period, oldest first, including empty ones.',
      }),
    },
    { description },
  );

export const Overview = Type.Object(
  {
    at: time('Time of this reading.'),
    server: named(ServiceStatus),
    servers: Type.Array(named(ServerSummary), {
      description: 'All live servers on the same Redis, the oldest first. Empty while Redis is away.',
    }),
    banner: shownBanner(),
    lastHour: orNull(Period('The last hour of all servers, by minute.'), '`null`: Redis is away.'),
    lastDay: orNull(Period('The last 24 hours of all servers, by 15 minutes.'), '`null`: Redis is away.'),
  },
  {
    $id: 'Overview',
    description:
      'The current state of the answering server, a summary of each server, and the figures of all for the last hour and day.',
  },
);

const noFigures = { conversions: 0, queueMs: null, convertMs: null, outcomes: {} };
const someFigures = {
  conversions: 41,
  queueMs: { p50: 0.2, p95: 12.5 },
  convertMs: { p50: 38.2, p95: 91.7 },
  outcomes: { success: 41, CORRUPTED_FILE: 2, RATE_LIMIT_EXCEEDED: 1 },
};

const statusExample = {
  status: 'ok',
  problem: null,
  ready: true,
  phase: 'ready',
  version: '1.0.0',
  node: 'v20.20.0',
  startedAt: '2026-11-21T07:00:00.000Z',
  lastProof: { ok: true, at: '2026-11-21T07:59:58.000Z' },
  maintenance: { on: false, since: null, reason: null, until: null },
  engine: {
    engine: 'kit',
    ready: true,
    libreOffice: '25.2.3.2',
    poppler: '25.03.0',
    pid: 4_711,
    restarts: 0,
    renewals: 1,
    documentsPerChild: 1,
    children: { idle: 2, running: 1 },
    documents: 1_204,
  },
  sandbox: [{ name: 'seccomp', active: true, required: true }],
  queue: {
    workers: 2,
    limit: 50,
    running: 1,
    waiting: 0,
    waitingByClass: { live: 0, test: 0, public: 0, job: 0, probe: 0 },
    arriving: 0,
    oldestWaitMs: 0,
  },
  preflight: {
    threads: 2,
    running: 0,
    waitingByClass: { live: 0, test: 0, public: 0, job: 0, probe: 0 },
    oldestWaitMs: 0,
  },
  redis: { up: true, writable: true, latencyMs: 0.4 },
  billing: { unbilled: 0 },
  residentBytes: {
    server: 120_000_000,
    kit: 210_000_000,
    child: 95_000_000,
    redis: 12_000_000,
    other: 0,
  },
};

const serverExample = {
  id: '3f0c7a52-64f5-4d0a-9c1e-3a2b8f2f5c11',
  host: 'platen-1',
  isThis: true,
  at: '2026-11-21T07:59:58.000Z',
  startedAt: '2026-11-21T07:00:00.000Z',
  version: '1.0.0',
  phase: 'ready',
  status: 'ok',
  problem: null,
  libreOffice: '25.2.3.2',
  running: 1,
  workers: 2,
  waiting: 0,
  limit: 50,
  residentBytes: 437_000_000,
};

const overviewExample = {
  at: '2026-11-21T08:00:00.000Z',
  server: statusExample,
  servers: [serverExample],
  banner: null,
  lastHour: {
    stepSeconds: 60,
    total: someFigures,
    steps: [
      { at: '2026-11-21T07:59:00.000Z', ...noFigures },
      { at: '2026-11-21T08:00:00.000Z', ...someFigures },
    ],
  },
  lastDay: {
    stepSeconds: 900,
    total: someFigures,
    steps: [{ at: '2026-11-21T08:00:00.000Z', ...someFigures }],
  },
};

export const getOverview = {
  method: 'GET',
  path: '/operator/v1/overview',
  schema: {
    operationId: 'getOverview',
    tags: ['service'],
    summary: 'State and figures of the service',
    description:
      'The state of the server that answers, and the figures of all servers for the last hour and day. It answers 200 ' +
      'also when something is missing.',
    security: byOperator,
    response: {
      200: jsonResponse(Overview, { description: 'The overview.', example: overviewExample }),
      ...readErrors,
    },
  },
} as const satisfies OperatorOperation;

export const getEvents = {
  method: 'GET',
  path: '/operator/v1/events',
  schema: {
    operationId: 'getEvents',
    tags: ['service'],
    summary: 'The overview as a stream',
    description:
      'Server-sent events. `overview`: data is an `Overview`, every two seconds, and at once when the maintenance mode ' +
      'changes on this server. `end`: the stream is about to end, data is `{"reason":"session"}` (it ended; sign in) ' +
      'or `{"reason":"draining"}` (connect again). Listening does not count as a use of the session.',
    security: byOperator,
    response: {
      200: {
        description: 'The stream.',
        headers: requestIdHeader,
        content: {
          'text/event-stream': {
            schema: Type.String({ description: 'Server-sent events of the HTML standard.' }),
          },
        },
      },
      ...readErrors,
    },
  },
} as const satisfies OperatorOperation;

export const getOperatorHealth = {
  method: 'GET',
  path: '/operator/v1/health',
  schema: {
    operationId: 'getOperatorHealth',
    tags: ['service'],
    summary: 'The state of this server, in detail',
    description: 'It answers 200 also when something is missing, and says what.',
    security: byOperator,
    response: {
      200: jsonResponse(ServiceStatus, { description: 'The state of this server.', example: statusExample }),
      ...readErrors,
    },
  },
} as const satisfies OperatorOperation;
