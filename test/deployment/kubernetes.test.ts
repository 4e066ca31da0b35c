/** The manifests of docker/kubernetes, held to the published schemas, to the service's limits, and to each other. */
import { readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import t from 'tap';
import { parse, parseAllDocuments } from 'yaml';
import { readConfig } from '../../src/config.ts';
import { longestConversionMs } from '../../src/convert/time-limits.ts';
import { isAllowedAddress } from '../../src/outbound/addresses.ts';
import { builtPrograms, read, root, typeErrors } from './support/files.ts';
import { bytesOf, serverBytes } from './support/memory.ts';

const require = createRequire(import.meta.url);

interface Model {
  validate(): void;
}
type Manifest = Readonly<Record<string, unknown>> & {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly labels?: Readonly<Record<string, string>> };
};

const KUBERNETES = 'docker/kubernetes';
/** What a cluster can take that has the custom resources for it. */
const COMPONENTS = ['gateway', 'keda', 'monitoring'];
const namesIn = (folder: string) =>
  readdirSync(join(root, folder))
    .filter((name) => name.endsWith('.yaml') && name !== 'kustomization.yaml')
    .sort();
const manifestsIn = (folder: string) =>
  namesIn(folder)
    .flatMap((name) => parseAllDocuments(read(`${folder}/${name}`)))
    .map((document) => document.toJS() as Manifest);
const base = manifestsIn(KUBERNETES);
const components = COMPONENTS.flatMap((name) => manifestsIn(`${KUBERNETES}/${name}`));
const manifests = [...base, ...components];

/** The only manifest of a kind, or the one of this name. */
function the<Spec>(kind: string, name = 'platen'): Manifest & { readonly spec: Spec } {
  const found = manifests.filter((each) => each.kind === kind && each.metadata.name === name);
  if (found.length !== 1) throw new Error(`${found.length} of ${kind} ${name}`);
  return found[0] as Manifest & { readonly spec: Spec };
}

/** The npm package that has the schema of an API. */
function packageOf(apiVersion: string): string {
  const [group = ''] = apiVersion.split('/');
  const packages: Readonly<Record<string, string>> = {
    'monitoring.coreos.com': '@kubernetes-models/prometheus-operator',
    'keda.sh': '@kubernetes-models/keda',
    'gateway.networking.k8s.io': '@kubernetes-models/gateway-api',
  };
  return `${packages[group] ?? 'kubernetes-models'}/${apiVersion}`;
}

interface Container {
  readonly args?: readonly string[];
  readonly ports?: readonly { readonly name: string }[];
  readonly resources: Readonly<Record<'requests' | 'limits', Readonly<Record<string, string>>>>;
}
interface Volume {
  readonly name: string;
  readonly emptyDir?: { readonly medium?: string; readonly sizeLimit?: string };
  readonly secret?: { readonly secretName: string; readonly items: readonly { readonly key: string }[] };
}
interface DeploymentSpec {
  readonly selector: { readonly matchLabels: object };
  readonly template: {
    readonly metadata: { readonly labels: object };
    readonly spec: {
      readonly terminationGracePeriodSeconds: number;
      readonly containers: readonly [Container];
      readonly volumes: readonly Volume[];
    };
  };
}

const config = readConfig((the('ConfigMap') as unknown as { data: Record<string, string> }).data);
const servers = the<DeploymentSpec>('Deployment');
const egress = the<DeploymentSpec>('Deployment', 'platen-egress');

t.test('every value is one that the cluster takes', async (t) => {
  for (const manifest of manifests) {
    const models = require(packageOf(manifest.apiVersion)) as Record<string, new (of: Manifest) => Model>;
    const Kind = models[manifest.kind];
    if (!Kind) throw new Error(`there is no ${manifest.kind} in ${manifest.apiVersion}`);
    t.doesNotThrow(() => new Kind(manifest).validate(), manifest.kind);
  }
});

t.test('every field is one that there is', async (t) => {
  // The schemas let unknown fields through; the types do not.
  const lines = manifests.map(
    ({ apiVersion, kind, ...rest }, index) =>
      `import type { I${kind} as K${index} } from '${packageOf(apiVersion)}';\n` +
      `export const m${index}: K${index} = ${JSON.stringify({ apiVersion, kind, ...rest })};\n`,
  );
  t.equal(await typeErrors(t, lines.join('')), '');
});

t.test('kustomize finds the files', async (t) => {
  const resourcesOf = (folder: string) =>
    (parse(read(`${folder}/kustomization.yaml`)) as { kind: string; resources: string[] }).resources;
  t.same(namesIn(KUBERNETES), [...resourcesOf(KUBERNETES)].sort());
  for (const name of COMPONENTS) {
    const folder = `${KUBERNETES}/${name}`;
    t.match(parse(read(`${folder}/kustomization.yaml`)), { kind: 'Component' });
    t.same(namesIn(folder), [...resourcesOf(folder)].sort(), name);
    t.match(read(`${KUBERNETES}/kustomization.yaml`), `#   - ${name}\n`, 'the base names it');
  }
  for (const { apiVersion, kind } of base) {
    t.equal(packageOf(apiVersion), `kubernetes-models/${apiVersion}`, `any cluster has ${kind}`);
  }
});

t.test('the files find each other', async (t) => {
  const labels = servers.spec.template.metadata.labels;
  t.same(labels, servers.spec.selector.matchLabels);
  t.same(the<{ selector: object }>('Service').spec.selector, labels);
  t.same(the<DeploymentSpec>('PodDisruptionBudget').spec.selector.matchLabels, labels);
  t.same(the<{ podSelector: { matchLabels: object } }>('NetworkPolicy').spec.podSelector.matchLabels, labels);
  t.same(egress.spec.template.metadata.labels, egress.spec.selector.matchLabels);
  const policy = the<{ podSelector: { matchLabels: object } }>('NetworkPolicy', 'platen-egress');
  t.same(policy.spec.podSelector.matchLabels, egress.spec.selector.matchLabels);
  const scaler = the<{ scaleTargetRef: { name: string } }>('HorizontalPodAutoscaler');
  t.equal(scaler.spec.scaleTargetRef.name, servers.metadata.name);
});

t.test('the scrape goes to the port of the service, with the token of its secret', async (t) => {
  const { spec } = the<{
    selector: { matchLabels: object };
    endpoints: [{ port: string; authorization: { credentials: { name: string; key: string } } }];
  }>('ServiceMonitor');
  const service = the<{ ports: { name: string; port: number; targetPort: string }[] }>('Service');
  t.match(service.metadata.labels, spec.selector.matchLabels);
  const [{ port, authorization }] = spec.endpoints;
  const target = service.spec.ports.find(({ name }) => name === port)?.targetPort;
  const { containers, volumes } = servers.spec.template.spec;
  t.ok(containers[0].ports?.some(({ name }) => name === target));
  const secret = volumes.find(({ secret }) => secret)?.secret;
  t.equal(authorization.credentials.name, secret?.secretName);
  t.ok(secret?.items.some(({ key }) => key === authorization.credentials.key));
});

t.test('KEDA scales as the autoscaler does that it replaces', async (t) => {
  const scaler = the<{ minReplicas: number; maxReplicas: number; behavior: object; metrics: object[] }>(
    'HorizontalPodAutoscaler',
  );
  const { spec } = the<{
    scaleTargetRef: { name: string };
    minReplicaCount: number;
    maxReplicaCount: number;
    advanced: { horizontalPodAutoscalerConfig: { behavior: object } };
    triggers: { type: string; metadata: Record<string, string> }[];
  }>('ScaledObject');
  t.equal(spec.scaleTargetRef.name, servers.metadata.name);
  t.equal(spec.minReplicaCount, scaler.spec.minReplicas);
  t.equal(spec.maxReplicaCount, scaler.spec.maxReplicas);
  t.same(spec.advanced.horizontalPodAutoscalerConfig.behavior, scaler.spec.behavior);
  const cpu = spec.triggers.find(({ type }) => type === 'cpu')?.metadata.value;
  t.match(scaler.spec.metrics, [{ resource: { name: 'cpu', target: { averageUtilization: Number(cpu) } } }]);
  const { patches } = parse(read(`${KUBERNETES}/keda/kustomization.yaml`)) as {
    patches: [{ patch: string }];
  };
  const { apiVersion, kind, metadata } = scaler;
  t.same(parse(patches[0].patch), { apiVersion, kind, metadata, $patch: 'delete' }, 'it is removed');
});

t.test('the gateway lets through what customers may reach, for as long as it takes', async (t) => {
  const { spec } = the<{
    parentRefs: [{ name: string }];
    hostnames: string[];
    rules: {
      matches: { path: { type: string; value: string } }[];
      timeouts: Record<string, string>;
      backendRefs: [{ name: string; port: number }];
    }[];
  }>('HTTPRoute');
  const gateway = the<{ listeners: { protocol: string; hostname: string }[] }>('Gateway');
  t.equal(spec.parentRefs[0].name, gateway.metadata.name);
  for (const { protocol, hostname } of gateway.spec.listeners) {
    t.equal(protocol, 'HTTPS');
    t.same(spec.hostnames, [hostname]);
  }
  const paths = spec.rules.flatMap(({ matches }) => matches.map(({ path }) => path));
  const isRouted = (path: string) =>
    paths.some(
      ({ type, value }) => path === value || (type === 'PathPrefix' && path.startsWith(`${value}/`)),
    );
  for (const inside of ['/metrics', '/operator/v1/health', '/dashboard', '/dashboard/', '/operator'])
    t.notOk(isRouted(inside), inside);
  const documented = ['openapi', 'console'].flatMap((name) =>
    Object.keys((JSON.parse(read(`openapi/${name}.json`)) as { paths: object }).paths),
  );
  const texts = ['/docs', '/llms.txt', '/sample.docx', '/.well-known/security.txt'];
  for (const path of ['/', '/console', '/console/keys', '/assets/a.js', '/v1/docs', ...texts, ...documented])
    t.ok(isRouted(path), path);
  for (const { timeouts, backendRefs } of spec.rules) {
    t.same(Object.keys(timeouts), ['request', 'backendRequest']);
    for (const timeout of Object.values(timeouts)) {
      t.match(timeout, /^\d+s$/);
      t.ok(Number.parseInt(timeout, 10) * 1000 > longestConversionMs(config), timeout);
    }
    const service = the<{ ports: { port: number }[] }>('Service');
    t.equal(backendRefs[0].name, service.metadata.name);
    t.ok(service.spec.ports.some(({ port }) => port === backendRefs[0].port));
  }
});

t.test('no pod may use more than was set aside for it', async (t) => {
  for (const { metadata, spec } of [servers, egress]) {
    const { containers, volumes } = spec.template.spec;
    const [{ resources }] = containers;
    const { name } = metadata;
    for (const kind of ['memory', 'ephemeral-storage']) {
      t.ok(resources.limits[kind], `${name}: ${kind}`);
      t.equal(resources.requests[kind], resources.limits[kind], `${name}: ${kind}`);
    }
    t.ok(resources.requests.cpu, name);
    for (const { emptyDir, name: volume } of volumes)
      if (emptyDir) t.ok(emptyDir.sizeLimit, `${name}: ${volume}`);
  }
  const { containers, volumes } = servers.spec.template.spec;
  const documents = bytesOf(String(volumes.find(({ name }) => name === 'documents')?.emptyDir?.sizeLimit));
  t.ok(serverBytes(config, documents) <= bytesOf(String(containers[0].resources.limits.memory)));
  t.equal(Number(containers[0].resources.requests.cpu), config.workers, 'a CPU for each worker');
});

t.test('what runs may end', async (t) => {
  const grace = servers.spec.template.spec.terminationGracePeriodSeconds * 1000;
  t.ok(grace > longestConversionMs(config) + config.drainDelayMs);
});

t.test('only egress reaches the outside', async (t) => {
  interface PolicySpec {
    readonly ingress?: object[];
    readonly egress: { readonly to: { readonly ipBlock?: { cidr: string; except?: string[] } }[] }[];
  }
  const blocks = (name: string) =>
    the<PolicySpec>('NetworkPolicy', name).spec.egress.flatMap(({ to }) =>
      to.flatMap(({ ipBlock }) => ipBlock ?? []),
    );
  t.same(blocks('platen'), []);
  const [four, six] = blocks('platen-egress');
  t.equal(four?.cidr, '0.0.0.0/0');
  for (const range of four?.except ?? []) {
    t.notOk(isAllowedAddress(String(range.split('/')[0]), []), `${range}: nor by the process`);
  }
  t.equal(six?.cidr, '2000::/3');
  t.same(the<PolicySpec>('NetworkPolicy', 'platen-egress').spec.ingress ?? [], []);
  const { containers, volumes } = egress.spec.template.spec;
  t.ok(builtPrograms.includes(String(containers[0].args?.at(-1))), 'its program is built');
  t.notMatch(JSON.stringify(volumes), 'operator-token');
});
