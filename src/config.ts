/** The configuration: the environment, parsed once and frozen. A bad value stops the start. */
import { isIP } from 'node:net';
import { availableParallelism } from 'node:os';
import { resolve } from 'node:path';
import ipaddr from 'ipaddr.js';
import { IsBoolean, IsString, type Static, type TObject, type TSchema, Type } from 'typebox';
import type { TLocalizedValidationError } from 'typebox/error';
import { Value } from 'typebox/value';
import { OperatorError } from './errors.ts';
import { type DocumentType, documentTypes } from './shared/document-types.ts';
import { isOperatorToken, TOKEN_RULE } from './system/operator-token.ts';
import { withSecretFiles } from './system/secret-files.ts';

const MEGABYTE = 1_048_576;
/** What variables with a pattern may be, for messages. */
const patternTexts: Readonly<Record<string, string>> = {
  REDIS_URL:
    'a redis://, rediss://, redis+sentinel:// or rediss+sentinel:// URL, or the absolute path of a socket',
  S3_BUCKET: 'the name of a bucket: 3 to 63 of a-z, 0-9, "." and "-"',
  S3_ENDPOINT: 'an http:// or https:// URL',
  SMTP_URL: 'an smtp:// or smtps:// URL',
  S3_REGION: 'the name of a region, such as eu-central-1',
  OIDC_ISSUER: 'an https:// URL',
  OTEL_EXPORTER_OTLP_ENDPOINT: 'an http:// or https:// URL',
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'an http:// or https:// URL',
  OTEL_EXPORTER_OTLP_METRICS_ENDPOINT: 'an http:// or https:// URL',
  OTEL_TRACES_EXPORTER: 'otlp or none',
  OTEL_METRICS_EXPORTER: 'otlp or none',
};
/** In the folder where the service starts. */
export const DEFAULT_DATA_DIR = '.platen';
/** Two less than the jobs that a kit may have, see src/kit/children.h. */
export const MAX_WORKERS = 254;

const optionalUrl = Type.String({ default: '', pattern: '^$|^https?://' });
const otlpProtocols = ['http/protobuf', 'http/json', 'grpc'] as const;
const otlpOrNone = Type.String({ default: '', pattern: '^$|^(otlp|none)$' });

const count = (fallback: number, minimum = 1, maximum = 1_000_000) =>
  Type.Integer({ default: fallback, minimum, maximum });

/** The variables with their defaults and bounds; docs/configuration.md has the same, and a test compares them. */
export const environment = Type.Object({
  HOST: Type.String({ default: '127.0.0.1', minLength: 1 }),
  PORT: Type.Integer({ default: 3000, minimum: 0, maximum: 65_535 }),
  DATA_DIR: Type.String({ default: DEFAULT_DATA_DIR, minLength: 1 }),
  WORK_DIR: Type.String({ default: '' }),
  REDIS_URL: Type.String({ default: '', pattern: '^$|^rediss?(\\+sentinel)?://|^/' }),
  S3_BUCKET: Type.String({ default: '', pattern: '^$|^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$' }),
  S3_ENDPOINT: Type.String({ default: '', pattern: '^$|^https?://' }),
  S3_REGION: Type.String({ default: 'us-east-1', pattern: '^[a-z0-9-]{1,63}$' }),
  S3_PATH_STYLE: Type.Boolean({ default: false }),
  S3_REDIRECT: Type.Boolean({ default: true }),
  PLANS_FILE: Type.String({ default: '' }),
  FONTS_DIR: Type.String({ default: '' }),
  TRUST_PROXY: Type.String({ default: '' }),
  PUBLIC_URL: Type.String({ default: '' }),
  DASHBOARD_URL: Type.String({ default: '' }),
  SECURITY_CONTACT: Type.String({ default: '' }),
  SMTP_URL: Type.String({ default: '', pattern: '^$|^smtps?://' }),
  MAIL_FROM: Type.String({ default: '' }),
  OIDC_ISSUER: Type.String({ default: '', pattern: '^$|^https?://' }),
  OIDC_CLIENT_ID: Type.String({ default: '' }),
  OIDC_CLIENT_SECRET: Type.String({ default: '' }),
  OIDC_ONLY: Type.Boolean({ default: false }),
  OPERATOR_TOKEN: Type.String({ default: '' }),
  ACCEPT: Type.String({ default: 'docx' }),
  ENGINE: Type.Enum(['kit', 'cold'], { default: 'kit' }),
  SANDBOX: Type.Enum(['available', 'required'], { default: 'available' }),
  WORKERS: count(Math.min(availableParallelism(), MAX_WORKERS), 1, MAX_WORKERS),
  QUEUE_LIMIT: count(100, 0, 100_000),
  QUEUE_TIMEOUT_MS: count(15_000, 1),
  CONVERT_TIMEOUT_MS: count(60_000, 1),
  POISON_MEMORY_SECONDS: count(600, 0),
  UPLOAD_LIMIT: count(100, 1, 100_000),
  UPLOAD_TIMEOUT_MS: count(120_000, 1),
  DELIVERY_TIMEOUT_MS: count(300_000, 1),
  HEADERS_TIMEOUT_MS: count(15_000, 1, 300_000),
  MAX_CONNECTIONS: count(4_000),
  MAX_EVENT_LOOP_DELAY_MS: count(250),
  DRAIN_DELAY_MS: count(1_000, 0, 300_000),
  KIT_MAX_DOCUMENTS: count(500, 1),
  DOCUMENTS_PER_CHILD: count(1, 1, 100),
  JOB_MEMORY_MB: count(1_024, 256, 1_048_576),
  MAX_FILE_MB: Type.Number({ default: 25, exclusiveMinimum: 0, maximum: 1_024 }),
  PUBLIC_MAX_FILE_MB: Type.Number({ default: 5, exclusiveMinimum: 0, maximum: 1_024 }),
  PUBLIC_PER_HOUR: count(20),
  PUBLIC_PER_SECOND: count(2),
  AUTH_FAILURES_PER_MINUTE: count(300),
  HEALTH_INTERVAL_MS: count(30_000, 100),
  JOB_RETENTION_HOURS: Type.Number({ default: 24, minimum: 0.01, maximum: 720 }),
  EGRESS: Type.Enum(['auto', 'embedded', 'external'], { default: 'auto' }),
  EGRESS_ALLOW_HTTP: Type.Boolean({ default: false }),
  EGRESS_ALLOW_NETWORKS: Type.String({ default: '' }),
  EGRESS_FETCHES: count(10, 1, 1_000),
  LOG_LEVEL: Type.Enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'], { default: 'info' }),
});

/**
 * OpenTelemetry's, of which docs/configuration.md says where they are defined: those that decide what is sent, or whose mistakes
 * its SDK would only log.
 */
const standardVariables = Type.Object({
  OTEL_SDK_DISABLED: Type.Boolean({ default: false }),
  OTEL_SERVICE_NAME: Type.String({ default: 'platen' }),
  OTEL_EXPORTER_OTLP_ENDPOINT: optionalUrl,
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: optionalUrl,
  OTEL_EXPORTER_OTLP_METRICS_ENDPOINT: optionalUrl,
  OTEL_EXPORTER_OTLP_PROTOCOL: Type.Enum(otlpProtocols, { default: 'http/protobuf' }),
  OTEL_EXPORTER_OTLP_TRACES_PROTOCOL: Type.Optional(Type.Enum(otlpProtocols)),
  OTEL_EXPORTER_OTLP_METRICS_PROTOCOL: Type.Optional(Type.Enum(otlpProtocols)),
  OTEL_TRACES_EXPORTER: otlpOrNone,
  OTEL_METRICS_EXPORTER: otlpOrNone,
  OTEL_TRACES_SAMPLER: Type.Enum(
    [
      ...['parentbased_always_on', 'parentbased_always_off', 'parentbased_traceidratio'],
      ...['always_on', 'always_off', 'traceidratio'],
    ],
    { default: 'parentbased_always_on' },
  ),
  OTEL_TRACES_SAMPLER_ARG: Type.Number({ default: 1, minimum: 0, maximum: 1 }),
  OTEL_METRIC_EXPORT_INTERVAL: count(60_000, 100, 3_600_000),
  OTEL_METRIC_EXPORT_TIMEOUT: count(30_000, 1, 3_600_000),
});

/** A bucket; its credentials are where the AWS SDK finds them. */
export interface S3Settings {
  readonly bucket: string;
  /** URL of the service; undefined: Amazon's. */
  readonly endpoint: string | undefined;
  readonly region: string;
  /** Whether the bucket stands in the path of addresses, not in the host. */
  readonly pathStyle: boolean;
  /** Whether clients are sent there for their PDFs. */
  readonly redirect: boolean;
}

/** How e-mail is sent. */
export interface MailSettings {
  /** URL of the SMTP server, with its user and password. */
  readonly url: string;
  /** Address of the sender. */
  readonly from: string;
  /** Origin of the links in messages. */
  readonly publicUrl: string;
}

/** Where members of accounts and operators sign in (OpenID Connect). */
export interface OidcSettings {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** Whether nobody signs in with a passkey. */
  readonly isOnly: boolean;
  /** Origin of this service, to which the issuer sends members back. */
  readonly publicUrl: string;
}

/** What is sent to a collector by OTLP; the rest, such as its address, OpenTelemetry's SDK reads from the environment. */
export interface TelemetrySettings {
  readonly serviceName: string;
  readonly traces: boolean;
  /** Undefined: they are not sent. */
  readonly metrics: MetricsSettings | undefined;
}

export interface MetricsSettings {
  readonly protocol: (typeof otlpProtocols)[number];
  /** Between two times that they are sent. */
  readonly intervalMs: number;
  /** For sending them. */
  readonly timeoutMs: number;
}

/** The parsed configuration. Times are milliseconds, sizes bytes unless the name says otherwise. */
export interface Config {
  readonly host: string;
  /** TCP port; 0 lets the system choose. */
  readonly port: number;
  /** Absolute path of the folder for what outlives a request: the embedded Redis, the engine's profile. */
  readonly dataDir: string;
  /** Absolute path of the folder for documents during conversion; undefined: a tmpfs where there is one, else the data folder. */
  readonly workDir: string | undefined;
  /** URL or socket path of Redis; undefined: the embedded one. */
  readonly redisUrl: string | undefined;
  /** Where jobs keep their objects; undefined: in the data folder. */
  readonly s3: S3Settings | undefined;
  /** Absolute path of the JSON file of plans; undefined: the default plans. */
  readonly plansFile: string | undefined;
  /** Absolute path of a folder with further fonts; undefined: there is none. */
  readonly fontsDir: string | undefined;
  /** Addresses and CIDRs of proxies whose X-Forwarded-For is believed. */
  readonly trustProxy: readonly string[];
  /** Origin under which customers reach the service; undefined: nobody has said. */
  readonly publicUrl: string | undefined;
  /** Origin under which operators reach the dashboard; undefined: nobody has said. */
  readonly dashboardUrl: string | undefined;
  /** Whom to tell of a vulnerability, as URIs; empty: the operator has named nobody. */
  readonly securityContacts: readonly string[];
  /** Sends e-mail; undefined: nothing does. */
  readonly mail: MailSettings | undefined;
  /** Undefined: people sign in with passkeys only. */
  readonly oidc: OidcSettings | undefined;
  /** What opens the metrics; undefined: the token in the data folder. */
  readonly operatorToken: string | undefined;
  /** The types of documents that are converted. */
  readonly accept: readonly DocumentType[];
  readonly engine: 'kit' | 'cold';
  /** Whether to start on a system that lacks a layer of the sandbox. */
  readonly sandbox: 'available' | 'required';
  /** Documents converted at a time. */
  readonly workers: number;
  /** Documents that may wait for a worker. */
  readonly queueLimit: number;
  readonly queueTimeoutMs: number;
  readonly convertTimeoutMs: number;
  /** How long a document that used up its budget or crashed twice is refused, in seconds; 0: it is tried. */
  readonly poisonMemorySeconds: number;
  /** Uploads that may arrive at a time, beside the documents that wait and those that are converted. */
  readonly uploadLimit: number;
  readonly uploadTimeoutMs: number;
  /** How long a client may take to receive its PDF. */
  readonly deliveryTimeoutMs: number;
  /** How long the header of a request may take to arrive, and a connection to send its first one. */
  readonly headersTimeoutMs: number;
  /** Connections that may be open at a time. */
  readonly maxConnections: number;
  /** Mean delay of the event loop over a second above which the server refuses work. */
  readonly maxEventLoopDelayMs: number;
  /** How long a draining server keeps answering "not ready" before it refuses connections. */
  readonly drainDelayMs: number;
  /** Documents after which a fresh kit takes over. */
  readonly kitMaxDocuments: number;
  /** Documents of one owner that a process may convert, one after the other. */
  readonly documentsPerChild: number;
  /** Resident size at which a conversion is ended. */
  readonly jobMemoryBytes: number;
  readonly maxFileBytes: number;
  readonly publicMaxFileBytes: number;
  readonly publicPerHour: number;
  readonly publicPerSecond: number;
  /** Whether that holds for addresses of this machine, too: not where somebody tries the service, as `npm start` has it. */
  readonly limitsOwnAddresses: boolean;
  /** Failed authentications that an address may have in a minute. */
  readonly authFailuresPerMinute: number;
  readonly healthIntervalMs: number;
  /** How long the results of jobs are kept. */
  readonly jobRetentionMs: number;
  /** Whether the server starts the process that connects to others' addresses. */
  readonly hasEgress: boolean;
  /** Whether addresses may begin with http://. */
  readonly egressAllowHttp: boolean;
  /** Addresses and CIDRs that may be connected to besides the public Internet. */
  readonly egressAllowNetworks: readonly string[];
  /** Documents fetched at a time. */
  readonly egressFetches: number;
  /** Undefined: nothing is sent. */
  readonly telemetry: TelemetrySettings | undefined;
  readonly logLevel: Static<typeof environment>['LOG_LEVEL'];
}

/**
 * Reads the configuration from environment variables, and secrets from the files that they name; unknown variables are
 * ignored.
 *
 * @throws OperatorError naming the variable whose value is not acceptable.
 */
export function readConfig(env: Readonly<Record<string, string | undefined>>): Config {
  // An empty variable counts as unset, as compose files and service managers write it.
  const data = withSecretFiles(
    Object.fromEntries(Object.entries(env).filter(([, value]) => value !== undefined && value.trim() !== '')),
  );
  // Its documents would go elsewhere without a word.
  if (data.JOBS_DIR !== undefined) {
    throw new OperatorError('configuration: JOBS_DIR is called WORK_DIR now; set that in its place');
  }
  const values = readValues(environment, data);
  if (values.SANDBOX === 'required' && values.ENGINE === 'cold') {
    throw new OperatorError(
      'configuration: SANDBOX=required needs ENGINE=kit: the cold engine has no sandbox',
    );
  }
  return Object.freeze({
    host: values.HOST,
    port: values.PORT,
    dataDir: resolve(values.DATA_DIR),
    workDir: values.WORK_DIR === '' ? undefined : resolve(values.WORK_DIR),
    redisUrl: values.REDIS_URL === '' ? undefined : values.REDIS_URL,
    s3: readS3(values),
    plansFile: values.PLANS_FILE === '' ? undefined : resolve(values.PLANS_FILE),
    fontsDir: values.FONTS_DIR === '' ? undefined : resolve(values.FONTS_DIR),
    trustProxy: readNetworks('TRUST_PROXY', values.TRUST_PROXY),
    publicUrl: readPublicUrl('PUBLIC_URL', values.PUBLIC_URL),
    dashboardUrl: readPublicUrl('DASHBOARD_URL', values.DASHBOARD_URL || values.PUBLIC_URL),
    securityContacts: readContacts('SECURITY_CONTACT', values.SECURITY_CONTACT),
    mail: readMail(values),
    oidc: readOidc(values),
    operatorToken: readToken('OPERATOR_TOKEN', values.OPERATOR_TOKEN),
    accept: readDocumentTypes('ACCEPT', values.ACCEPT),
    engine: values.ENGINE,
    sandbox: values.SANDBOX,
    workers: values.WORKERS,
    queueLimit: values.QUEUE_LIMIT,
    queueTimeoutMs: values.QUEUE_TIMEOUT_MS,
    convertTimeoutMs: values.CONVERT_TIMEOUT_MS,
    poisonMemorySeconds: values.POISON_MEMORY_SECONDS,
    uploadLimit: values.UPLOAD_LIMIT,
    uploadTimeoutMs: values.UPLOAD_TIMEOUT_MS,
    deliveryTimeoutMs: values.DELIVERY_TIMEOUT_MS,
    headersTimeoutMs: values.HEADERS_TIMEOUT_MS,
    maxConnections: values.MAX_CONNECTIONS,
    maxEventLoopDelayMs: values.MAX_EVENT_LOOP_DELAY_MS,
    drainDelayMs: values.DRAIN_DELAY_MS,
    kitMaxDocuments: values.KIT_MAX_DOCUMENTS,
    documentsPerChild: values.DOCUMENTS_PER_CHILD,
    jobMemoryBytes: values.JOB_MEMORY_MB * MEGABYTE,
    maxFileBytes: Math.floor(values.MAX_FILE_MB * MEGABYTE),
    publicMaxFileBytes: Math.floor(values.PUBLIC_MAX_FILE_MB * MEGABYTE),
    publicPerHour: values.PUBLIC_PER_HOUR,
    publicPerSecond: values.PUBLIC_PER_SECOND,
    limitsOwnAddresses: true,
    authFailuresPerMinute: values.AUTH_FAILURES_PER_MINUTE,
    healthIntervalMs: values.HEALTH_INTERVAL_MS,
    jobRetentionMs: Math.round(values.JOB_RETENTION_HOURS * 3_600_000),
    hasEgress: values.EGRESS === 'embedded' || (values.EGRESS === 'auto' && values.REDIS_URL === ''),
    egressAllowHttp: values.EGRESS_ALLOW_HTTP,
    egressAllowNetworks: readNetworks('EGRESS_ALLOW_NETWORKS', values.EGRESS_ALLOW_NETWORKS),
    egressFetches: values.EGRESS_FETCHES,
    telemetry: readTelemetry(readValues(standardVariables, data)),
    logLevel: values.LOG_LEVEL,
  });
}

/** Traces and metrics are each on if their exporter, or an endpoint for it, is named. */
function readTelemetry(values: Static<typeof standardVariables>): TelemetrySettings | undefined {
  const { OTEL_TRACES_EXPORTER, OTEL_METRICS_EXPORTER, OTEL_EXPORTER_OTLP_ENDPOINT: endpoint } = values;
  const isOn = (exporter: string, own: string) =>
    exporter === '' ? endpoint !== '' || own !== '' : exporter === 'otlp';
  const traces = isOn(OTEL_TRACES_EXPORTER, values.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT);
  const metrics = isOn(OTEL_METRICS_EXPORTER, values.OTEL_EXPORTER_OTLP_METRICS_ENDPOINT);
  if (values.OTEL_SDK_DISABLED || !(traces || metrics)) return undefined;
  const { OTEL_METRIC_EXPORT_INTERVAL: intervalMs, OTEL_METRIC_EXPORT_TIMEOUT: timeoutMs } = values;
  const protocol = values.OTEL_EXPORTER_OTLP_METRICS_PROTOCOL ?? values.OTEL_EXPORTER_OTLP_PROTOCOL;
  return Object.freeze({
    serviceName: values.OTEL_SERVICE_NAME,
    traces,
    metrics: metrics ? { protocol, intervalMs, timeoutMs: Math.min(timeoutMs, intervalMs) } : undefined,
  });
}

function readS3(values: Static<typeof environment>): S3Settings | undefined {
  const endpoint = values.S3_ENDPOINT === '' ? undefined : readEndpoint('S3_ENDPOINT', values.S3_ENDPOINT);
  if (values.S3_BUCKET === '') {
    if (endpoint === undefined) return undefined;
    throw new OperatorError('configuration: S3_ENDPOINT needs S3_BUCKET, the bucket to use there');
  }
  return Object.freeze({
    bucket: values.S3_BUCKET,
    endpoint,
    region: values.S3_REGION,
    pathStyle: values.S3_PATH_STYLE,
    redirect: values.S3_REDIRECT,
  });
}

/** The message does not repeat a URL that has credentials. */
function readEndpoint(name: string, text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '') {
    throw new OperatorError(
      `configuration: ${name} must be ${patternTexts[name]} without credentials or a query`,
    );
  }
  return text;
}

/** The message does not repeat the URL, which may have a password. */
function readMail({ SMTP_URL, MAIL_FROM, PUBLIC_URL }: Static<typeof environment>): MailSettings | undefined {
  if (SMTP_URL === '') return undefined;
  const publicUrl = readPublicUrl('PUBLIC_URL', PUBLIC_URL);
  if (!URL.canParse(SMTP_URL))
    throw new OperatorError(`configuration: SMTP_URL must be ${patternTexts.SMTP_URL}`);
  if (publicUrl === undefined || !/^[^\s@<>,]+@[^\s@<>,]+$/.test(MAIL_FROM)) {
    throw new OperatorError(
      'configuration: SMTP_URL needs PUBLIC_URL, for links, and MAIL_FROM, the e-mail address of the sender',
    );
  }
  return Object.freeze({ url: SMTP_URL, from: MAIL_FROM, publicUrl });
}

const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/;

/** The messages do not repeat the values, one of which is a secret. */
function readOidc(values: Static<typeof environment>): OidcSettings | undefined {
  const { OIDC_ISSUER, OIDC_CLIENT_ID: clientId, OIDC_CLIENT_SECRET: clientSecret, OIDC_ONLY } = values;
  const publicUrl = readPublicUrl('PUBLIC_URL', values.PUBLIC_URL);
  if (OIDC_ISSUER === '' && clientId === '' && clientSecret === '' && !OIDC_ONLY) return undefined;
  if (OIDC_ISSUER === '' || clientId === '' || clientSecret === '' || publicUrl === undefined) {
    throw new OperatorError(
      'configuration: OIDC_* needs all of OIDC_ISSUER, OIDC_CLIENT_ID, OIDC_CLIENT_SECRET and PUBLIC_URL',
    );
  }
  const issuer = readEndpoint('OIDC_ISSUER', OIDC_ISSUER);
  const { protocol, hostname } = new URL(issuer);
  if (protocol !== 'https:' && !LOOPBACK.test(hostname)) {
    throw new OperatorError(
      'configuration: OIDC_ISSUER must be https://; http:// is for this machine, such as in a trial',
    );
  }
  return Object.freeze({ issuer, clientId, clientSecret, isOnly: OIDC_ONLY, publicUrl });
}

/** Passkeys are bound to the name of a host, and browsers make them over TLS or on the machine itself only. */
function readPublicUrl(name: string, text: string): string | undefined {
  if (text === '') return undefined;
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isSafe = url?.protocol === 'https:' || (url?.protocol === 'http:' && url.hostname === 'localhost');
  const isName = url !== undefined && isIP(url.hostname) === 0 && !url.hostname.startsWith('[');
  if (!url || !isSafe || !isName || `${url.origin}/` !== url.href) {
    throw new OperatorError(
      `configuration: ${name} must be https:// and the name of a host, such as https://pdf.example.com, without a path`,
    );
  }
  return url.origin;
}

function readList(text: string): readonly string[] {
  return text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
}

/** As RFC 9116 has them: a line each, so nothing may break it. */
function readContacts(name: string, text: string): readonly string[] {
  const contacts = readList(text);
  const bad = contacts.find(
    (contact) => !/^(mailto:[^\s@]+@|https:\/\/|tel:\+?\d)[\x21-\x7e]+$/.test(contact),
  );
  if (bad === undefined) return contacts;
  throw new OperatorError(
    `configuration: ${name} must list mailto:, https:// and tel: addresses, such as mailto:security@example.com; "${bad}" is none`,
  );
}

/** In the order of the known types, whatever the order in the text is. */
function readDocumentTypes(name: string, text: string): readonly DocumentType[] {
  const wanted = readList(text);
  const known: readonly string[] = documentTypes;
  const unknown = wanted.find((type) => !known.includes(type));
  if (unknown !== undefined || !wanted.includes('docx')) {
    throw new OperatorError(`configuration: ${name} must list docx and any of ${known.slice(1).join(', ')}`);
  }
  return documentTypes.filter((type) => wanted.includes(type));
}

function readNetworks(name: string, text: string): readonly string[] {
  const networks = readList(text);
  for (const network of networks) {
    const [address = '', length] = network.split('/');
    // ipaddr.js alone also reads the notations of inet_aton(3), by which 010.0.0.0/8 is 8.0.0.0/8.
    const isAddress = isIP(address) !== 0 && !address.includes('%');
    if (!isAddress || (length !== undefined && !(/^\d+$/.test(length) && ipaddr.isValidCIDR(network)))) {
      throw new OperatorError(
        `configuration: ${name} must list addresses and CIDRs; "${network}" is neither`,
      );
    }
  }
  return networks;
}

/** The message does not repeat what may be a secret, if a bad one. */
function readToken(name: string, text: string): string | undefined {
  if (text === '') return undefined;
  if (!isOperatorToken(text)) throw new OperatorError(`configuration: ${name} must be ${TOKEN_RULE}`);
  return text;
}

/** The variables that are known, with their defaults. */
function readValues<T extends TObject>(
  known: T,
  data: Readonly<Record<string, string | undefined>>,
): Static<T> {
  const values = Value.Default(
    known,
    Object.fromEntries(
      Object.entries(known.properties).flatMap(([name, schema]) => {
        const text = data[name];
        return text === undefined ? [] : [[name, valueIn(text, schema)]];
      }),
    ),
  );
  if (Value.Check(known, values)) return values;
  throw new OperatorError(`configuration: ${Value.Errors(known, values).map(describe).join('; ')}`);
}

/** The value that the text of a variable means; the text itself if it means none. */
function valueIn(text: string, schema: TSchema): string | number | boolean {
  if (IsString(schema)) return text;
  if (IsBoolean(schema)) return text === 'true' || (text === 'false' ? false : text);
  const number = Number(text);
  return Number.isFinite(number) ? number : text;
}

function describe({ instancePath, keyword, message, params }: TLocalizedValidationError): string {
  const name = instancePath.slice(1);
  if (keyword === 'pattern') return `${name} must be ${patternTexts[name]}`;
  return `${name} ${message}${keyword === 'enum' ? `: ${params.allowedValues.join(', ')}` : ''}`;
}
