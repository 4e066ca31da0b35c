/** Plans: what an account may use. Plans are data; `null` is unlimited. */
import { readFileSync, statSync } from 'node:fs';
import { type TSchema, Type } from 'typebox';
import { Compile } from 'typebox/compile';
import { OperatorError } from '../../errors.ts';
import { type Isolation, isolations } from '../../shared/options/conversion-options.ts';

/** Options, and jobs, that need a plan which has them. */
export const features = [
  'pdfa',
  'pdfua',
  'markup',
  'watermark',
  'encryption',
  'attachments',
  'jobs',
] as const;

export type Feature = (typeof features)[number];

/** How much may be used. */
export interface PlanLimits {
  /** Requests in an hour aligned to the clock. */
  readonly perHour: number | null;
  /** Requests in a UTC day. */
  readonly perDay: number | null;
  /** Requests in a second: the burst. */
  readonly perSecond: number | null;
  /** Conversions in a calendar month (UTC): the quota. */
  readonly perMonth: number | null;
}

/** How many jobs may be sent. */
export interface JobLimits {
  /** Files of a job, up to {@link MAX_JOB_FILES}, or of a PDF of several documents, up to {@link MAX_COMBINED_FILES}. */
  readonly maxFilesPerJob: number;
  /** Jobs that have not ended. */
  readonly maxJobs: number | null;
}

/** Most files of a job, whatever the plan. */
export const MAX_JOB_FILES = 100;
/** Most documents that become one PDF, whatever the plan. */
export const MAX_COMBINED_FILES = 50;
/** All documents of one PDF together may be as large as so many of the largest size. */
export const LARGEST_TOGETHER = 4;
const MAX_JOBS = 100;
const MAX_TEST_JOBS = 10;

/** Job limits that a plan leaves out have their defaults. */
export interface Plan extends PlanLimits, Partial<JobLimits> {
  /** "all" is every one of them. */
  readonly features: readonly (Feature | 'all')[];
  /** `document`: each document has a process of its own, whatever the service and the request say. */
  readonly isolation?: Isolation;
}

/** Whether the plan has the feature. */
export function hasFeature(plan: Plan, feature: Feature): boolean {
  return plan.features.includes('all') || plan.features.includes(feature);
}

/** Names of the plans that have the feature. */
export function plansWith(plans: Plans, feature: Feature): string[] {
  return [...plans].filter(([, plan]) => hasFeature(plan, feature)).map(([name]) => name);
}

/** What holds for an account: it may isolate its documents where its plan does not. */
export function isolationUnder(plan: Plan | undefined, ofAccount: Isolation): Isolation {
  return ofAccount === 'document' ? ofAccount : (plan?.isolation ?? 'account');
}

/** How much the plan allows, without the rest of it. */
export function limitsOf({ perSecond, perHour, perDay, perMonth }: Plan): PlanLimits {
  return { perSecond, perHour, perDay, perMonth };
}

/** The limits of an account's jobs; those of test keys are the same for all plans. */
export function jobLimitsOf(plan: Plan, environment: 'live' | 'test'): JobLimits {
  const { maxFilesPerJob = MAX_JOB_FILES, maxJobs = MAX_JOBS } = plan;
  return environment === 'live'
    ? { maxFilesPerJob, maxJobs }
    : { maxFilesPerJob: MAX_JOB_FILES, maxJobs: MAX_TEST_JOBS };
}

/** Plans by name, in the order of their list. A map, because "constructor" is a name like any other. */
export type Plans = ReadonlyMap<string, Plan>;

/** The plans of a service that was not given others. */
export const defaultPlans: Plans = frozen([
  ['free', { perHour: 100, perDay: 1_000, perSecond: 50, perMonth: 5_000, features: [] }],
  ['pro', { perHour: 1_000, perDay: 10_000, perSecond: 100, perMonth: 100_000, features: ['all'] }],
  ['enterprise', { perHour: null, perDay: null, perSecond: 200, perMonth: null, features: ['all'] }],
]);

/** What a test key may use, whatever the plan of its account: a fixed hour, and the burst of the plan "free". */
export function testLimits(plans: Plans): PlanLimits {
  const free = plans.get('free');
  return { perHour: 100, perDay: null, perSecond: free ? free.perSecond : 50, perMonth: null };
}

const MAX_FILE_BYTES = 1_048_576;
export const MAX_LIMIT = 1_000_000_000;
/** As the id of an account. */
const PLAN_NAME = /^[a-z0-9][a-z0-9_-]{0,62}$/;

const limit = Type.Union([Type.Integer({ minimum: 1, maximum: MAX_LIMIT }), Type.Null()]);
const fields = {
  perHour: limit,
  perDay: limit,
  perSecond: limit,
  perMonth: limit,
  features: Type.Array(Type.Enum(['all', ...features]), { uniqueItems: true }),
  maxFilesPerJob: Type.Optional(Type.Integer({ minimum: 1, maximum: MAX_JOB_FILES })),
  maxJobs: Type.Optional(limit),
  isolation: Type.Optional(Type.Enum([...isolations])),
} satisfies Record<keyof Plan, TSchema>;
const planSchema = Compile(Type.Object(fields, { additionalProperties: false }));

/**
 * The plans of the JSON file `path`, an object of plans by name; the default plans without one.
 *
 * @throws OperatorError naming the first mistake.
 */
export function readPlans(path: string | undefined): Plans {
  if (path === undefined) return defaultPlans;
  const plans = parse(readText(path));
  if (typeof plans !== 'object' || plans === null || Array.isArray(plans)) {
    throw mistake('the file must hold a JSON object of plans by name');
  }
  const entries = Object.entries(plans);
  if (entries.length === 0) throw mistake('the file has no plans; it must have at least one');
  return frozen(entries.map(([name, value]) => [name, readPlan(name, value)]));
}

function readText(path: string): string {
  let bytes: Buffer;
  try {
    const stats = statSync(path);
    // A pipe or a device could keep the start waiting for ever.
    if (!stats.isFile()) throw mistake(`${path} is not a regular file`);
    if (stats.size > MAX_FILE_BYTES) throw mistake(`${path} has more than ${MAX_FILE_BYTES} bytes`);
    bytes = readFileSync(path);
  } catch (error) {
    if (error instanceof OperatorError) throw error;
    throw mistake(`the file cannot be read: ${(error as Error).message}`, error);
  }
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (error) {
    throw mistake('the file is not JSON: it is not UTF-8 text', error);
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    // Node may quote the file, with its line breaks.
    const problem = (error as Error).message.replaceAll(/[\s\p{Cc}]+/gu, ' ');
    throw mistake(`the file is not JSON: ${problem}`, error);
  }
}

function readPlan(name: string, value: unknown): Plan {
  if (!PLAN_NAME.test(name)) {
    throw mistake(`the plan name ${quote(name)} is not 1 to 63 lowercase letters, digits, "-" and "_"`);
  }
  if (!planSchema.Check(value)) throw mistake(`the plan "${name}" ${describeMistake(value)}`);
  return value;
}

/** What keeps the value from being a plan: the first mistake that the schema finds, in words. */
function describeMistake(value: unknown): string {
  const [error] = planSchema.Errors(value);
  const field = error?.instancePath.split('/')[1];
  const known = `a plan has ${Object.keys(fields).join(', ')}`;
  if (error?.keyword === 'required') return `lacks ${error.params.requiredProperties.join(', ')}; ${known}`;
  if (field === undefined) return 'must be an object';
  if (!Object.hasOwn(fields, field)) return `has the unknown field ${quote(field)}; ${known}`;
  if (field === 'features') {
    return `must have as its features a list of ${['all', ...features].map(quote).join(', ')}, each at most once`;
  }
  if (field === 'isolation') return `must have as its ${field} ${isolations.map(quote).join(' or ')}`;
  if (field === 'maxFilesPerJob')
    return `must have as its ${field} a whole number from 1 to ${MAX_JOB_FILES}`;
  return `must have as its ${field} a whole number from 1 to ${MAX_LIMIT}, or null for unlimited`;
}

function frozen(entries: readonly (readonly [string, Plan])[]): Plans {
  return new Map(
    entries.map(([name, plan]) => [
      name,
      Object.freeze({ ...plan, features: Object.freeze([...plan.features]) }),
    ]),
  );
}

function mistake(text: string, cause?: unknown): OperatorError {
  return new OperatorError(`PLANS_FILE: ${text}`, { cause });
}

/** A name from the file, on one line and not endless. */
function quote(name: string): string {
  return JSON.stringify(name.length > 80 ? `${name.slice(0, 80)}…` : name);
}
