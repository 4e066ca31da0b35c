/** Tells the other servers how this one is, as long as it runs. */
import fp from 'fastify-plugin';
import { BEAT_MS, type ServerState, type Servers } from '../../operator/servers.ts';
import { readStatus, type ServiceStatus, type StatusSources } from './status.ts';

export interface HeartbeatOptions {
  readonly sources: StatusSources;
  readonly servers: Servers;
}

export const heartbeat = fp<HeartbeatOptions>(async (app, { sources, servers }) => {
  let beating: Promise<void> | undefined;
  const beat = () => {
    beating ??= readStatus(sources)
      .then((status) => servers.beat(stateOf(status)))
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
  app.addHook('onClose', async () => {
    clearInterval(timer);
    await beating;
    await servers.leave().catch(() => {});
  });
});

function stateOf(status: ServiceStatus): ServerState {
  const { startedAt, version, phase, problem, engine, queue, residentBytes } = status;
  return {
    at: new Date().toISOString(),
    ...{ startedAt, version, phase, status: status.status, problem, libreOffice: engine.libreOffice },
    ...{ running: queue.running, workers: queue.workers, waiting: queue.waiting, limit: queue.limit },
    residentBytes: Object.values(residentBytes).reduce((sum, bytes) => sum + bytes, 0),
  };
}
