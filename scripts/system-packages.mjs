/** The Debian packages that Platen needs, and their installation. */
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { readFontTable } from './fonts/table.mjs';
import { run, SetupError, say } from './run.mjs';

/**
 * @typedef {object} SystemPackage
 * @property {string} name of the Debian package
 * @property {string} proof a file that only this package brings
 * @property {number} [since] the first release of Debian that has it
 * @property {number} [until] the last one that needs it
 * @property {true} [isLibreOffice] it is of the same version as LibreOffice
 * @property {'service' | 'kit' | 'example' | 'pdf' | 'bench' | 'test' | 'image'} need without the kit's the slower cold engine
 *   runs; the example is the line that `npm start` prints; tests and benchmarks look into PDFs; the benchmark drives a
 *   competitor; the image is the root folder that stands for it
 */

/** Hyphenation dictionaries by language. */
const hyphenation = {
  'hyphen-cs': 'cs_CZ',
  'hyphen-da': 'da_DK',
  'hyphen-de': 'de_DE',
  'hyphen-en-gb': 'en_GB',
  'hyphen-en-us': 'en_US',
  'hyphen-es': 'es_ES',
  'hyphen-fr': 'fr',
  'hyphen-it': 'it_IT',
  'hyphen-nl': 'nl_NL',
  'hyphen-no': 'nb_NO',
  'hyphen-pl': 'pl_PL',
  'hyphen-pt-br': 'pt_BR',
  'hyphen-pt-pt': 'pt_PT',
  'hyphen-ru': 'ru_RU',
  'hyphen-sv': 'sv_SE',
};

/** As `OLDEST_LIBREOFFICE` in src/engine/libreoffice.ts: the service refuses an older one. */
const OLDEST_LIBREOFFICE = 25.2;

const OTHER_WAYS =
  `LibreOffice ${OLDEST_LIBREOFFICE} cannot be installed here. ` +
  'Use Debian 13, or the image: docker build --file docker/Dockerfile --tag platen .';

/** @type {SystemPackage[]} */
const packages = [
  // Not libreoffice-writer-nogui: with LibreOfficeKit a document with comments opens annotation.ui.
  {
    name: 'libreoffice-writer',
    proof: '/usr/share/doc/libreoffice-writer/copyright',
    need: 'service',
    isLibreOffice: true,
  },
  // Without it, formulas are left out.
  {
    name: 'libreoffice-math',
    proof: '/usr/share/doc/libreoffice-math/copyright',
    need: 'service',
    isLibreOffice: true,
  },
  ...Object.entries(hyphenation).map(([name, dictionary]) => ({
    name,
    proof: `/usr/share/hyphen/hyph_${dictionary}.dic`,
    need: /** @type {const} */ ('service'),
  })),
  { name: 'redis-server', proof: '/usr/bin/redis-server', need: 'service' },
  // Fonts of documents, see docs/fonts.md.
  ...readFontTable().packages.map((font) => ({ ...font, need: /** @type {const} */ ('service') })),
  { name: 'gcc', proof: '/usr/bin/gcc', need: 'kit' },
  { name: 'libc6-dev', proof: '/usr/include/stdio.h', need: 'kit' },
  { name: 'make', proof: '/usr/bin/make', need: 'kit' },
  {
    name: 'libreofficekit-dev',
    proof: '/usr/include/LibreOfficeKit/LibreOfficeKit.h',
    need: 'kit',
    isLibreOffice: true,
  },
  { name: 'libseccomp-dev', proof: '/usr/include/seccomp.h', need: 'kit' },
  { name: 'libjemalloc-dev', proof: '/usr/include/jemalloc/jemalloc.h', need: 'kit' },
  { name: 'libqpdf-dev', proof: '/usr/include/qpdf/qpdf-c.h', need: 'kit' },
  { name: 'libhyphen-dev', proof: '/usr/include/hyphen.h', need: 'kit' },
  { name: 'libdeflate-dev', proof: '/usr/include/libdeflate.h', need: 'kit' },
  { name: 'zlib1g-dev', proof: '/usr/include/zlib.h', need: 'kit' },
  // The fonts-liberation of Debian 12 is version 1, without Vietnamese; it is hidden (scripts/fonts/rules.mjs).
  {
    name: 'fonts-liberation2',
    proof: '/usr/share/fonts/truetype/liberation2/LiberationSans-Regular.ttf',
    until: 12,
    need: 'service',
  },
  // Without the kit, its program does the same.
  { name: 'qpdf', proof: '/usr/bin/qpdf', need: 'service' },
  // Pictures of pages. Without it, the service refuses format=png; tests and benchmarks look into PDFs with it.
  { name: 'poppler-utils', proof: '/usr/bin/pdftoppm', need: 'service' },
  { name: 'mupdf-tools', proof: '/usr/bin/mutool', need: 'pdf' },
  // Drives a warm soffice as unoserver does, which Debian 12 does not have; tests have it encrypt documents.
  { name: 'python3-uno', proof: '/usr/lib/python3/dist-packages/uno.py', need: 'pdf', isLibreOffice: true },
  // LibreOffice 25.2 has no network access without it: the attack tests would prove nothing.
  { name: 'ca-certificates', proof: '/etc/ssl/certs/ca-certificates.crt', need: 'test' },
  { name: 'python3', proof: '/usr/bin/python3', need: 'test' },
  { name: 'php-cli', proof: '/usr/share/doc/php-cli/copyright', need: 'test' },
  { name: 'php-curl', proof: '/usr/share/doc/php-curl/copyright', need: 'test' },
  // OpenAPI Generator, and what its clients need.
  { name: 'php-mbstring', proof: '/usr/share/doc/php-mbstring/copyright', need: 'test' },
  { name: 'php-guzzlehttp-guzzle', proof: '/usr/share/php/GuzzleHttp/autoload.php', need: 'test' },
  { name: 'python3-urllib3', proof: '/usr/lib/python3/dist-packages/urllib3/__init__.py', need: 'test' },
  { name: 'python3-six', proof: '/usr/lib/python3/dist-packages/six.py', need: 'test' },
  { name: 'python3-dateutil', proof: '/usr/lib/python3/dist-packages/dateutil/__init__.py', need: 'test' },
  { name: 'python3-certifi', proof: '/usr/lib/python3/dist-packages/certifi/__init__.py', need: 'test' },
  { name: 'default-jre-headless', proof: '/usr/share/doc/default-jre-headless/copyright', need: 'test' },
  { name: 'chromium', proof: '/usr/bin/chromium', need: 'test' },
  { name: 'chromium-headless-shell', proof: '/usr/bin/chromium-headless-shell', need: 'test' },
  { name: 'unzip', proof: '/usr/bin/unzip', need: 'test' },
  { name: 'haproxy', proof: '/usr/sbin/haproxy', need: 'test' },
  { name: 'prometheus', proof: '/usr/bin/promtool', need: 'test' },
  // Preflight, a validator of PDF/A-1b, and what it does not name as needed.
  { name: 'libpdfbox2-java', proof: '/usr/share/java/preflight.jar', need: 'test' },
  { name: 'libjaxb-api-java', proof: '/usr/share/java/jaxb-api.jar', need: 'test' },
  // Reads PDFs in any form for the rules of PDF/A and PDF/UA.
  { name: 'qpdf', proof: '/usr/bin/qpdf', need: 'test' },
  { name: 'libqpdf-dev', proof: '/usr/include/qpdf/qpdf-c.h', need: 'test' },
  // Another S3, and what its server needs.
  { name: 'python3-moto', proof: '/usr/bin/moto_server', since: 13, need: 'test' },
  {
    name: 'python3-flask-cors',
    proof: '/usr/lib/python3/dist-packages/flask_cors/__init__.py',
    since: 13,
    need: 'test',
  },
  { name: 'git', proof: '/usr/bin/git', need: 'test' },
  { name: 'shellcheck', proof: '/usr/bin/shellcheck', need: 'test' },
  { name: 'curl', proof: '/usr/bin/curl', need: 'example' },
  { name: 'debootstrap', proof: '/usr/sbin/debootstrap', need: 'image' },
];

/**
 * Installs missing packages if allowed; otherwise reports them with the command to install them. Packages that the service can
 * start without are only reported.
 *
 * @param {{ forTest: boolean, forBench: boolean, forImage: boolean }} options
 * @throws {SetupError} when something indispensable is missing
 */
export function installSystemPackages({ forTest, forBench, forImage }) {
  const needless = [
    ...(forTest || forBench ? [] : ['pdf']),
    ...(forBench ? [] : ['bench']),
    ...(forTest ? [] : ['test']),
    ...(forImage ? [] : ['image']),
  ];
  const release = debianRelease();
  const isOld = libreOfficeVersion() < OLDEST_LIBREOFFICE;
  const missing = packages.filter(
    ({ since = 0, until = Number.POSITIVE_INFINITY, proof, need, isLibreOffice = false }) =>
      since <= release &&
      release <= until &&
      !needless.includes(need) &&
      (!existsSync(proof) || (isLibreOffice && isOld)),
  );
  if (missing.length === 0) return;
  const names = missing.map(({ name }) => name);
  // A fresh cloud machine may be updating itself: wait for its lock.
  const apt = 'apt-get -o DPkg::Lock::Timeout=300';
  const needsBackports = release === 12 && missing.some(({ isLibreOffice }) => isLibreOffice);
  const command = [
    ...(needsBackports
      ? [`${process.execPath} ${fileURLToPath(new URL('backports.mjs', import.meta.url))}`]
      : []),
    `${apt} update`,
    `${apt} install -y --no-install-recommends ${names.join(' ')}`,
  ].join(' && ');
  const prefix = rootPrefix();
  if (prefix === undefined || !existsSync('/usr/bin/apt-get')) {
    const text = `Missing: ${names.join(', ')}. Install with: sudo sh -c '${command}'`;
    if (forTest || forBench || forImage || missing.some(({ need }) => need === 'service'))
      throw new SetupError(text);
    say(text);
    return;
  }
  if (needsBackports)
    say(
      'LibreOffice comes from bookworm-backports: they are added to the sources of apt, for LibreOffice alone',
    );
  say(`installing ${names.join(', ')}`);
  const [program = '', ...args] = [...prefix, 'sh', '-c', command];
  try {
    run(program, args, { DEBIAN_FRONTEND: 'noninteractive' });
  } catch (error) {
    throw needsBackports && libreOfficeVersion() < OLDEST_LIBREOFFICE ? new SetupError(OTHER_WAYS) : error;
  }
  const stillMissing = missing.filter(({ proof }) => !existsSync(proof)).map(({ name }) => name);
  if (stillMissing.length > 0) throw new SetupError(`Installed, but not found: ${stillMissing.join(', ')}.`);
  if (libreOfficeVersion() < OLDEST_LIBREOFFICE) throw new SetupError(OTHER_WAYS);
}

/** The installed version, such as 25.2, which as numbers stand in their order; 0 where there is none. */
function libreOfficeVersion() {
  const file = '/usr/lib/libreoffice/program/bootstraprc';
  const about = existsSync(file) ? readFileSync(file, 'utf8') : '';
  return Number(/^ProductKey=LibreOffice (\d+\.\d+)/m.exec(about)?.[1] ?? 0);
}

/** The release of Debian, such as 12; a later one than any where it has no number. */
function debianRelease() {
  const about = existsSync('/etc/os-release') ? readFileSync('/etc/os-release', 'utf8') : '';
  return Number(/^VERSION_ID="?(\d+)/m.exec(about)?.[1] ?? Infinity);
}

/** Reports which of the guide's programs the tests will not run, as their language is not installed. */
export function reportMissingLanguages() {
  for (const { program, language } of [
    { program: 'javac', language: 'Java' },
    { program: 'go', language: 'Go' },
  ]) {
    const found = spawnSync('sh', ['-c', 'command -v "$0"', program], { stdio: 'ignore' }).status === 0;
    if (!found) say(`there is no ${program}: the tests do not run the guide's program in ${language}`);
  }
}

/**
 * The prefix of a command that needs root; undefined if root is not available.
 *
 * @returns {string[] | undefined}
 */
function rootPrefix() {
  if (process.getuid?.() === 0) return [];
  const sudo = spawnSync('sudo', ['-n', 'true'], { stdio: 'ignore' });
  return sudo.status === 0 ? ['sudo', '-n'] : undefined;
}
