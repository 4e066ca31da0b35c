/** docker-compose.yml as an operator uses it: three servers behind the load balancer, secrets, Redis. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import t from 'tap';
import { until } from '../support/until.ts';
import { convert, textOf } from './support/convert.ts';
import { addressOf, compose, docker, statusOf, tryDocker } from './support/docker.ts';

const root = new URL('../..', import.meta.url).pathname;
const BALANCER = 'http://127.0.0.1:8080';
const SERVERS = 3;

async function up(...options: string[]): Promise<void> {
  await compose('up', '--detach', '--no-build', '--pull=never', `--scale=platen=${SERVERS}`, ...options);
}

async function servers(): Promise<string[]> {
  return (await compose('ps', '--quiet', 'platen')).split('\n').filter((id) => id !== '');
}

async function command<T>(...args: string[]): Promise<T> {
  return JSON.parse(await compose('exec', '--no-TTY', 'platen', 'platen', ...args, '--json')) as T;
}

const ready = async () => (await statusOf(`${BALANCER}/health/ready`)) === 200;
/** All servers in the balancer's view: so many answers in turn come from as many of them. */
const serversSeen = async () =>
  (
    await Promise.all(
      (
        await servers()
      ).map(async (id) => statusOf(`http://${await addressOf(id, 'platen_servers')}:3000/health/ready`)),
    )
  ).filter((status) => status === 200).length;

t.before(async () => {
  // Secrets are made once: a second call keeps them.
  for (let time = 0; time < 2; time++) execFileSync('sh', ['docker/make-secrets.sh'], { cwd: root });
  await tryDocker('compose', 'down', '--volumes', '--timeout=5');
  await up();
  await until('the balancer has a server', ready, 240_000).catch(async (error) => {
    console.error((await tryDocker('compose', 'logs', '--tail=20')).stdout);
    throw error;
  });
  await until('all servers are ready', async () => (await serversSeen()) === SERVERS, 120_000);
});

t.teardown(async () => {
  await tryDocker('compose', 'down', '--volumes', '--timeout=5');
});

t.test('egress works with its own Redis user', async () => {
  await until('it is open', async () => (await compose('logs', 'egress')).includes('egress is ready'));
});

t.test('all servers share the work, and know whom they work for', async (t) => {
  const account = await command<{ id: string }>(
    'accounts',
    'create',
    '--name',
    'Acme',
    '--plan',
    'enterprise',
  );
  const options = ['keys', 'create', '--account', account.id, '--name', 'a', '--env', 'live', '--type', 'sk'];
  const { key } = await command<{ key: string }>(...options);

  /** How many documents a server has converted. */
  const conversionsOf = async (id: string): Promise<number> => {
    const token = readFileSync(join(root, 'docker/secrets/operator-token'), 'utf8').trim();
    const url = `http://${await addressOf(id, 'platen_servers')}:3000/metrics`;
    const metrics = await (await fetch(url, { headers: { authorization: `Bearer ${token}` } })).text();
    const [, count = '0'] =
      /^platen_conversions_total\{class="live",outcome="success"\} (\d+)/m.exec(metrics) ?? [];
    return Number(count);
  };

  await t.test('conversions through the balancer', async (t) => {
    const texts = Array.from({ length: 24 }, (_, index) => `Document ${index}.`);
    const conversions = await Promise.all(texts.map((text) => convert(BALANCER, text, key)));
    for (const [index, { code, pdf }] of conversions.entries()) {
      t.equal(code, undefined);
      t.match(await textOf(pdf), texts[index]);
    }
    for (const id of await servers()) t.ok((await conversionsOf(id)) > 0, 'each server did some');
  });

  await t.test(
    'the address of a client is the one that the balancer saw, not the one that it claims',
    async (t) => {
      const { stdout } = await tryDocker(
        'network',
        'inspect',
        '--format={{(index .IPAM.Config 0).Gateway}}',
        'platen_edge',
      );
      const seen = stdout.trim();
      const balancer = (await compose('ps', '--quiet', 'balancer')).trim();
      const base = `http://${await addressOf(balancer, 'platen_edge')}:8080`;
      const mine = await command<{ key: string }>(...options, '--ip', seen);
      t.equal((await convert(base, 'Mine', mine.key)).code, undefined);
      const other = await command<{ key: string }>(...options, '--ip', '203.0.113.7');
      const headers = { 'x-forwarded-for': '203.0.113.7', forwarded: 'for=203.0.113.7' };
      t.match((await convert(base, 'Claimed', other.key, headers)).code, /^IP_NOT_ALLOWED/);
    },
  );

  await t.test('no request fails while all servers are replaced, as the documentation says', async (t) => {
    const old = await servers();
    const codes: (string | undefined)[] = [];
    let done = false;
    const senders = Array.from({ length: 3 }, async () => {
      while (!done) codes.push((await convert(BALANCER, 'On the way', key)).code);
    });
    try {
      await compose(
        'up',
        '--detach',
        '--no-build',
        '--pull=never',
        '--no-recreate',
        `--scale=platen=${2 * SERVERS}`,
      );
      for (const id of await servers()) {
        const isReady = async () =>
          (await tryDocker('exec', id, 'node', 'health.mjs', '/health/ready')).code === 0;
        await until('ready', isReady, 90_000);
        await until('the balancer has found it', async () => (await conversionsOf(id)) > 0, 30_000);
      }
      await docker('stop', '--time=60', ...old);
    } finally {
      done = true;
      await Promise.all(senders);
    }
    for (const id of old) t.equal(await docker('inspect', '--format={{.State.ExitCode}}', id), '0');
    await docker('rm', ...old);
    t.equal((await servers()).length, SERVERS);
    t.ok(codes.length > 10, `${codes.length} conversions meanwhile`);
    // Three servers that start may take all of the test's machine, and a server says so.
    const failures = codes.filter((code) => code !== undefined && !code.startsWith('OVERLOADED'));
    t.same(failures, []);
  });

  await t.test('what Redis holds outlives its container', async (t) => {
    await compose('rm', '--force', '--stop', 'redis');
    await until('the balancer has nobody', async () => (await statusOf(`${BALANCER}/health/ready`)) === 503);
    await up();
    // Each finds Redis by itself, within about a second.
    await until('all are ready again', async () => (await serversSeen()) === SERVERS, 60_000);
    await until('the balancer knows', ready);
    t.equal((await convert(BALANCER, 'Still known', key)).code, undefined);
  });
});

t.test('the balancer keeps the metrics to itself', async (t) => {
  t.equal(await statusOf(`${BALANCER}/metrics`), 404);
  t.equal(await statusOf(`${BALANCER}/dashboard`), 200, 'from a private network the dashboard is open');
});

t.test('no server gets out but to Redis', async (t) => {
  const outside = createServer((_request, response) => response.end('out'));
  await new Promise<void>((resolve) => outside.listen(0, resolve));
  t.teardown(() => outside.close());
  const { port } = outside.address() as AddressInfo;
  const gateway = await docker(
    'network',
    'inspect',
    '--format={{(index .IPAM.Config 0).Gateway}}',
    'platen_edge',
  );
  t.equal(await statusOf(`http://${gateway}:${port}/`), 200, 'it is there');
  const attempt = `fetch('http://${gateway}:${port}/').then(() => process.exit(0), ({ cause }) => { console.log(cause.code); process.exit(1); })`;
  const { code, stdout } = await tryDocker(
    'compose',
    'exec',
    '--no-TTY',
    'platen',
    'node',
    '--eval',
    attempt,
  );
  t.equal(code, 1);
  t.match(stdout, /ENETUNREACH|EHOSTUNREACH|ETIMEDOUT/);
});
