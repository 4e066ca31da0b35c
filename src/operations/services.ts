/** What operations work with. */
import { Conversions } from '../accounts/billing/conversions.ts';
import { Usage } from '../accounts/billing/usage.ts';
import { Rotation } from '../accounts/keys/rotation.ts';
import { KeyStore } from '../accounts/keys/store.ts';
import type { Plans } from '../accounts/plans/plans.ts';
import type { Config } from '../config.ts';
import { HeldAccounts } from '../jobs/held-accounts.ts';
import type { JobRef } from '../jobs/job.ts';
import type { JobQueues } from '../jobs/job-queues.ts';
import type { JobRecords } from '../jobs/job-records.ts';
import { invitationMail } from '../members/invitation-mail.ts';
import type { OperatorRole } from '../members/member.ts';
import { Members } from '../members/members.ts';
import { memberRealm, operatorRealm } from '../members/realm.ts';
import type { Audit } from '../operator/audit.ts';
import { Directory } from '../operator/directory.ts';
import { RecentRequests } from '../operator/requests.ts';
import { Banner } from '../redis/banner.ts';
import type { RedisClient } from '../redis/connect.ts';
import { Maintenance } from '../redis/maintenance.ts';
import type { ObjectStore } from '../storage/object-store.ts';
import type { Log } from '../system/log.ts';
import { ContactStore } from '../webhooks/contacts.ts';
import { Webhooks } from '../webhooks/webhooks.ts';

/** Jobs, of a server or a command. */
export interface OperationJobs {
  readonly records: JobRecords;
  readonly queues: JobQueues;
  /** Undefined in a command, which shows no results. */
  readonly storage?: ObjectStore;
  cancel(job: JobRef): Promise<boolean>;
}

export interface OperationServices {
  readonly config: Pick<
    Config,
    'publicUrl' | 'dashboardUrl' | 'egressAllowHttp' | 'egressAllowNetworks' | 'mail'
  >;
  readonly redis: RedisClient;
  readonly keys: KeyStore;
  readonly rotation: Rotation;
  readonly audit: Audit;
  readonly plans: Plans;
  readonly directory: Directory;
  readonly held: HeldAccounts;
  readonly requests: RecentRequests;
  /** Undefined where there are none. */
  readonly jobs: OperationJobs | undefined;
  readonly maintenance: Maintenance;
  readonly banner: Banner;
  /** Who watches the service is told what has changed; undefined where nobody can. */
  readonly feed?: { tellNow(): void };
  readonly usage: Usage;
  readonly conversions: Conversions;
  readonly contacts: ContactStore;
  readonly webhooks: Webhooks;
  readonly members: Members;
  readonly operators: Members<OperatorRole>;
}

/** For processes that serve no requests: the commands. */
export function openOperations(ground: {
  readonly config: OperationServices['config'];
  readonly redis: RedisClient;
  readonly plans: Plans;
  readonly audit: Audit;
  readonly log: Log;
  readonly jobs?: OperationJobs;
}): OperationServices {
  const { config, redis, plans, audit, log, jobs } = ground;
  const keys = new KeyStore(redis, plans);
  return {
    config,
    redis,
    keys,
    audit,
    plans,
    rotation: new Rotation(redis, keys),
    directory: new Directory({ redis, plans, keys }),
    held: new HeldAccounts(redis),
    jobs,
    maintenance: new Maintenance(redis),
    banner: new Banner(redis),
    usage: new Usage(redis),
    conversions: new Conversions(redis),
    contacts: new ContactStore(redis, keys),
    webhooks: new Webhooks(redis),
    requests: new RecentRequests(redis, log),
    members: new Members(redis, memberRealm, audit, invitationMail(redis, memberRealm, config, log)),
    operators: new Members(redis, operatorRealm, audit, invitationMail(redis, operatorRealm, config, log)),
  };
}
