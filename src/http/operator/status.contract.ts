/** The full state of a server. */
import { Type } from 'typebox';
import { words } from '../../operations/schema.ts';

const Count = Type.Integer({ minimum: 0 });
const Time = Type.String({ format: 'date-time' });
const Nothing = Type.Null();
const WaitingByClass = Type.Object({ live: Count, test: Count, public: Count, job: Count, probe: Count });
const Bytes = Type.Integer({ minimum: 0, description: 'Bytes.' });

export const ServerSummary = Type.Object(
  {
    id: Type.String({ description: 'Id of the server, new with each start.' }),
    host: Type.String({ description: 'Name of its machine or container.' }),
    isThis: Type.Boolean({ description: 'Whether it is the one that answers.' }),
    at: Time,
    startedAt: Time,
    version: Type.String(),
    phase: words(['starting', 'ready', 'draining']),
    status: words(['ok', 'unavailable'], { description: 'The answer of its /health: 200 or 503.' }),
    problem: Type.Union([Type.String(), Nothing], { description: 'What its /health reports as missing.' }),
    libreOffice: Type.Union([Type.String(), Nothing]),
    running: Type.Integer({ minimum: 0, description: 'Documents that it converts.' }),
    workers: Count,
    waiting: Type.Integer({ minimum: 0, description: 'Documents that wait.' }),
    limit: Type.Integer({ minimum: 0, description: 'Most documents that may wait.' }),
    residentBytes: Bytes,
  },
  { $id: 'ServerSummary', description: 'A server, as it said of itself a few seconds ago.' },
);

export const ServiceStatus = Type.Object(
  {
    status: words(['ok', 'unavailable'], { description: 'The answer of /health: 200 or 503.' }),
    problem: Type.Union([Type.String(), Nothing], { description: 'What /health reports as missing.' }),
    ready: Type.Boolean({ description: 'The answer of /health/ready.' }),
    phase: words(['starting', 'ready', 'draining']),
    version: Type.String(),
    node: Type.String({ description: 'Version of Node.' }),
    startedAt: Time,
    lastProof: Type.Union([Type.Object({ ok: Type.Boolean(), at: Time }), Nothing], {
      description: "The newest conversion that proves the service: a customer's or a probe.",
    }),
    maintenance: Type.Object({
      on: Type.Boolean(),
      since: Type.Union([Time, Nothing]),
      reason: Type.Union([Type.String(), Nothing], { description: 'What customers are told.' }),
      until: Type.Union([Time, Nothing], { description: 'When it is expected to end.' }),
    }),
    engine: Type.Object({
      engine: words(['kit', 'cold']),
      ready: Type.Boolean(),
      libreOffice: Type.Union([Type.String(), Nothing]),
      poppler: Type.Union([Type.String(), Nothing], {
        description:
          'Version of poppler, which draws pictures. `null`: it is missing, and `format=png` is refused.',
      }),
      pid: Type.Union([Count, Nothing]),
      restarts: Type.Integer({
        minimum: 0,
        description: 'Kits that were replaced because they died or hung.',
      }),
      renewals: Type.Integer({ minimum: 0, description: 'Kits that were replaced on purpose.' }),
      documentsPerChild: Type.Integer({
        minimum: 1,
        description: 'Documents of one account that a process may convert, one after the other.',
      }),
      children: Type.Object({ idle: Count, running: Count }),
      documents: Type.Integer({ minimum: 0, description: 'Documents whose conversion it began.' }),
    }),
    sandbox: Type.Array(
      Type.Object({
        name: Type.String(),
        active: Type.Boolean({ description: 'Whether it is active.' }),
        required: Type.Boolean({ description: 'Whether SANDBOX=required requires it.' }),
      }),
      { description: 'The sandbox layers around each document.' },
    ),
    queue: Type.Object({
      workers: Count,
      limit: Count,
      running: Count,
      waiting: Count,
      waitingByClass: WaitingByClass,
      arriving: Type.Integer({ minimum: 0, description: 'Uploads in progress.' }),
      oldestWaitMs: Type.Number({ minimum: 0 }),
    }),
    preflight: Type.Object(
      {
        threads: Count,
        running: Count,
        waitingByClass: WaitingByClass,
        oldestWaitMs: Type.Number({ minimum: 0 }),
      },
      {
        description:
          'Documents before the engine has them: being read, each in a process of its own, or waiting.',
      },
    ),
    redis: Type.Object({
      up: Type.Boolean({ description: 'It answers.' }),
      writable: Type.Boolean({ description: 'It accepts writes.' }),
      latencyMs: Type.Union([Type.Number(), Nothing], { description: 'Current round trip of one command.' }),
    }),
    billing: Type.Object({
      unbilled: Type.Integer({
        minimum: 0,
        description: 'Conversions since the start that Redis is not known to have counted.',
      }),
    }),
    residentBytes: Type.Object(
      { server: Bytes, kit: Bytes, child: Bytes, redis: Bytes, other: Bytes },
      { description: 'By process; pages that a kit shares with its children count in each.' },
    ),
  },
  { $id: 'ServiceStatus', description: 'State of the answering server.' },
);
