/**
 * As root on Debian 12, whose own LibreOffice is too old: lets apt take LibreOffice, and nothing else, from Debian's backports.
 *
 *   node scripts/backports.mjs
 *
 * The source is a copy of the machine's own with another suite, so mirror, keys and options are the same. apt takes nothing from
 * backports of its own accord (apt_preferences(5), `NotAutomatic`); the pin makes the packages of LibreOffice an exception.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const SUITE = 'bookworm-backports';

/**
 * @param {string} name such as `sourceparts`
 * @returns {string} that folder of apt's configuration
 */
function folder(name) {
  const line = execFileSync('apt-config', ['shell', 'FOLDER', `Dir::Etc::${name}/d`], { encoding: 'utf8' });
  return /'(.*)'/.exec(line)?.[1] ?? '';
}

/**
 * Where apt's sources name a suite, such as `/etc/apt/sources.list:3`.
 *
 * @param {string} suite
 * @returns {string | undefined}
 */
function placeOf(suite) {
  const wanted = ['Created-By: Packages', 'Component: main', `Release: ${suite}`];
  // Without release info it also names what was never fetched, as in a fresh container.
  const args = ['indextargets', '--no-release-info', '--format', '$(SOURCESENTRY)', ...wanted];
  const places = execFileSync('apt-get', args, { encoding: 'utf8' });
  return places.split('\n', 1)[0] || undefined;
}

/**
 * The entry at that place for another suite: a line, or the paragraph of that number (sources.list(5)).
 *
 * @param {string} place
 * @returns {{ path: string, text: string }}
 */
function entryLike(place) {
  const [, file = '', number = ''] = /^(.*):(\d+)$/.exec(place) ?? [];
  const text = readFileSync(file, 'utf8');
  const at = Number(number) - 1;
  const path = join(folder('sourceparts'), 'platen-backports');
  if (file.endsWith('.list')) {
    const line = text.split('\n')[at] ?? '';
    const entry = line.replace(/^(\s*deb\s+(?:\[[^\]]*\]\s+)?\S+\s+)\S.*/, `$1${SUITE} main`);
    return { path: `${path}.list`, text: `${entry}\n` };
  }
  const paragraph = text.split(/\n\s*\n/).filter((each) => /^Types:/m.test(each))[at] ?? '';
  const entry = paragraph
    .replace(/^Types:.*/m, 'Types: deb')
    .replace(/^Suites:.*/m, `Suites: ${SUITE}`)
    .replace(/^Components:.*/m, 'Components: main');
  return { path: `${path}.sources`, text: `${entry.trim()}\n` };
}

/** Adds the source unless there is one, and sees that the mirror has it. */
function addSource() {
  if (placeOf(SUITE)) return;
  const own = placeOf('bookworm');
  if (!own) throw new Error(`apt's sources name no "bookworm main" to copy`);
  const { path, text } = entryLike(own);
  writeFileSync(path, text);
  try {
    const only = [`Dir::Etc::sourcelist=${path}`, 'Dir::Etc::sourceparts=-', 'APT::Get::List-Cleanup=0'];
    const options = ['DPkg::Lock::Timeout=300', 'APT::Update::Error-Mode=any', ...only].flatMap((o) => [
      '-o',
      o,
    ]);
    execFileSync('apt-get', [...options, 'update'], { stdio: ['ignore', 2, 2] });
  } catch (error) {
    // Else no `apt-get update` of the machine would succeed.
    rmSync(path);
    throw error;
  }
}

try {
  addSource();
  const pin = `Package: src:libreoffice\nPin: release n=${SUITE}\nPin-Priority: 500\n`;
  writeFileSync(join(folder('preferencesparts'), 'platen-libreoffice'), pin);
} catch (error) {
  console.error(`There is no LibreOffice from ${SUITE}: ${error instanceof Error ? error.message : error}.`);
  process.exitCode = 1;
}
