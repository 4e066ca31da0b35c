/** What the operator API answers, as openapi/operator.json has it: the parts that the pages use. Times are ISO 8601. */

export interface Session {
  readonly csrfToken: string | null;
}

export interface Quantiles {
  readonly p50: number;
  readonly p95: number;
}

export interface Figures {
  readonly conversions: number;
  readonly queueMs: Quantiles | null;
  readonly convertMs: Quantiles | null;
  /** How many requests ended how: `success`, the code of an error, or `client_left`. */
  readonly outcomes: Readonly<Record<string, number>>;
}

export interface Period {
  readonly stepSeconds: number;
  readonly total: Figures;
  readonly steps: readonly (Figures & { readonly at: string })[];
}

export interface ServerStatus {
  readonly status: 'ok' | 'unavailable';
  readonly problem: string | null;
  readonly ready: boolean;
  readonly phase: 'starting' | 'ready' | 'draining';
  readonly version: string;
  readonly node: string;
  readonly startedAt: string;
  readonly lastProof: { readonly ok: boolean; readonly at: string } | null;
  readonly maintenance: Maintenance;
  readonly engine: {
    readonly engine: 'kit' | 'cold';
    readonly ready: boolean;
    readonly libreOffice: string | null;
    readonly restarts: number;
    readonly renewals: number;
    readonly children: { readonly idle: number; readonly running: number };
    readonly documents: number;
  };
  readonly sandbox: readonly {
    readonly name: string;
    readonly active: boolean;
    readonly required: boolean;
  }[];
  readonly queue: {
    readonly workers: number;
    readonly limit: number;
    readonly running: number;
    readonly waiting: number;
    readonly arriving: number;
    readonly oldestWaitMs: number;
  };
  readonly redis: { readonly up: boolean; readonly writable: boolean; readonly latencyMs: number | null };
  readonly billing: { readonly unsettled: number; readonly backlog: number };
  readonly residentBytes: Readonly<Record<'server' | 'kit' | 'child' | 'redis' | 'other', number>>;
}

export interface Overview {
  readonly at: string;
  readonly server: ServerStatus;
  /** Null while Redis is away. */
  readonly lastHour: Period | null;
  readonly lastDay: Period | null;
}

export interface Maintenance {
  readonly on: boolean;
  readonly since: string | null;
}

/** Null is unlimited. */
export interface Limits {
  readonly perSecond: number | null;
  readonly perHour: number | null;
  readonly perDay: number | null;
  readonly perMonth: number | null;
}

export interface Plan {
  readonly name: string;
  readonly limits: Limits;
  readonly features: readonly string[];
}

export interface Account {
  readonly id: string;
  readonly name: string;
  readonly plan: string;
  readonly createdAt: string;
}

export interface AccountInUse extends Account {
  /** YYYY-MM, UTC. */
  readonly month: string;
  readonly used: number;
  /** Null is unlimited. */
  readonly quota: number | null;
  readonly keys: number;
}

export interface AccountList {
  readonly accounts: readonly AccountInUse[];
  readonly total: number;
  readonly next: string | null;
}

export interface AccountDetail extends AccountInUse {
  readonly renewsAt: string;
  readonly reserved: number;
  readonly windows: readonly {
    readonly name: 'second' | 'hour' | 'day';
    readonly limit: number;
    readonly remaining: number;
    readonly resetsAt: string;
  }[];
}

export interface Usage {
  readonly month: string;
  readonly days: readonly {
    readonly date: string;
    readonly conversions: number;
    readonly pages: number;
    readonly bytesIn: number;
    readonly bytesOut: number;
    readonly failures: Readonly<Record<string, number>>;
  }[];
}

export type Environment = 'test' | 'live';
export type KeyType = 'pk' | 'sk';
export type Permission = 'convert' | 'usage' | 'rotate';

export interface KeySettings {
  readonly id: string;
  readonly display: string;
  readonly account: string;
  readonly name: string;
  readonly environment: Environment;
  readonly type: KeyType;
  readonly permissions: readonly Permission[];
  readonly ipRestrictions: readonly string[];
  readonly expiresAt: string | null;
  readonly createdAt: string;
}

export interface Key extends KeySettings {
  readonly state: 'valid' | 'expired' | 'revoked';
  readonly lastUsedAt: string | null;
  readonly lastUsedAddress: string | null;
  readonly revokedAt: string | null;
  readonly successor: string | null;
}

export interface KeyList {
  readonly keys: readonly Key[];
  readonly next: string | null;
}

/** The only answer with the key itself. */
export interface CreatedKey extends KeySettings {
  readonly key: string;
  readonly previous?: { readonly id: string; readonly expiresAt: string };
}

export interface RequestRecord {
  readonly requestId: string;
  readonly at: string;
  readonly account: string;
  readonly key: string;
  readonly keyDisplay: string | null;
  readonly environment: Environment;
  readonly method: string;
  readonly route: string;
  readonly status: number | null;
  readonly outcome: string;
  readonly reason: string | null;
  readonly pages: number | null;
  readonly bytesIn: number | null;
  readonly bytesOut: number | null;
  readonly durationMs: number;
  readonly uploadMs: number | null;
  readonly queueMs: number | null;
  readonly convertMs: number | null;
}

export interface RequestList {
  readonly requests: readonly RequestRecord[];
  readonly next: string | null;
}

export interface AuditEntry {
  readonly id: string;
  readonly at: string;
  readonly by: 'cli' | 'session' | 'token' | 'key' | 'nobody';
  readonly who: string;
  readonly action: string;
  readonly account: string | null;
  readonly key: string | null;
  readonly details: Readonly<Record<string, string>>;
}

export interface AuditList {
  readonly entries: readonly AuditEntry[];
  readonly next: string | null;
}
