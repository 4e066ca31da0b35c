/**
 * The service in the test's process, with a stub for the engine. Its Redis and its connections are real, because
 * tests include clients that leave, interrupt or close, which `inject` cannot do. A request still takes
 * milliseconds only.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { Cluster } from 'ioredis';
import type { Test } from 'tap';
import type { Environment, KeyType } from '../../src/accounts/keys/format.ts';
import { type Permission, permissionsOf } from '../../src/accounts/keys/records.ts';
import { buildApp } from '../../src/app.ts';
import { readConfig } from '../../src/config.ts';
import { type InstalledFonts, readInstalledFonts } from '../../src/convert/fonts/installed-fonts.ts';
import { createAccount, resumeAccount, setPlan, suspendAccount } from '../../src/operations/accounts.ts';
import { createKey, revokeKey, rotateKey } from '../../src/operations/keys.ts';
import { openOperations } from '../../src/operations/services.ts';
import { Audit } from '../../src/operator/audit.ts';
import type { RedisClient, RedisWaits } from '../../src/redis/connect.ts';
import { openServices, type Services } from '../../src/services.ts';
import { FolderStore } from '../../src/storage/folder-store.ts';
import type { ObjectStore } from '../../src/storage/object-store.ts';
import { openLog } from '../../src/system/log.ts';
import { run } from '../cli/support.ts';
import { patientClient, redisDatabase } from '../redis/support.ts';
import { operationsAs } from './operations.ts';
import { type LogLine, openJobs } from './server.ts';
import { StubEngine } from './stub-engine.ts';
import { until } from './until.ts';

/** Actor of the tests' actions in the audit. */
const actor = { by: 'cli', who: 'test' } as const;

/** What a key has in place of the usual. */
export interface TestKey {
  readonly account?: string;
  readonly name?: string;
  readonly environment?: Environment;
  readonly type?: KeyType;
  readonly permissions?: readonly Permission[];
  readonly ipRestrictions?: readonly string[];
  readonly origins?: readonly string[];
  readonly expiresAt?: Date;
}

export interface ServiceOptions {
  /** Environment, in the form of the built service. */
  readonly env?: Readonly<Record<string, string>>;
  /** The engine. */
  readonly engine?: StubEngine;
  /** As in REDIS_URL; by default a database of the service's own. */
  readonly redis?: string;
  /** How long it waits for Redis; by default longer than any delay of a busy machine, so that nothing else fails. */
  readonly waits?: RedisWaits;
  /** Whether it can keep jobs; true by default. */
  readonly hasStorage?: boolean;
  /** Where; by default in a folder. */
  readonly storage?: ObjectStore;
}

const MINUTE_MS = 60_000;
const patient: RedisWaits = { requestMs: MINUTE_MS, commandMs: MINUTE_MS, silenceMs: 2 * MINUTE_MS };

let fonts: Promise<InstalledFonts> | undefined;

/** The fonts of this machine, which are the same for every service of a process. */
const knownFonts: typeof readInstalledFonts = (settings, folder) => {
  fonts ??= readInstalledFonts(settings, folder);
  return fonts;
};

/** The services of an application, with a stub for the engine. They end with the test. */
export async function testServices(
  t: Test,
  {
    env = {},
    engine = new StubEngine(),
    redis,
    waits = patient,
    hasStorage = true,
    storage,
    log,
  }: ServiceOptions & { log?: LogLine[] } = {},
): Promise<Services> {
  const dataDir = await mkdtemp(join(tmpdir(), 'platen-service-'));
  t.teardown(() => rm(dataDir, { recursive: true, force: true, maxRetries: 3 }));
  const settings = readConfig({
    DATA_DIR: dataDir,
    WORK_DIR: join(dataDir, 'jobs'),
    REDIS_URL: redis ?? (await redisDatabase(t)),
    HEALTH_INTERVAL_MS: '600000',
    LOG_LEVEL: 'debug',
    ...env,
  });
  // It shares its thread with the test.
  const config = { ...settings, maxEventLoopDelayMs: Number.POSITIVE_INFINITY };
  const logger = openLog(config.logLevel, { write: (line) => log?.push(JSON.parse(line)) });
  const openFolder = async () => (hasStorage ? FolderStore.open(join(dataDir, 'objects')) : undefined);
  const openStorage = async () => storage ?? openFolder();
  const options = { makeEngine: () => engine, openStorage, readFonts: knownFonts, waits };
  const services = await openServices(config, logger, options);
  t.teardown(() => services.close());
  return services;
}

export class Service {
  readonly services: Services;
  readonly app: FastifyInstance;
  readonly engine: StubEngine;
  /** Every log line so far. */
  readonly log: readonly LogLine[];
  readonly #env: Readonly<Record<string, string>>;
  /** Operations of the operator use a connection of their own, which waits for Redis as long as necessary. */
  readonly perform: ReturnType<typeof operationsAs>;
  /** Who the tests are in the audit. */
  readonly actor = actor;
  #account: Promise<{ id: string }> | undefined;

  private constructor(
    app: FastifyInstance,
    services: Services,
    redis: RedisClient,
    { engine, log, env = {} }: Pick<Service, 'engine' | 'log'> & Pick<ServiceOptions, 'env'>,
  ) {
    const { config, plans, log: serviceLog } = services;
    const ground = { config, redis, plans, log: serviceLog, audit: new Audit(redis, serviceLog) };
    this.perform = operationsAs(openOperations(ground), actor);
    this.app = app;
    this.services = services;
    this.engine = engine;
    this.log = log;
    this.#env = env;
  }

  /** Builds the service, which is then ready. It ends with the test. */
  static async start(t: Test, options: ServiceOptions = {}): Promise<Service> {
    const { engine = new StubEngine() } = options;
    const log: LogLine[] = [];
    const services = await testServices(t, { ...options, engine, log });
    const app = await buildApp(services);
    t.teardown(() => app.close());
    await app.listen({ host: '127.0.0.1', port: 0 });
    await services.warmUp();
    services.lifecycle.ready();
    services.jobs?.start();
    const isCluster = services.redis instanceof Cluster;
    const redis = isCluster
      ? services.redis
      : patientClient(t, { socketPath: String(services.config.redisUrl) });
    return new Service(app, services, redis, { ...options, engine, log });
  }

  /** Address that it listens on. */
  get url(): string {
    return `http://127.0.0.1:${(this.app.server.address() as AddressInfo).port}`;
  }

  get dataDir(): string {
    return this.services.config.dataDir;
  }

  /** The address of its Redis, as in REDIS_URL. */
  get redis(): string {
    return String(this.services.config.redisUrl);
  }

  /** A fresh account on this plan. */
  createAccount(id: string, plan: string) {
    return this.perform(createAccount, { body: { id, name: id, plan } });
  }

  /** The output of `platen …` on the same Redis, in a process of its own. */
  async cliText(...args: string[]): Promise<string> {
    const { PLANS_FILE } = this.#env;
    const env = { REDIS_URL: this.redis, ...(PLANS_FILE !== undefined && { PLANS_FILE }) };
    const { code, stdout, stderr } = await run(env, ...args);
    if (code !== 0) throw new Error(stderr);
    return stdout;
  }

  /** Its output as JSON. */
  async cli<T>(...args: string[]): Promise<T> {
    return JSON.parse(await this.cliText(...args, '--json')) as T;
  }

  setPlan(account: string, plan: string) {
    return this.perform(setPlan, { account: account, body: { plan: plan } });
  }

  /** Refuses the account's keys. */
  suspend(account: string) {
    return this.perform(suspendAccount, { account: account });
  }

  /** Ends that. */
  resume(account: string) {
    return this.perform(resumeAccount, { account: account });
  }

  /** A new secret live key of the service's one account, unless specified otherwise. */
  async createKey({ account, expiresAt, type = 'sk', ...settings }: TestKey = {}) {
    const usual = { name: 'test', environment: 'live', type, permissions: permissionsOf(type) } as const;
    const end = expiresAt && { expiresAt: expiresAt.toISOString() };
    return this.perform(createKey, {
      account: account ?? (await this.#ownAccount()).id,
      body: { ...usual, ...settings, ...end },
    });
  }

  #ownAccount(): Promise<{ id: string }> {
    this.#account ??= this.perform(createAccount, { body: { name: 'Test', plan: 'enterprise' } });
    return this.#account;
  }

  revokeKey(id: string) {
    return this.perform(revokeKey, { params: { key: id } });
  }

  /** The successor of a key. */
  rotateKey(id: string, overlapSeconds = 86_400) {
    return this.perform(rotateKey, { params: { key: id }, body: { overlapSeconds } });
  }

  /** The folders of documents in progress. */
  jobs(): Promise<string[]> {
    return openJobs(join(this.dataDir, 'jobs'));
  }

  /** Stops it like a signal: running requests finish, and none begins. */
  async drain(): Promise<void> {
    this.services.lifecycle.drain();
    await this.app.close();
  }

  /** The first log line, past or future, with this message that matches. */
  async logged(msg: string, fits: (line: LogLine) => boolean = () => true): Promise<LogLine> {
    const find = () => this.log.find((line) => line.msg === msg && fits(line));
    await until(`the log says "${msg}"`, () => find() !== undefined);
    return find() as LogLine;
  }
}
