/**
 * Egress: the only process that connects to addresses that clients choose. It can use the queues in Redis and the storage, but
 * no keys and bills. docs/security.md says why it is separate.
 */
import { mkdir } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import type { Config } from '../config.ts';
import { Workspaces, workFolders } from '../convert/workspace.ts';
import { FetchedBytes } from '../jobs/fetched-bytes.ts';
import { HeldAccounts } from '../jobs/held-accounts.ts';
import { MAX_JOB_BYTES } from '../jobs/job.ts';
import { JobQueues, openFetches } from '../jobs/job-queues.ts';
import { readNetwork } from '../outbound/addresses.ts';
import { GuardedClient } from '../outbound/guarded-client.ts';
import { connectRedis, type RedisClient } from '../redis/connect.ts';
import { EgressPulse, PULSE_MS } from '../redis/egress-pulse.ts';
import { runningRedis } from '../redis/open.ts';
import { Slots } from '../redis/slots.ts';
import { openJobStorage } from '../storage/open.ts';
import type { Log } from '../system/log.ts';
import { openTelemetry } from '../telemetry/open.ts';
import { openDeliveries } from '../webhooks/deliver.ts';
import { type FetchesOptions, fetchDocument } from './fetches.ts';

/** How long running work may take when the process stops. What is not finished is fetched or sent again. */
const CLOSE_MS = 10_000;
/** Time until Redis is tried again after a failure. */
const OUTAGE_MS = 1_000;
/** How long one attempt to fetch a document may take. */
const FETCH_TIMEOUT_MS = 60_000;
const USER_AGENT = 'Platen';
/** Shares of the places for documents in arrival: of one account, and of one account at one host. */
const ACCOUNT_SHARE = 1 / 2;
const HOST_SHARE = 1 / 3;

/** Overridden in tests. */
export interface EgressOptions {
  readonly openStorage?: typeof openJobStorage;
  /** Largest total size of a job's documents, in bytes. */
  readonly maxJobBytes?: number;
}

export interface Egress {
  /** Takes no new work, waits up to ten seconds each for deliveries and for fetches, and closes its connections. Idempotent. */
  close(): Promise<void>;
}

/**
 * Starts to work on the queues.
 *
 * @throws OperatorError if Redis or the storage cannot be used.
 */
export async function openEgress(
  config: Config,
  log: Log,
  { openStorage = openJobStorage, maxJobBytes = MAX_JOB_BYTES }: EgressOptions = {},
): Promise<Egress> {
  /** What is open, the last opened first. */
  const phases: Phase[] = [];
  const close = async () => {
    for (const phase of phases.splice(0)) await phase();
  };
  try {
    const { telemetry: settings } = config;
    // Traces only: servers count its work.
    const telemetry = await openTelemetry(
      settings?.traces ? { ...settings, metrics: undefined } : undefined,
      log,
    );
    phases.unshift(async () => telemetry?.close());
    const { client: redis, close: disconnect } = await connectRedis({ target: runningRedis(config), log });
    phases.unshift(async () => disconnect());
    const outbound = new GuardedClient({
      allowHttp: config.egressAllowHttp,
      allowNetworks: config.egressAllowNetworks.map(readNetwork),
      userAgent: USER_AGENT,
    });
    const storage = await openStorage(config, log);
    if (storage) await openFetching({ config, log, redis, outbound, storage, maxJobBytes }, phases);
    const deliveries = await openDeliveries(redis, log, outbound);
    phases.unshift(() => Promise.race([deliveries.close(), delay(CLOSE_MS, undefined, { ref: false })]));
  } catch (error) {
    await close();
    throw error;
  }
  let closed: Promise<void> | undefined;
  return {
    close() {
      closed ??= close();
      return closed;
    },
  };
}

type Phase = () => Promise<unknown>;

interface Fetching extends Pick<FetchesOptions, 'outbound' | 'storage' | 'log'> {
  readonly config: Config;
  readonly redis: RedisClient;
  readonly maxJobBytes: number;
}

/** Starts to fetch documents, and to report that it does. */
async function openFetching(
  { config, log, redis, outbound, storage, maxJobBytes }: Fetching,
  phases: Phase[],
): Promise<void> {
  phases.unshift(async () => storage.close());
  const workspaces = await openWorkspaces(config, log);
  phases.unshift(() => workspaces.close());
  const queues = new JobQueues(redis);
  phases.unshift(() => queues.close());
  const counted = new Map<string, number>();
  const places = config.egressFetches;
  const bounds = { account: Math.ceil(places * ACCOUNT_SHARE), host: Math.ceil(places * HOST_SHARE) };
  const slots = new Slots({ places, bounds, promote: (id) => queues.promoteFetch(id) });
  phases.unshift(async () => slots.close());
  const options: FetchesOptions = {
    outbound,
    storage,
    queues,
    slots,
    held: new HeldAccounts(redis),
    workspaces,
    log,
    bytes: new FetchedBytes(redis),
    limits: { timeoutMs: FETCH_TIMEOUT_MS, maxBytes: config.maxFileBytes, maxJobBytes },
    counted: (outcome) => void counted.set(outcome, (counted.get(outcome) ?? 0) + 1),
  };
  const fetches = await openFetches(redis, log, places, (entry, token) =>
    fetchDocument(entry, options, token),
  );
  phases.unshift(() => fetches.close(CLOSE_MS));
  const pulse = beat(new EgressPulse(redis), counted, log);
  phases.unshift(() => pulse.stop());
}

/** Documents in arrival are stored beside those of a server on this machine. */
async function openWorkspaces(config: Config, log: Log): Promise<Workspaces> {
  await mkdir(config.dataDir, { recursive: true, mode: 0o700 });
  return Workspaces.openFirst(await workFolders(config), config.egressFetches, log);
}

/** Reports that this process lives, until it is stopped. */
function beat(pulse: EgressPulse, counted: Map<string, number>, log: Log): { stop(): Promise<void> } {
  const stopping = new AbortController();
  const { signal } = stopping;
  const beating = (async () => {
    for (;;) {
      const counts = new Map(counted);
      counted.clear();
      const failed = await pulse.beat(counts).then(
        () => false,
        (error: Error) => {
          log.debug({ cause: error.message }, 'no sign of life could be given');
          return true;
        },
      );
      // The last report has what was counted since the one before.
      if (signal.aborted) return;
      await delay(failed ? OUTAGE_MS : PULSE_MS, undefined, { signal }).catch(() => {});
    }
  })();
  return {
    async stop() {
      stopping.abort();
      await beating;
    },
  };
}
