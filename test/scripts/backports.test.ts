/** What scripts/backports.mjs tells apt: a real one, with a configuration and a mirror of its own. */
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import t, { type Test } from 'tap';

const run = promisify(execFile);
const script = join(import.meta.dirname, '../../scripts/backports.mjs');
const { stdout } = await run('dpkg', ['--print-architecture']);
const architecture = stdout.trim();

/** Fields of a package as an index has them. */
const entry = (name: string, source: string, version: string) =>
  `Package: ${name}\nSource: ${source}\nVersion: ${version}\nArchitecture: ${architecture}\n` +
  `Filename: ${name}.deb\nSize: 1\nSHA256: ${'0'.repeat(64)}\nDescription: none\n\n`;

async function write(path: string, text: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, text);
}

async function publish(mirror: string, suite: string, packages: string, more = ''): Promise<void> {
  const index = `main/binary-${architecture}/Packages`;
  const digest = createHash('sha256').update(packages).digest('hex');
  const release =
    `Origin: Debian\nSuite: ${suite}\nCodename: ${suite}\nArchitectures: ${architecture}\nComponents: main\n${more}` +
    `SHA256:\n ${digest} ${packages.length} ${index}\n`;
  await write(join(mirror, 'dists', suite, index), packages);
  await write(join(mirror, 'dists', suite, 'Release'), release);
}

/** An apt without sources, and a mirror of Debian 12. */
async function machine(t: Test, { hasBackports = true } = {}) {
  const root = t.testdir();
  const mirror = join(root, 'mirror');
  const of = (version: string) =>
    entry('libreoffice-writer', 'libreoffice', version) + entry('other', 'other', version);
  await publish(mirror, 'bookworm', of('1'));
  if (hasBackports) await publish(mirror, 'bookworm-backports', of('2'), 'NotAutomatic: yes\n');
  const etc = join(root, 'etc/apt');
  const [sources, preferences] = [join(etc, 'sources.list.d'), join(etc, 'preferences.d')];
  const state = ['var/lib/apt/lists/partial', 'var/cache/apt/archives/partial'].map((path) =>
    join(root, path),
  );
  for (const path of [sources, preferences, join(etc, 'apt.conf.d'), ...state])
    await mkdir(path, { recursive: true });
  const configuration = join(root, 'apt.conf');
  const settings = {
    Dir: `${root}/`,
    'Dir::State::status': join(root, 'status'),
    'APT::Sandbox::User': 'root',
  };
  await writeFile(join(root, 'status'), '');
  await writeFile(
    configuration,
    Object.entries({ ...settings, 'Acquire::Languages': 'none' })
      .map(([name, value]) => `${name} "${value}";\n`)
      .join(''),
  );
  const env = { ...process.env, LC_ALL: 'C', APT_CONFIG: configuration };
  const apt = async (...args: string[]) => (await run(args[0] ?? '', args.slice(1), { env })).stdout;
  return {
    mirror,
    sources,
    preferences,
    addBackports: () => run(process.execPath, [script], { env }),
    write: (name: string, text: string) => writeFile(join(etc, name), text),
    /** The version that apt would install. */
    candidate: async (name: string) => {
      await apt('apt-get', 'update');
      return /Candidate: (.*)/.exec(await apt('apt-cache', 'policy', name))?.[1];
    },
  };
}

type Machine = Awaited<ReturnType<typeof machine>>;

const inLine = ({ mirror }: Machine, suite: string) => `deb [trusted=yes] file:${mirror} ${suite} main\n`;
const inParagraph = ({ mirror }: Machine, suites: string, more = '') =>
  `Types: deb${more}\n# where it is\nURIs: file:${mirror}\nSuites: ${suites}\nComponents: main\nTrusted: yes\n`;

/** LibreOffice comes from backports, and nothing else. */
async function takesLibreOffice(t: Test, machine: Machine): Promise<void> {
  t.equal(await machine.candidate('libreoffice-writer'), '2');
  t.equal(await machine.candidate('other'), '1');
  t.strictSame(await readdir(machine.preferences), ['platen-libreoffice']);
}

t.test('sources in lines', async (t) => {
  const one = await machine(t);
  await one.write('sources.list', `# Debian\n\n${inLine(one, 'bookworm')}`);
  t.equal(await one.candidate('libreoffice-writer'), '1', 'before');
  await one.addBackports();
  t.equal(
    await readFile(join(one.sources, 'platen-backports.list'), 'utf8'),
    inLine(one, 'bookworm-backports'),
  );
  await takesLibreOffice(t, one);
});

t.test('sources in paragraphs', async (t) => {
  const one = await machine(t);
  const others = inParagraph(one, 'bookworm-of-another').replace('Types: deb', 'Enabled: no\nTypes: deb');
  await one.write('sources.list.d/debian.sources', `${others}\n${inParagraph(one, 'bookworm', ' deb-src')}`);
  await one.addBackports();
  t.equal(
    await readFile(join(one.sources, 'platen-backports.sources'), 'utf8'),
    inParagraph(one, 'bookworm-backports'),
  );
  await takesLibreOffice(t, one);
});

t.test('a machine that has backports gets the pin alone', async (t) => {
  const one = await machine(t);
  await one.write('sources.list', inLine(one, 'bookworm') + inLine(one, 'bookworm-backports'));
  t.equal(await one.candidate('libreoffice-writer'), '1', 'before');
  for (const _ of ['once', 'twice']) {
    await one.addBackports();
    t.strictSame(await readdir(one.sources), []);
    await takesLibreOffice(t, one);
  }
});

t.test('a mirror without backports leaves no source', async (t) => {
  const one = await machine(t, { hasBackports: false });
  await one.write('sources.list', inLine(one, 'bookworm'));
  await t.rejects(one.addBackports(), {
    code: 1,
    stderr: /There is no LibreOffice from bookworm-backports: /,
  });
  t.strictSame(await readdir(one.sources), []);
  t.strictSame(await readdir(one.preferences), []);
  t.equal(await one.candidate('libreoffice-writer'), '1', 'apt works as before');
});

t.test('sources without bookworm', async (t) => {
  const one = await machine(t);
  await t.rejects(one.addBackports(), { code: 1, stderr: /apt's sources name no "bookworm main" to copy/ });
  t.notOk(existsSync(join(one.preferences, 'platen-libreoffice')));
});
