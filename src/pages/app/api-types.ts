/** What the operator API answers: the types of its contract, and nothing of the server that runs. */
import type { Static } from 'typebox';
import type * as oidc from '../../http/console/oidc.contract.ts';
import type * as console from '../../http/console/session.contract.ts';
import type * as service from '../../http/operator/service.contract.ts';
import type * as session from '../../http/operator/session.contract.ts';
import type * as signIn from '../../http/operator/sign-in/bodies.contract.ts';
import type * as operatorSignIn from '../../http/operator/sign-in.contract.ts';
import type * as status from '../../http/operator/status.contract.ts';
import type * as accounts from '../../operations/accounts.ts';
import type * as audit from '../../operations/audit.ts';
import type * as contacts from '../../operations/contacts.ts';
import type * as conversions from '../../operations/conversion-schema.ts';
import type * as jobs from '../../operations/jobs.ts';
import type * as rotate from '../../operations/key-schema.ts';
import type * as keys from '../../operations/keys.ts';
import type * as members from '../../operations/members.ts';
import type * as own from '../../operations/own.ts';
import type * as requests from '../../operations/requests.ts';
import type * as told from '../../operations/service.ts';
import type * as usage from '../../operations/usage.ts';
import type * as endpoints from '../../operations/webhook-schema.ts';
import type * as webhooks from '../../operations/webhooks.ts';

export type Session = Static<typeof session.Session>;
export type OperatorRole = Session['role'];
export type OpenOperatorInvitation = Static<typeof operatorSignIn.OpenOperatorInvitation>;

export type Overview = Static<typeof service.Overview>;
export type Period = NonNullable<Overview['lastHour']>;
export type ServerSummary = Static<typeof status.ServerSummary>;
export type ServerStatus = Static<typeof status.ServiceStatus>;
export type Maintenance = Static<typeof told.Maintenance>;

export type BannerState = Static<typeof told.BannerState>;

export type PlanList = Static<typeof accounts.PlanList>;
export type Plan = PlanList['plans'][number];
export type Account = Static<typeof accounts.Account>;
export type AccountList = Static<typeof accounts.AccountList>;
export type AccountInUse = AccountList['accounts'][number];
export type Contacts = Static<typeof contacts.Contacts>;
export type AccountDetail = Static<typeof accounts.AccountDetail>;
export type OwnLimit = AccountDetail['ownLimits'][number];
export type LimitName = OwnLimit['limit'];
export type Usage = Static<typeof usage.Usage>;

export type Key = Static<typeof keys.Key>;
/** Who made something. */
export type Maker = Key['madeBy'];
export type KeyList = Static<typeof keys.KeyList>;
export type ExpiringKeys = Static<typeof keys.ExpiringKeys>;
export type KeyMatches = Static<typeof keys.KeyMatches>;
export type Environment = Key['environment'];
export type KeyType = Key['type'];
export type Permission = Key['permissions'][number];
/** The only answers with the key itself: of a new key, and of one that follows another. */
export type CreatedKey = Static<typeof keys.CreatedKey> &
  Partial<Pick<Static<typeof rotate.RotatedKey>, 'previous'>>;

export type RequestRecord = Static<typeof requests.RequestRecord>;
/** What a conversion had to report. */
export type Conversion = Static<typeof conversions.Conversion>;
export type RequestList = Static<typeof requests.RequestList>;

export type JobSummary = Static<typeof jobs.OperatorJobSummary>;
export type JobList = Static<typeof jobs.OperatorJobList>;
export type Job = Static<typeof jobs.OperatorJob>;

export type Webhook = Static<typeof webhooks.OperatorWebhook>;
export type WebhookList = Static<typeof webhooks.OperatorWebhookList>;
export type JobFile = Job['files'][number];

type Member = Static<typeof members.Member>;
export type Role = Member['role'];

export type ConsoleSession = Static<typeof console.ConsoleSession>;
export type OidcStart = Static<typeof signIn.OidcStart>;
export type OidcChoices = Static<typeof oidc.OidcChoices>;
export type OpenInvitation = Static<typeof console.OpenInvitation>;
export type PasskeyList = Static<typeof own.PasskeyList>;
export type Passkey = PasskeyList['passkeys'][number];
export type SessionList = Static<typeof own.SessionList>;
export type OwnSession = SessionList['sessions'][number];

/** Endpoints of the account of who is signed in: with their URLs. */
export type OwnWebhookList = Static<typeof webhooks.OwnWebhookList>;
export type OwnWebhook = OwnWebhookList['webhooks'][number];
export type WebhookEvent = OwnWebhook['events'][number];
export type WebhookSecret = Static<typeof endpoints.WebhookSecret>;
/** The only answer with an endpoint and its secret. */
export type CreatedWebhook = OwnWebhook & Pick<WebhookSecret, 'secret'>;
export type JobDeliveryList = Static<typeof webhooks.JobDeliveryList>;
type JobDelivery = JobDeliveryList['deliveries'][number];
/** A message with what was sent and what came back. */
export type Message = Static<typeof webhooks.Message>;
/** A message to an endpoint. */
export type Delivery = Omit<JobDelivery, 'webhook'>;
export interface DeliveryList {
  readonly deliveries: readonly Delivery[];
}

export type AuditEntry = Static<typeof audit.AuditEntry>;
export type AuditList = Static<typeof audit.AuditList>;
