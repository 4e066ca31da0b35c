/** The composition root: builds everything the application stands on, and closes it in phases. */
import { mkdir } from 'node:fs/promises';
import type { Logger } from 'pino';
import { Billing } from './accounts/billing/billing.ts';
import { CheckedSettlement } from './accounts/billing/checked-settlement.ts';
import { Conversions } from './accounts/billing/conversions.ts';
import { Claims } from './accounts/billing/idempotency.ts';
import { type MonthUse, Settlement } from './accounts/billing/settlement.ts';
import { Usage } from './accounts/billing/usage.ts';
import { KeyLocator } from './accounts/keys/locate.ts';
import { Rotation } from './accounts/keys/rotation.ts';
import { KeyStore } from './accounts/keys/store.ts';
import { Admission } from './accounts/limits/admission.ts';
import { Retention } from './accounts/limits/retention.ts';
import { type Plans, readPlans } from './accounts/plans/plans.ts';
import type { Config } from './config.ts';
import type { Combiner } from './convert/combiner.ts';
import type { Converter } from './convert/converter.ts';
import { type ConversionParts, openConverter, openWorkspaces } from './convert/open.ts';
import { PoisonMemory } from './convert/poison.ts';
import { Probe } from './convert/probe.ts';
import type { Readers } from './convert/reading/readers.ts';
import { jobIntakeMs, longestConversionMs, silentMs } from './convert/time-limits.ts';
import type { Workspaces } from './convert/workspace.ts';
import type { Engine } from './engine/engine.ts';
import { checkSandbox } from './engine/sandbox.ts';
import { OperatorError } from './errors.ts';
import { HeldAccounts } from './jobs/held-accounts.ts';
import { Jobs, type JobsOptions } from './jobs/jobs.ts';
import { invitationMail } from './members/invitation-mail.ts';
import type { OperatorRole } from './members/member.ts';
import { Members } from './members/members.ts';
import { OidcSignIn } from './members/oidc.ts';
import { OidcLogout } from './members/oidc-logout.ts';
import { memberRealm, operatorRealm, sessionsKeyIn } from './members/realm.ts';
import { SignIn } from './members/sign-in.ts';
import { Audit } from './operator/audit.ts';
import { Directory } from './operator/directory.ts';
import { Removal } from './operator/removal.ts';
import { RecentRequests } from './operator/requests.ts';
import { Servers } from './operator/servers.ts';
import { operatorSessions, type Sessions } from './operator/sessions.ts';
import { Statistics } from './operator/statistics.ts';
import { EMBEDDED, egressProgram, kitFiles } from './paths.ts';
import type { Queue } from './queue/queue.ts';
import { Banner } from './redis/banner.ts';
import { type RedisClient, type RedisWaits, redisWaits } from './redis/connect.ts';
import { EgressPulse } from './redis/egress-pulse.ts';
import { Maintenance } from './redis/maintenance.ts';
import { openRedis } from './redis/open.ts';
import { WriteCheck } from './redis/writable.ts';
import { openJobStorage } from './storage/open.ts';
import { Lifecycle } from './system/lifecycle.ts';
import { OperatorToken } from './system/operator-token.ts';
import { SupervisedProcess } from './system/supervised-process.ts';
import { readVersion } from './system/version.ts';
import { openTelemetry, type Telemetry } from './telemetry/open.ts';
import { ContactStore } from './webhooks/contacts.ts';
import { WarningMails } from './webhooks/warning-mails.ts';
import { Warnings } from './webhooks/warnings.ts';
import { Webhooks } from './webhooks/webhooks.ts';

export interface Services {
  readonly config: Config;
  readonly log: Logger;
  readonly version: string;
  readonly lifecycle: Lifecycle;
  readonly redis: RedisClient;
  /** How long a request waits for Redis, in milliseconds. */
  readonly redisWaitMs: number;
  readonly plans: Plans;
  readonly keys: KeyStore;
  readonly locator: KeyLocator;
  readonly rotation: Rotation;
  readonly admission: Admission;
  readonly settlement: CheckedSettlement;
  readonly billing: Billing;
  readonly claims: Claims;
  readonly conversions: Conversions;
  readonly usage: Usage;
  readonly maintenance: Maintenance;
  readonly pulse: EgressPulse;
  readonly writeCheck: WriteCheck;
  readonly workspaces: Workspaces;
  readonly engine: Engine;
  readonly queue: Queue;
  /** Undefined if turned off. */
  readonly poison: PoisonMemory | undefined;
  readonly readers: Readers;
  readonly converter: Converter;
  readonly combiner: Combiner;
  /** Undefined where servers share a Redis and no storage. */
  readonly jobs: Jobs | undefined;
  readonly webhooks: Webhooks;
  readonly warnings: Warnings;
  /** Whom of accounts warnings go to by e-mail. */
  readonly contacts: ContactStore;
  /** Removes accounts whose time is over. */
  readonly removal: Removal;
  /** Connects to addresses that clients choose; undefined: another process does, or none. */
  readonly egress: SupervisedProcess | undefined;
  readonly probe: Probe;
  readonly operatorToken: OperatorToken;
  readonly sessions: Sessions;
  readonly audit: Audit;
  readonly members: Members;
  /** Signing in of members. */
  readonly signIn: SignIn;
  /** Undefined where no issuer is set. */
  readonly oidc: OidcSignIn | undefined;
  /** Operators with a name, and how they sign in. */
  readonly operators: Members<OperatorRole>;
  readonly operatorSignIn: SignIn<OperatorRole>;
  readonly operatorOidc: OidcSignIn<OperatorRole> | undefined;
  readonly oidcLogout: OidcLogout | undefined;
  readonly directory: Directory;
  /** Whose jobs wait, as their accounts are suspended or will be deleted. */
  readonly held: HeldAccounts;
  readonly statistics: Statistics;
  /** All servers on this Redis. */
  readonly servers: Servers;
  /** What all customers are shown. */
  readonly banner: Banner;
  readonly requests: RecentRequests;
  /** Undefined: nothing is sent. */
  readonly telemetry: Telemetry | undefined;

  /** Starts the engine, and proves it with a conversion. @throws OperatorError when it does not start. */
  warmUp(): Promise<void>;

  /** Closes everything, in reverse order of the start. Idempotent. */
  close(): Promise<void>;
}

/** Not settings: overridden in tests. */
interface ServicesOptions extends Omit<ConversionParts, 'poison'> {
  /** Opens where jobs keep their inputs and results. */
  readonly openStorage?: typeof openJobStorage;
  readonly waits?: RedisWaits;
}

/** Time limit of the probe's document, including the queue. */
const PROBE_TIMEOUT_MS = 20_000;
/** Memory of the process that connects to others' addresses: it keeps no document in it. */
const EGRESS_HEAP_MB = 192;
/** Variables of the service that egress does not need. All of OIDC_*, as some alone would be refused. */
const NOT_FOR_EGRESS = /^(OIDC_.*|(OPERATOR_TOKEN|SMTP_URL)(_FILE)?)$/;
/** Longer than it waits for deliveries and fetches. */
const EGRESS_PATIENCE_MS = 25_000;

/** What every part stands on. */
interface Ground {
  readonly config: Config;
  readonly log: Logger;
  readonly redis: RedisClient;
  /** Is given functions that close what is open, to be called in reverse order. */
  readonly closing: (close: () => Promise<void>) => void;
}

/**
 * Opens Redis and the job folders, and builds the rest on them.
 *
 * @throws OperatorError when this machine lacks something, a folder is in use, or an account's plan does not exist.
 */
export async function openServices(
  config: Config,
  log: Logger,
  options: ServicesOptions = {},
): Promise<Services> {
  /** Functions that close what is open, the last opened first. */
  const phases: (() => Promise<void>)[] = [];
  let closed: Promise<void> | undefined;
  const close = () => (closed ??= closeAll(phases));
  try {
    const parts = await open(config, log, (phase) => phases.unshift(phase), options);
    return { ...parts, close };
  } catch (error) {
    await close();
    throw error;
  }
}

async function open(
  config: Config,
  log: Logger,
  closing: Ground['closing'],
  { openStorage = openJobStorage, waits = redisWaits, ...parts }: ServicesOptions,
): Promise<Omit<Services, 'close'>> {
  const plans = readPlans(config.plansFile);
  // Closed last, when everything that it tells of has ended.
  const telemetry = await openTelemetry(config.telemetry, log);
  closing(async () => telemetry?.close());
  await makeDataFolder(config.dataDir);
  const workspaces = await openWorkspaces(config, log);
  closing(() => workspaces.close());
  const opened = await openRedis(config, log, 'service', waits);
  closing(() => opened.close());
  const redis = opened.client;

  const ground: Ground = { config, log, redis, closing };
  const accounts = await openAccounts(ground, plans);
  const { keys, audit, operatorToken } = accounts;
  const people = openPeople(ground, operatorToken, audit);
  const records = openRecords(ground);
  const notices = openNotices(ground, keys, plans);
  const counted = (use: MonthUse) => notices.warnings.counted(use);
  const billing = openBilling(ground, counted);
  const { poisonMemorySeconds: seconds } = config;
  const poison = seconds === 0 ? undefined : new PoisonMemory(redis, { seconds, log });
  const conversion = await openConverter(config, workspaces, log, closing, { ...parts, poison });
  const lifecycle = new Lifecycle();
  const maintenance = new Maintenance(redis);
  const storage = await openStorage(config, log);
  const jobs =
    storage &&
    openJobs(ground, {
      ...conversion,
      storage,
      workspaces,
      maintenance,
      lifecycle,
      statistics: records.statistics,
      webhooks: notices.webhooks,
      // Unchecked: if Redis loses the settlement of a file, it loses the file's end, too, which is in the same slot. Then the
      // file runs again, and is settled if that makes a PDF.
      settlement: new Settlement(redis, counted),
    });
  const removal = new Removal({
    redis,
    keys,
    jobs,
    webhooks: notices.webhooks,
    requests: records.requests,
    audit,
    log,
    others: [(account) => people.members.forget(account)],
  });
  closing(() => removal.close());
  const egress = config.hasEgress ? createEgress(config, log) : undefined;
  if (egress) closing(() => egress.stop());
  const probe = new Probe({
    converter: conversion.converter,
    workspaces,
    document: kitFiles.sampleDocument,
    intervalMs: config.healthIntervalMs,
    timeoutMs: PROBE_TIMEOUT_MS,
    log,
  });
  closing(() => probe.stop());

  return {
    config,
    log,
    lifecycle,
    redis,
    plans,
    telemetry,
    version: readVersion(),
    redisWaitMs: waits.requestMs,
    ...accounts,
    ...people,
    ...records,
    ...notices,
    ...billing,
    ...conversion,
    poison,
    workspaces,
    jobs,
    maintenance,
    removal,
    egress,
    probe,
    pulse: new EgressPulse(redis),
    writeCheck: new WriteCheck(redis),
    servers: new Servers(redis),
    banner: new Banner(redis),
    async warmUp() {
      const { engine } = conversion;
      await engine.start();
      checkSandbox(engine.status().sandbox, config.sandbox, log);
      await probe.start();
    },
  };
}

/** Accounts, their keys and limits, and what operators do with them. */
async function openAccounts({ config, redis, log, closing }: Ground, plans: Plans) {
  const keys = new KeyStore(redis, plans);
  await keys.assertPlansExist();
  const retention = new Retention(redis, log);
  closing(() => retention.stop());
  void retention.start();
  const operatorToken = await OperatorToken.open(config.operatorToken, config.dataDir, log);
  const audit = new Audit(redis, log);
  return {
    keys,
    locator: new KeyLocator(redis),
    rotation: new Rotation(redis, keys),
    admission: new Admission(redis, { plans, reservationMs: longestConversionMs(config) }),
    operatorToken,
    sessions: operatorSessions(redis, operatorToken, (subject) => sessionsKeyIn(operatorRealm, subject)),
    audit,
    directory: new Directory({ redis, plans, keys }),
    held: new HeldAccounts(redis),
  };
}

/** Who signs in: members of accounts, and operators. */
function openPeople({ config, redis, log }: Ground, operatorToken: OperatorToken, audit: Audit) {
  const members = new Members(redis, memberRealm, audit, invitationMail(redis, memberRealm, config, log));
  const operators = new Members(
    redis,
    operatorRealm,
    audit,
    invitationMail(redis, operatorRealm, config, log),
  );
  const secret = operatorToken.tie('challenges of passkeys');
  const signIn = new SignIn(redis, { members, audit, secret, log });
  const operatorSecret = operatorToken.tie('challenges of passkeys of operators');
  const operatorSignIn = new SignIn(redis, { members: operators, audit, secret: operatorSecret, log });
  const known = { members, signIn, operators, operatorSignIn };
  const { oidc: settings } = config;
  if (!settings) return { ...known, oidc: undefined, operatorOidc: undefined, oidcLogout: undefined };
  const shared = { settings, audit, log };
  const oidc = new OidcSignIn(redis, { ...shared, origin: settings.publicUrl, members, signIn, secret });
  const operatorOidc = new OidcSignIn(redis, {
    ...shared,
    origin: config.dashboardUrl ?? settings.publicUrl,
    members: operators,
    signIn: operatorSignIn,
    secret: operatorSecret,
  });
  return { ...known, oidc, operatorOidc, oidcLogout: new OidcLogout(redis, oidc, operatorOidc) };
}

/** What operators see of requests. */
function openRecords({ redis, log, closing }: Ground) {
  const statistics = new Statistics(redis, log);
  closing(() => statistics.close());
  const requests = new RecentRequests(redis, log);
  closing(() => requests.close());
  return { statistics, requests };
}

/** What accounts are told of, by webhook or e-mail. */
function openNotices({ config, redis, log, closing }: Ground, keys: KeyStore, plans: Plans) {
  const webhooks = new Webhooks(redis);
  closing(() => webhooks.close());
  const contacts = new ContactStore(redis, keys);
  const mails = config.mail && new WarningMails({ redis, contacts, settings: config.mail, log });
  const warnings = new Warnings({ redis, webhooks, keys, plans, mails, log });
  closing(() => warnings.close());
  return { webhooks, contacts, warnings };
}

function openBilling({ redis, log, closing }: Ground, counted: (use: MonthUse) => void) {
  const settlement = new CheckedSettlement(redis, { log, counted });
  // After billing, which still settles when it closes.
  closing(() => settlement.close());
  const billing = new Billing(settlement, log);
  closing(() => billing.close());
  return {
    settlement,
    billing,
    claims: new Claims(redis, log),
    conversions: new Conversions(redis),
    usage: new Usage(redis),
  };
}

interface JobParts
  extends Pick<JobsOptions, 'storage' | 'converter' | 'combiner' | 'workspaces' | 'queue' | 'maintenance'> {
  readonly settlement: Settlement;
  readonly webhooks: Webhooks;
  readonly statistics: Statistics;
  readonly lifecycle: Lifecycle;
}

/** Jobs, which end when the service drains. */
function openJobs(
  { config, redis, log, closing }: Ground,
  { statistics, lifecycle, ...parts }: JobParts,
): Jobs {
  const { storage } = parts;
  closing(async () => storage.close());
  const jobs = new Jobs({
    redis,
    log,
    ...parts,
    // Files wait on purpose; their waits would hide those of clients.
    count: (outcome) => statistics.record({ outcome, queueMs: undefined, convertMs: undefined }),
    retentionMs: config.jobRetentionMs,
    maxFileBytes: config.maxFileBytes,
    intakeMs: jobIntakeMs(config),
  });
  lifecycle.draining.addEventListener('abort', () => jobs.drain(), { once: true });
  closing(() => jobs.close(silentMs(config)));
  return jobs;
}

async function makeDataFolder(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 }).catch((cause: Error) => {
    throw new OperatorError(`the data folder (DATA_DIR) cannot be made: ${cause.message}`, { cause });
  });
}

/** Runs all phases, even if one fails. */
async function closeAll(phases: readonly (() => Promise<void>)[]): Promise<void> {
  const failures: unknown[] = [];
  for (const phase of phases) await phase().catch((error: unknown) => failures.push(error));
  if (failures.length > 0) throw new AggregateError(failures, 'not everything could be closed');
}

/** A process of its own, without secrets that it does not need. */
function createEgress({ dataDir }: Config, log: Logger): SupervisedProcess {
  const variables = Object.entries(process.env).filter(([name]) => !NOT_FOR_EGRESS.test(name));
  return new SupervisedProcess({
    name: 'egress',
    // The folder only tells people whose process it is.
    command: [process.execPath, `--max-old-space-size=${EGRESS_HEAP_MB}`, egressProgram, EMBEDDED, dataDir],
    env: Object.fromEntries(variables),
    patienceMs: EGRESS_PATIENCE_MS,
    log,
  });
}
