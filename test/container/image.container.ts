/** The image by itself: what is in it, and the service in a container that may write nowhere but where it must. */
import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import t from 'tap';
import { until } from '../support/until.ts';
import { convert, textOf } from './support/convert.ts';
import { addressOf, docker, IMAGE, REDIS_IMAGE, statusOf, tryDocker } from './support/docker.ts';

const TOKEN = `platen_op_${randomBytes(16).toString('hex')}`;
/** The version of LibreOffice that the image was built with. */
const LIBREOFFICE = process.env.LIBREOFFICE ?? '';
const root = new URL('../..', import.meta.url).pathname;

/** Runs a shell command in the image, as its user unless other options are given. */
function inImage(command: string, ...options: string[]): Promise<string> {
  return docker('run', '--rm', '--network=none', ...options, '--entrypoint=sh', IMAGE, '-c', command);
}

t.test('the image says what it is, and runs as nobody in particular', async (t) => {
  const [image] = JSON.parse(await docker('image', 'inspect', IMAGE)) as [
    {
      Config: {
        User: string;
        Env: string[];
        Entrypoint: string[];
        Labels: Record<string, string>;
        Healthcheck?: unknown;
      };
      Size: number;
      RootFS: { Layers: string[] };
    },
  ];
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };
  t.equal(image.Config.User, '10001:10001');
  t.same(image.Config.Entrypoint, ['/usr/bin/tini', '--']);
  t.ok(image.Config.Env.includes('SANDBOX=required'));
  t.ok(image.Config.Healthcheck, 'it can be asked for its health');
  t.match(image.Config.Labels, {
    'org.opencontainers.image.title': 'Platen',
    'org.opencontainers.image.version': version,
    'org.opencontainers.image.licenses': 'MIT',
  });
  const layers = await docker('history', '--format', '{{.Size}}\t{{.CreatedBy}}', IMAGE);
  t.comment(`${Math.round(image.Size / 1e6)} MB in ${image.RootFS.Layers.length} layers\n${layers}`);
});

t.test('it has no tools of the build and no lists of packages', async (t) => {
  const names = ['gcc', 'cc', 'make', 'npm', 'npx', 'python3', 'curl', 'wget'];
  t.equal(await inImage(`for name in ${names.join(' ')}; do command -v $name; done; true`), '');
  t.equal(await inImage('find /var/lib/apt/lists /usr/include /build -type f 2>/dev/null; true'), '');
});

t.test('it has what platen compare reads PDFs with', async (t) => {
  t.match(
    await inImage('for name in pdftotext pdftoppm; do command -v $name; done'),
    /pdftotext\n.*pdftoppm/,
  );
});

t.test('it says what it is made of: packages of Debian, of npm, and their licences', async (t) => {
  const [libreOffice = '', ...counts] = (
    await inImage(
      'dpkg-query --show libreoffice-core | cut -f2; ' +
        'dpkg-query --list | grep -c ^ii; ls /srv/platen/node_modules | wc -l; ls /usr/share/doc/*/copyright | wc -l',
    )
  ).split('\n');
  t.match(libreOffice, `:${LIBREOFFICE}.`);
  for (const count of counts) t.ok(Number(count) > 20, count);
  await inImage('test -s /srv/platen/package-lock.json && test -x /srv/platen/dist/kit/platen-kit');
});

/** Fills the space for new objects, and prints its size in MiB and whether Node trusts more authorities than its own. */
const NODE_SCRIPT = `
  let kept = [];
  for (let n = 0; n < 1e7; n++) {
    kept.push({ n });
    if (kept.length > 3e5) kept = [];
  }
  const { space_size: size } = v8.getHeapSpaceStatistics().find(({ space_name: name }) => name === "new_space");
  const { getCACertificates: authorities } = tls;
  console.log(process.version, size / 2 ** 20, authorities("default").length > authorities("bundled").length);
`;

t.test('it has Node as the Dockerfile sets it up', async (t) => {
  const [, major] =
    /^ARG NODE=\S*node:(\d+)/m.exec(readFileSync(join(root, 'docker/Dockerfile'), 'utf8')) ?? [];
  t.match(await inImage(`node --eval '${NODE_SCRIPT}'`), new RegExp(`^v${major}\\.\\S+ 16 true\\n?$`));
  t.match(await inImage('cat /usr/share/doc/nodejs/copyright'), /Node\.js is licensed/);
});

t.test('the service may change nothing in it but its own folders', async (t) => {
  const found = await inImage('find / -xdev -writable ! -type l ! -path "/proc/*" ! -path "/dev/*"; true');
  const expected = ['/run/lock', '/run/platen', '/run/platen/data', '/tmp', '/var/tmp'];
  t.same(
    found.split('\n').filter((path) => !expected.includes(path)),
    [],
  );
});

/** Options of a container that may do next to nothing. */
const LOCKED = ['--read-only', '--cap-drop=ALL', '--security-opt=no-new-privileges', '--pids-limit=1024'];

t.test('one line without a Redis is a service to try', async (t) => {
  const id = randomBytes(4).toString('hex');
  const [first, second, volume] = [`first-${id}`, `second-${id}`, `data-${id}`];
  const folder = t.testdir();
  t.teardown(async () => {
    await tryDocker('rm', '--force', '--volumes', first, second);
    await tryDocker('volume', 'rm', volume);
  });
  const run = (name: string, ...options: string[]) =>
    docker(
      ...['run', '--detach', `--name=${name}`, '--publish=3000:3000'],
      ...[`--volume=${volume}:/run/platen/data`, ...options, IMAGE],
    );
  /** What it has printed. */
  const ready = async (name: string) => {
    const printed = async () => (await tryDocker('logs', name)).stdout;
    await until('ready', async () => (await printed()).includes('Stop with Ctrl-C.'), 60_000).catch(
      async (error) => {
        t.comment(await tryDocker('logs', name));
        throw error;
      },
    );
    return printed();
  };
  const list = async (name: string) =>
    JSON.parse(await docker('exec', name, 'platen', 'accounts', 'list', '--json')) as { id: string }[];
  const execute = promisify(execFile);

  await run(first);
  const text = await ready(first);
  const lines = text.split('\n').filter((line) => line.startsWith('  curl '));
  const key = /svc_live_sk_\w+/.exec(text)?.[0];

  await t.test('the printed commands work outside, when they are pasted', async (t) => {
    t.equal(lines.length, 2);
    await execute('sh', ['-ec', lines.join('\n')], { cwd: folder });
    t.match(await textOf(readFileSync(join(folder, 'sample.pdf'))), /\w{4}/);
    const [, command = ''] = /the token that "([^"]+)" prints/.exec(text) ?? [];
    const { stdout: token } = await execute('sh', ['-c', command]);
    const headers = { authorization: `Bearer ${token.trim()}` };
    t.equal(
      (await fetch('http://localhost:3000/metrics', { headers })).status,
      200,
      'also that for the token',
    );
  });

  await t.test('Docker finds it healthy', async (t) => {
    const healthy = async () =>
      (await docker('inspect', '--format={{.State.Health.Status}}', first)) === 'healthy';
    await until('healthy', healthy, 30_000);
    t.comment(await docker('stats', '--no-stream', '--format={{.MemUsage}}, {{.PIDs}} processes', first));
  });

  await t.test('a stop ends its Redis too, and the volume keeps everything', async (t) => {
    await docker(
      'exec',
      first,
      'platen',
      'accounts',
      'create',
      '--id',
      'kept',
      '--name',
      'Kept',
      '--plan',
      'pro',
    );
    await docker('stop', '--time=30', first);
    t.equal(await docker('inspect', '--format={{.State.ExitCode}}', first), '0');
    t.match((await tryDocker('logs', first)).stdout, /"msg":"stopped"/);
    await docker('rm', first);
    // The folder of the documents in memory, as in production.
    await run(second, ...LOCKED, '--tmpfs=/run/platen:uid=10001,gid=10001,mode=0700,size=1g,noexec');
    await ready(second);
    t.match(await list(second), [{ id: 'quickstart' }, { id: 'kept' }]);
    t.equal(
      (await convert('http://localhost:3000', 'Still known', key)).code,
      undefined,
      'with a read-only root',
    );
  });

  await t.test('another one does not touch the volume', async (t) => {
    const { code, stderr } = await tryDocker('run', '--rm', `--volume=${volume}:/run/platen/data`, IMAGE);
    t.equal(code, 1);
    t.match(stderr, 'another Platen is using /run/platen/data/redis');
  });
});

t.test('a container that may do next to nothing converts', async (t) => {
  const id = randomBytes(4).toString('hex');
  const [network, redis, platen] = [`net-${id}`, `redis-${id}`, `platen-${id}`];
  const secrets = t.testdir();
  await docker('network', 'create', network);
  t.teardown(async () => {
    await tryDocker('rm', '--force', '--volumes', platen, redis);
    await tryDocker('network', 'rm', network);
  });
  await writeFile(join(secrets, 'redis-url'), `redis://${redis}:6379\n`);
  await writeFile(join(secrets, 'operator-token'), `${TOKEN}\n`);
  await docker(
    'run',
    '--detach',
    `--name=${redis}`,
    `--network=${network}`,
    REDIS_IMAGE,
    'redis-server',
    '--protected-mode',
    'no',
  );
  const limits = [
    ...LOCKED,
    '--tmpfs=/run/platen:uid=10001,gid=10001,mode=0700,size=1g,noexec',
    '--memory=4g',
  ];
  await docker(
    'run',
    '--detach',
    `--name=${platen}`,
    `--network=${network}`,
    ...limits,
    `--volume=${secrets}:/run/secrets:ro`,
    '--env=REDIS_URL_FILE=/run/secrets/redis-url',
    '--env=OPERATOR_TOKEN_FILE=/run/secrets/operator-token',
    IMAGE,
  );
  const base = `http://${await addressOf(platen, network)}:3000`;
  await until('ready', async () => (await statusOf(`${base}/health/ready`)) === 200, 60_000).catch(
    async (error) => {
      t.comment(await tryDocker('logs', platen));
      throw error;
    },
  );

  await t.test(
    'a document, on the public endpoint and with a key that a command in the container made',
    async (t) => {
      const open = await convert(base, 'In a container');
      t.equal(open.code, undefined);
      t.match(await textOf(open.pdf), /In a container/);
      const command = ['exec', platen, 'platen', '--json'];
      const { id: account } = JSON.parse(
        await docker(
          ...command.slice(0, 3),
          'accounts',
          'create',
          '--name',
          'Acme',
          '--plan',
          'pro',
          '--json',
        ),
      ) as { id: string };
      const { key } = JSON.parse(
        await docker(
          ...command.slice(0, 3),
          ...[
            'keys',
            'create',
            '--account',
            account,
            '--name',
            'a',
            '--env',
            'live',
            '--type',
            'sk',
            '--json',
          ],
        ),
      ) as { key: string };
      const keyed = await convert(base, 'With a key', key);
      t.equal(keyed.code, undefined);
      t.match(await textOf(keyed.pdf), /With a key/);
    },
  );

  await t.test("the whole sandbox holds under Docker's own filter", async (t) => {
    const response = await fetch(`${base}/operator/v1/health`, {
      headers: { authorization: `Bearer ${TOKEN}` },
    });
    const status = (await response.json()) as {
      engine: { engine: string; libreOffice: string };
      sandbox: { name: string; active: boolean; required: boolean }[];
    };
    t.match(status.engine, { engine: 'kit', libreOffice: LIBREOFFICE });
    t.comment(JSON.stringify(status.sandbox));
    for (const { name, active, required } of status.sandbox) t.ok(active || !required, name);
    const [seccomp] = JSON.parse(await docker('info', '--format', '{{json .SecurityOptions}}')) as string[];
    t.match(seccomp, /seccomp,profile=builtin/);
  });

  await t.test('Docker finds it healthy', async (t) => {
    const healthy = async () =>
      (await docker('inspect', '--format={{.State.Health.Status}}', platen)) === 'healthy';
    await until('healthy', healthy, 30_000);
    t.pass();
  });

  await t.test('it ends by itself when it is asked to, and leaves no document', async (t) => {
    await docker('stop', '--time=30', platen);
    t.equal(await docker('inspect', '--format={{.State.ExitCode}}', platen), '0');
    const { stdout } = await tryDocker('logs', platen);
    t.match(stdout, /"msg":"stopped"/);
    t.notMatch(stdout, /svc_live/, 'with a Redis of others it makes no key');
  });
});
