import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join, resolve } from 'node:path';
import t from 'tap';
import { environment, readConfig } from '../src/config.ts';
import { OperatorError } from '../src/errors.ts';
import { secrets } from '../src/system/secret-files.ts';

const MEGABYTE = 1_048_576;

t.test('an empty environment gives the defaults', async (t) => {
  t.match(readConfig({}), {
    host: '127.0.0.1',
    port: 3000,
    dataDir: resolve('.platen'),
    workDir: undefined,
    redisUrl: undefined,
    s3: undefined,
    plansFile: undefined,
    fontsDir: undefined,
    trustProxy: [],
    accept: ['docx'],
    engine: 'kit',
    workers: availableParallelism(),
    maxFileBytes: 25 * MEGABYTE,
    publicMaxFileBytes: 5 * MEGABYTE,
    publicPerHour: 20,
    publicPerSecond: 2,
    logLevel: 'info',
  });
});

t.test('an empty variable counts as unset, and unknown ones do not matter', async (t) => {
  const variables = [
    'HOST',
    'PORT',
    'DATA_DIR',
    'REDIS_URL',
    'PLANS_FILE',
    'ENGINE',
    'WORKERS',
    'MAX_FILE_MB',
    'LOG_LEVEL',
  ];
  const empty = Object.fromEntries(variables.map((name) => [name, '']));
  t.same(readConfig({ ...empty, PATH: '/bin', SOMETHING: 'else', NOTHING: undefined }), readConfig({}));
});

t.test('values are parsed', async (t) => {
  const config = readConfig({
    HOST: '0.0.0.0',
    PORT: '0',
    DATA_DIR: '/var/lib/platen',
    WORK_DIR: '/dev/shm/jobs',
    REDIS_URL: 'rediss://user:password@redis.example:6380/1',
    PLANS_FILE: '/etc/platen/plans.json',
    TRUST_PROXY: '10.0.0.0/8, 2001:db8::/32,192.0.2.1,',
    OPERATOR_TOKEN: '16-characters---',
    ENGINE: 'kit',
    SANDBOX: 'required',
    WORKERS: '3',
    QUEUE_LIMIT: '0',
    JOB_MEMORY_MB: '512',
    MAX_FILE_MB: '0.5',
    LOG_LEVEL: 'silent',
  });
  t.match(config, {
    host: '0.0.0.0',
    port: 0,
    dataDir: '/var/lib/platen',
    workDir: '/dev/shm/jobs',
    redisUrl: 'rediss://user:password@redis.example:6380/1',
    plansFile: '/etc/platen/plans.json',
    trustProxy: ['10.0.0.0/8', '2001:db8::/32', '192.0.2.1'],
    operatorToken: '16-characters---',
    engine: 'kit',
    sandbox: 'required',
    workers: 3,
    queueLimit: 0,
    jobMemoryBytes: 512 * MEGABYTE,
    maxFileBytes: MEGABYTE / 2,
    logLevel: 'silent',
  });
  t.strictSame(readConfig({ S3_BUCKET: 'our-jobs.2' }).s3, {
    bucket: 'our-jobs.2',
    endpoint: undefined,
    region: 'us-east-1',
    pathStyle: false,
    redirect: true,
  });
  const minio = {
    S3_ENDPOINT: 'http://minio:9000',
    S3_REGION: 'garage',
    S3_PATH_STYLE: 'true',
    S3_REDIRECT: 'false',
  };
  t.strictSame(readConfig({ S3_BUCKET: 'jobs', ...minio }).s3, {
    bucket: 'jobs',
    endpoint: 'http://minio:9000',
    region: 'garage',
    pathStyle: true,
    redirect: false,
  });
  t.equal(readConfig({ JOB_RETENTION_HOURS: '0.07' }).jobRetentionMs, 252_000, 'Redis takes no fractions');
  t.equal(readConfig({ REDIS_URL: '/run/redis.sock' }).redisUrl, '/run/redis.sock');
  t.equal(readConfig({ PLANS_FILE: 'plans.json' }).plansFile, resolve('plans.json'), 'absolute');
  t.strictSame(readConfig({ ACCEPT: ' dotm, docx,docm, ' }).accept, ['docx', 'docm', 'dotm']);
  t.strictSame(
    readConfig({ SECURITY_CONTACT: 'mailto:a@example.com, https://example.com/report,tel:+1-201-555-0123' })
      .securityContacts,
    ['mailto:a@example.com', 'https://example.com/report', 'tel:+1-201-555-0123'],
  );
  t.equal(readConfig({ FONTS_DIR: 'fonts' }).fontsDir, resolve('fonts'), 'absolute');
});

t.test('an address of S3 without a bucket is a mistake', async (t) => {
  t.throws(() => readConfig({ S3_ENDPOINT: 'http://minio:9000' }), {
    name: 'OperatorError',
    message: 'configuration: S3_ENDPOINT needs S3_BUCKET, the bucket to use there',
  });
});

t.test('the configuration cannot be changed', async (t) => {
  t.ok(Object.isFrozen(readConfig({})));
});

t.test('a bad value is refused and named', async (t) => {
  const bad: readonly (readonly [string, readonly string[]])[] = [
    ['PORT', ['-1', '65536', 'http', '80.5']],
    ['OPERATOR_TOKEN', ['short', '15-characters--', 'two words of a token', 'x'.repeat(201)]],
    ['REDIS_URL', ['http://redis', 'redis', 'localhost:6379']],
    [
      'TRUST_PROXY',
      [
        'proxy.example',
        '10.0.0.0/33',
        '010.0.0.0/8',
        '10/8',
        '10.0.0',
        '10',
        'true',
        '10.0.0.1 10.0.0.2',
        '*',
      ],
    ],
    ['ACCEPT', ['docx,doc', 'DOCX', '.docx', 'docm,dotx', ',', 'docx docm']],
    ['S3_BUCKET', ['ab', 'Bucket', 'a bucket', 's3://bucket', 'bucket/folder', '-bucket', 'b'.repeat(64)]],
    ['S3_ENDPOINT', ['minio:9000', 'http://', 'https://minio:x', 'https://minio?a=b']],
    ['S3_REGION', ['EU', 'eu central', 'https://minio']],
    ['S3_PATH_STYLE', ['yes', 'on', '2']],
    ['S3_REDIRECT', ['no', '0']],
    ['JOB_RETENTION_HOURS', ['0', '0.001', '721', '1d']],
    ['OIDC_ISSUER', ['login.example.com', 'ftp://login.example.com']],
    ['OIDC_ONLY', ['yes', '1']],
    [
      'SECURITY_CONTACT',
      ['a@example.com', 'http://example.com', 'mailto:a', 'mailto:a b@example.com', 'tel:x'],
    ],
    ['ENGINE', ['warm', 'KIT']],
    ['SANDBOX', ['off', 'yes']],
    ['WORKERS', ['Infinity', '-Infinity', '0', '256', 'two', '1.5', '-1']],
    ['QUEUE_LIMIT', ['-1', 'none', 'Infinity', 'NaN']],
    ['QUEUE_TIMEOUT_MS', ['0', '10s']],
    ['CONVERT_TIMEOUT_MS', ['0', '-5']],
    ['UPLOAD_LIMIT', ['0', 'many']],
    ['HEADERS_TIMEOUT_MS', ['0', '300001']],
    ['MAX_CONNECTIONS', ['0', 'many']],
    ['MAX_EVENT_LOOP_DELAY_MS', ['0', '0.5']],
    ['UPLOAD_TIMEOUT_MS', ['0', 'soon']],
    ['DRAIN_DELAY_MS', ['-1', '300001']],
    ['KIT_MAX_DOCUMENTS', ['0', 'x']],
    ['DOCUMENTS_PER_CHILD', ['0', '101', 'all']],
    ['JOB_MEMORY_MB', ['255', '1e9']],
    ['MAX_FILE_MB', ['0', '-1', '1025', 'big']],
    ['PUBLIC_MAX_FILE_MB', ['0', '5MB']],
    ['PUBLIC_PER_HOUR', ['0', 'unlimited']],
    ['PUBLIC_PER_SECOND', ['0', '2.5']],
    ['HEALTH_INTERVAL_MS', ['99', 'often']],
    ['LOG_LEVEL', ['verbose', 'INFO']],
  ];
  for (const [name, values] of bad) {
    for (const value of values) {
      t.throws(
        () => readConfig({ [name]: value }),
        { name: 'OperatorError', message: new RegExp(`\\b${name}\\b`) },
        `${name}=${value}`,
      );
    }
  }
});

t.test('the former name of WORK_DIR is refused, as documents would be elsewhere', async (t) => {
  t.throws(() => readConfig({ JOBS_DIR: '/run/platen/jobs' }), /JOBS_DIR is called WORK_DIR now/);
  t.doesNotThrow(() => readConfig({ JOBS_DIR: '' }));
});

t.test(
  'the error is one for the operator and does not repeat a URL, which may hold a password',
  async (t) => {
    for (const name of ['REDIS_URL', 'S3_ENDPOINT']) {
      const scheme = name === 'REDIS_URL' ? 'http' : 'https';
      try {
        readConfig({ S3_BUCKET: 'jobs', [name]: `${scheme}://user:hunter2@host` });
        t.fail('it was accepted');
      } catch (error) {
        t.ok(error instanceof OperatorError);
        t.notMatch(String(error), /hunter2/);
      }
    }
  },
);

t.test('docs/configuration.md has each variable with its bounds and default, and no other', async (t) => {
  const page = readFileSync(join(import.meta.dirname, '../docs/configuration.md'), 'utf8');
  const rows = new Map(
    [...page.matchAll(/^\| `([A-Z0-9_]+)` \| (.+?) \| (.+?) \| .+ \|$/gm)].map(
      ([, name = '', type = '', fallback = '']) => [name, { type, fallback }] as const,
    ),
  );
  const variables = Object.entries(environment.properties) as [string, Setting][];
  const names = [...variables.map(([name]) => name), ...secrets.map((name) => `${name}_FILE`)];
  t.strictSame([...rows.keys()].sort(), names.sort());
  for (const [name, setting] of variables) {
    const row = rows.get(name);
    const bounds = boundsOf(setting);
    if (bounds !== undefined) t.equal(row?.type, bounds, `${name}: type`);
    const fallback = setting.default === '' ? 'none' : `\`${setting.default}\``;
    // As many as this machine has, so the page cannot say a number.
    t.equal(row?.fallback, name === 'WORKERS' ? 'cores' : fallback, `${name}: default`);
  }
});

interface Setting {
  readonly type?: string;
  readonly default?: unknown;
  readonly enum?: readonly unknown[];
  readonly minimum?: number;
  readonly exclusiveMinimum?: number;
  readonly maximum?: number;
}

/** As the page says it; undefined for a text. */
function boundsOf(setting: Setting): string | undefined {
  if (setting.type === 'boolean') return 'true, false';
  if (setting.enum) return setting.enum.join(', ');
  if (setting.maximum === undefined) return undefined;
  const from =
    setting.exclusiveMinimum === undefined ? `${setting.minimum}` : `above ${setting.exclusiveMinimum}`;
  return `${from} to ${setting.maximum}`;
}

t.test('telemetry is sent where the standard variables of OpenTelemetry say so', async (t) => {
  const endpoint = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318' };
  const metrics = { protocol: 'http/protobuf', intervalMs: 60_000, timeoutMs: 30_000 };
  const both = { serviceName: 'platen', traces: true, metrics };
  const none = { OTEL_TRACES_EXPORTER: 'none', OTEL_METRICS_EXPORTER: 'none' };
  for (const [variables, settings] of [
    [{}, undefined],
    [endpoint, both],
    [{ OTEL_TRACES_EXPORTER: 'otlp' }, { ...both, metrics: undefined }],
    [{ OTEL_METRICS_EXPORTER: 'otlp' }, { ...both, traces: false }],
    [{ OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'https://traces/v1' }, { ...both, metrics: undefined }],
    [{ OTEL_EXPORTER_OTLP_METRICS_ENDPOINT: 'https://metrics/v1' }, { ...both, traces: false }],
    [
      { ...endpoint, OTEL_METRICS_EXPORTER: 'none' },
      { ...both, metrics: undefined },
    ],
    [{ ...endpoint, ...none }, undefined],
    [{ ...endpoint, OTEL_SDK_DISABLED: 'true' }, undefined],
    [{ OTEL_SERVICE_NAME: 'pdf', OTEL_TRACES_SAMPLER: 'always_on' }, undefined],
    [
      {
        ...endpoint,
        OTEL_SERVICE_NAME: 'pdf',
        OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc',
        OTEL_EXPORTER_OTLP_METRICS_PROTOCOL: 'http/json',
        OTEL_METRIC_EXPORT_INTERVAL: '5000',
      },
      {
        serviceName: 'pdf',
        traces: true,
        metrics: { protocol: 'http/json', intervalMs: 5_000, timeoutMs: 5_000 },
      },
    ],
  ] as const) {
    t.strictSame(readConfig(variables).telemetry, settings, JSON.stringify(variables));
  }
  for (const [name, value] of [
    ['OTEL_EXPORTER_OTLP_ENDPOINT', 'collector:4318'],
    ['OTEL_TRACES_EXPORTER', 'console'],
    ['OTEL_METRICS_EXPORTER', 'prometheus'],
    ['OTEL_EXPORTER_OTLP_PROTOCOL', 'http'],
    ['OTEL_TRACES_SAMPLER', 'sometimes'],
    ['OTEL_TRACES_SAMPLER_ARG', '10'],
    ['OTEL_SDK_DISABLED', 'yes'],
  ] as const) {
    t.throws(() => readConfig({ [name]: value }), { name: 'OperatorError', message: new RegExp(name) });
  }
});

t.test('PUBLIC_URL is the address of a host that has passkeys', async (t) => {
  t.equal(readConfig({}).publicUrl, undefined);
  for (const [text, origin] of [
    ['https://pdf.example.com', 'https://pdf.example.com'],
    ['https://PDF.example.com:8443/', 'https://pdf.example.com:8443'],
    ['http://localhost:3000', 'http://localhost:3000'],
  ] as const) {
    t.equal(readConfig({ PUBLIC_URL: text }).publicUrl, origin);
  }
  for (const text of [
    'pdf.example.com',
    'http://pdf.example.com',
    'https://192.0.2.1',
    'https://[::1]',
    'https://pdf.example.com/path',
    'https://user@pdf.example.com',
    'https://pdf.example.com/?a',
    'javascript:alert(1)',
  ]) {
    t.throws(() => readConfig({ PUBLIC_URL: text }), /PUBLIC_URL must be https/, text);
    t.throws(() => readConfig({ DASHBOARD_URL: text }), /DASHBOARD_URL must be https/, text);
  }
  const PUBLIC_URL = 'https://pdf.example.com';
  const DASHBOARD_URL = 'https://ops.example.com';
  t.equal(readConfig({ PUBLIC_URL }).dashboardUrl, PUBLIC_URL);
  t.match(readConfig({ PUBLIC_URL, DASHBOARD_URL }), { publicUrl: PUBLIC_URL, dashboardUrl: DASHBOARD_URL });
});

t.test('e-mail needs an address of the service, and a sender', async (t) => {
  const mail = { SMTP_URL: 'smtps://user:secret@mail.example', MAIL_FROM: 'a@example.com' };
  const PUBLIC_URL = 'https://pdf.example.com';
  t.strictSame(readConfig({ ...mail, PUBLIC_URL }).mail, {
    url: mail.SMTP_URL,
    from: 'a@example.com',
    publicUrl: PUBLIC_URL,
  });
  for (const env of [
    mail,
    { ...mail, PUBLIC_URL, MAIL_FROM: '' },
    { ...mail, PUBLIC_URL, MAIL_FROM: 'a@b, c@d' },
    { ...mail, PUBLIC_URL, SMTP_URL: 'https://mail.example' },
    { ...mail, PUBLIC_URL, SMTP_URL: 'smtp://secret@:x' },
  ]) {
    const attempt = () => readConfig(env);
    t.throws(attempt, /^configuration: .*SMTP_URL/);
    t.throws(attempt, /^((?!secret).)*$/);
  }
});

t.test('OpenID Connect needs all of its settings, and https', async (t) => {
  const env = {
    PUBLIC_URL: 'https://pdf.example.com',
    OIDC_ISSUER: 'https://login.example.com/realms/one',
    OIDC_CLIENT_ID: 'platen',
    OIDC_CLIENT_SECRET: 'hunter2',
  };
  t.strictSame(readConfig({ ...env, OIDC_ONLY: 'true' }).oidc, {
    issuer: env.OIDC_ISSUER,
    clientId: 'platen',
    clientSecret: 'hunter2',
    isOnly: true,
    publicUrl: env.PUBLIC_URL,
  });
  for (const OIDC_ISSUER of ['http://localhost:4000', 'http://127.0.0.1', 'http://[::1]:1']) {
    t.ok(readConfig({ ...env, OIDC_ISSUER }).oidc, 'on this machine');
  }
  for (const bad of [
    ...Object.keys(env).map((name) => ({ ...env, [name]: '' })),
    { OIDC_ONLY: 'true' },
    { ...env, OIDC_ISSUER: 'http://login.example.com' },
    { ...env, OIDC_ISSUER: 'http://localhost.example.com' },
    { ...env, OIDC_ISSUER: 'http://127.0.0.1.example.com' },
    { ...env, OIDC_ISSUER: 'https://user@login.example.com' },
    { ...env, OIDC_ISSUER: 'https://login.example.com?a=b' },
  ]) {
    t.throws(() => readConfig(bad), /^configuration: ((?!hunter2).)*OIDC_ISSUER((?!hunter2).)*$/);
  }
});
