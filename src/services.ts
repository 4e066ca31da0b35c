/** The composition root: builds everything the application stands on, and closes it in phases. */
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import type { Redis } from 'ioredis';
import type { Logger } from 'pino';
import type { Config } from './config.ts';
import { Converter } from './convert/converter.ts';
import { Probe } from './convert/probe.ts';
import { defaultJobsFolder, Workspaces } from './convert/workspace.ts';
import { ColdEngine } from './engine/cold-engine.ts';
import type { Engine } from './engine/engine.ts';
import { KitEngine } from './engine/kit-engine.ts';
import { Queue } from './engine/queue.ts';
import { KeyStore } from './keys/store.ts';
import { Lifecycle } from './lifecycle.ts';
import { kitFiles, packageFile } from './paths.ts';
import { openRedis } from './redis/open.ts';

export interface Services {
  readonly config: Config;
  readonly log: Logger;
  readonly version: string;
  readonly lifecycle: Lifecycle;
  readonly redis: Redis;
  readonly keys: KeyStore;
  readonly workspaces: Workspaces;
  readonly engine: Engine;
  readonly converter: Converter;
  readonly probe: Probe;

  /** Starts the engine and proves it with a conversion. @throws OperatorError when it does not start. */
  warmUp(): Promise<void>;

  /** Ends what is left, in the reverse order of the start. Idempotent. */
  close(): Promise<void>;
}

/** How long the probe's document may take, queue included. */
const PROBE_TIMEOUT_MS = 20_000;

/**
 * Opens Redis and the job folders, and builds the rest on them.
 *
 * @throws OperatorError when this machine lacks something or a folder is in use.
 */
export async function openServices(config: Config, log: Logger): Promise<Services> {
  const { version } = JSON.parse(readFileSync(packageFile, 'utf8')) as { version: string };
  const lifecycle = new Lifecycle();
  const scope = createHash('sha256').update(config.dataDir).digest('hex').slice(0, 12);
  const workspaces = await Workspaces.open(
    config.jobsDir ?? (await defaultJobsFolder(config.dataDir, scope)),
    config.uploadLimit + config.queueLimit + config.workers,
  );
  const redis = await openRedis(config, log, 'service').catch(async (error) => {
    await workspaces.close();
    throw error;
  });
  const engine = createEngine(config, workspaces.engineFolder, log);
  const queue = new Queue({
    workers: config.workers,
    limit: config.queueLimit,
    timeoutMs: config.queueTimeoutMs,
  });
  const converter = new Converter({ engine, queue, timeoutMs: config.convertTimeoutMs });
  const probe = new Probe({
    converter,
    workspaces,
    document: kitFiles.sampleDocument,
    intervalMs: config.healthIntervalMs,
    timeoutMs: PROBE_TIMEOUT_MS,
    log,
  });

  const closeAll = async () => {
    const phases = [() => probe.stop(), () => engine.stop(), () => workspaces.close(), () => redis.close()];
    const failures: unknown[] = [];
    // One that fails must not keep the others from ending what they own.
    for (const phase of phases) await phase().catch((error: unknown) => failures.push(error));
    if (failures.length > 0) throw new AggregateError(failures, 'not everything could be closed');
  };
  let closed: Promise<void> | undefined;
  return {
    config,
    log,
    version,
    lifecycle,
    redis: redis.client,
    keys: new KeyStore(redis.client),
    workspaces,
    engine,
    converter,
    probe,
    async warmUp() {
      await engine.start();
      await probe.start();
    },
    close() {
      closed ??= closeAll();
      return closed;
    },
  };
}

/** The kit, unless the operator chose the cold engine or the kit could not be built here. */
function createEngine(config: Config, folder: string, log: Logger): Engine {
  if (config.engine === 'cold') return new ColdEngine();
  if (!existsSync(kitFiles.binary)) {
    log.warn(
      'the kit is not built, so every document starts its own soffice, which takes about a second; to build it: ' +
        'apt-get install gcc libc6-dev make libreofficekit-dev && npm run build',
    );
    return new ColdEngine();
  }
  return new KitEngine({
    folder,
    workers: config.workers,
    jobMemoryBytes: config.jobMemoryBytes,
    jobCpuMs: config.convertTimeoutMs,
    maxDocuments: config.kitMaxDocuments,
    log,
  });
}
