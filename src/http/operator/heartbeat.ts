/** Reports the state of this server to the others while it runs. */
import type { Server } from 'node:net';
import fp from 'fastify-plugin';
import { BEAT_MS, type ServerState, type Servers } from '../../operator/servers.ts';
import { readStatus, type ServiceStatus, type StatusSources } from './status.ts';

interface HeartbeatOptions {
  readonly sources: StatusSources;
  readonly servers: Servers;
}

export const heartbeat = fp<HeartbeatOptions>(
  async (app, { sources, servers }) => {
    let beating: Promise<void> | undefined;
    const beat = () => {
      beating ??= readStatus(sources)
        .then((status) => servers.beat(stateOf(status, portOf(app.server.address()))))
        .catch((error: Error) => app.log.debug({ cause: error.message }, 'no sign of life could be given'))
        .finally(() => {
          beating = undefined;
        });
    };
    let timer: NodeJS.Timeout | undefined;
    app.addHook('onReady', async () => {
      beat();
      timer = setInterval(beat, BEAT_MS).unref();
    });
    app.addHook('onListen', async () => {
      await beating;
      beat();
    });
    app.addHook('onClose', async () => {
      clearInterval(timer);
      await beating;
      await servers.leave().catch(() => {});
    });
  },
  { name: 'heartbeat' },
);

function portOf(address: ReturnType<Server['address']>): number | null {
  return typeof address === 'object' && address !== null ? address.port : null;
}

function stateOf(status: ServiceStatus, port: number | null): ServerState {
  const { startedAt, version, phase, problem, engine, queue, residentBytes } = status;
  return {
    at: new Date().toISOString(),
    startedAt,
    version,
    port,
    phase,
    status: status.status,
    problem,
    libreOffice: engine.libreOffice,
    running: queue.running,
    workers: queue.workers,
    waiting: queue.waiting,
    limit: queue.limit,
    residentBytes: Object.values(residentBytes).reduce((sum, bytes) => sum + bytes, 0),
  };
}
