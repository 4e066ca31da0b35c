/** docker/publish.sh, up to the command that it would run, and the workflow that runs it. */
import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import t, { type Test } from 'tap';
import { parse } from 'yaml';
import { read, root } from './support/files.ts';

const execute = promisify(execFile);
const NAME = 'registry.example/platen';

/** A checkout of this version, whose one commit is tagged with it. */
async function release(t: Test, version: string) {
  const folder = t.testdir();
  mkdirSync(join(folder, 'docker'));
  cpSync(join(root, 'docker/publish.sh'), join(folder, 'docker/publish.sh'));
  writeFileSync(
    join(folder, 'package.json'),
    `{\n  "name": "platen",\n  "version": "${version}",\n  "x": 1\n}\n`,
  );
  const env = { ...process.env, GIT_CONFIG_GLOBAL: '/dev/null', TZ: 'Asia/Tokyo' };
  const git = async (...args: string[]) => {
    const who = ['-c', 'user.name=a', '-c', 'user.email=a@example.com', '-c', 'commit.gpgsign=false'];
    const { stdout } = await execute('git', [...who, ...args], {
      cwd: folder,
      env: { ...env, GIT_COMMITTER_DATE: '2026-11-30T09:00:00+09:00' },
    });
    return stdout.trim();
  };
  await git('init', '--quiet');
  await git('add', '.');
  await git('commit', '--quiet', '--message=a');
  await git('tag', version);
  const publish = (...args: string[]) =>
    execute('sh', ['docker/publish.sh', ...args], { cwd: folder, env }).catch(
      (error: { code: number; stdout: string; stderr: string }) => error,
    );
  return { folder, git, publish };
}

t.test('the command', async (t) => {
  const { git, publish } = await release(t, '1.2.3');
  const { stdout } = await publish('--print', NAME);
  const words = stdout.trim().split(' ');
  t.same(words.slice(0, 3), ['docker', 'buildx', 'build']);
  const option = (name: string) => words.filter((_, at) => words[at - 1] === name);
  t.same(option('--platform'), ['linux/amd64,linux/arm64']);
  t.same(option('--tag'), [`${NAME}:1.2.3`, `${NAME}:1.2`, `${NAME}:latest`]);
  t.same(option('--build-arg'), [
    'VERSION=1.2.3',
    `REVISION=${await git('rev-parse', 'HEAD')}`,
    'CREATED=2026-11-30T00:00:00Z',
  ]);
  for (const each of ['--sbom=true', '--provenance=mode=max', '--push', '--pull'])
    t.ok(words.includes(each), each);
  for (const name of option('--build-arg'))
    t.match(read('docker/Dockerfile'), `ARG ${name.split('=')[0]}=`, 'the Dockerfile knows it');
});

t.test('a pre-release is not the latest', async (t) => {
  const { publish } = await release(t, '1.3.0-rc.1');
  const { stdout } = await publish('--print', NAME);
  t.match(stdout, ` --tag ${NAME}:1.3.0-rc.1 --push `);
  t.notMatch(stdout, 'latest');
});

t.test('a patch of an older line is not the latest', async (t) => {
  const { git, publish } = await release(t, '1.2.10');
  await git('tag', '1.10.0');
  const { stdout } = await publish('--print', NAME);
  t.match(stdout, ` --tag ${NAME}:1.2.10 --tag ${NAME}:1.2 --push `);
});

t.test('only a release is published', async (t) => {
  const { folder, git, publish } = await release(t, '1.2.3');
  t.match(await publish('--print'), { code: 1, stderr: /name one repository/ });
  writeFileSync(join(folder, 'new'), '');
  t.match(await publish('--print', NAME), { code: 1, stdout: '', stderr: /the checkout has changes/ });
  await git('add', '.');
  await git('commit', '--quiet', '--message=b');
  t.match(await publish('--print', NAME), { code: 1, stdout: '', stderr: /not tagged 1\.2\.3/ });
});

t.test('the workflow runs it for a tag, once there is a repository', async (t) => {
  const { on, permissions, jobs } = parse(read('.github/workflows/publish.yml')) as {
    on: object;
    permissions: object;
    jobs: Record<string, { if: string; permissions: object; steps: { uses?: string; run?: string }[] }>;
  };
  t.same(on, { push: { tags: ['*.*.*'] } });
  t.same(permissions, { contents: 'read' });
  t.match(jobs.image, { if: "vars.IMAGE != ''", permissions: { contents: 'read', packages: 'write' } });
  t.equal(jobs.image?.steps.at(-1)?.run, 'sh docker/publish.sh "$IMAGE"');
});
