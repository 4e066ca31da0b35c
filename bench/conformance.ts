/**
 * node --import=tsx bench/conformance.ts FOLDER: checks the PDFs of a folder by the standard that its path names, as in
 * `PDF_A-2b/…`, `PDF_UA-1/…` or `pdfa=3b/…`. Of files whose name says `pass` or `fail`, as those of the veraPDF corpus
 * (https://github.com/veraPDF/veraPDF-corpus), it says how many of the broken ones are found and of the sound ones refused, and
 * names the others; those that LibreOffice cannot have written are counted apart. Of all others, it says which rules they break,
 * and what they have that LibreOffice is said never to write. Prints Markdown.
 */
import { closeSync, openSync, readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { type Examination, examine } from '../src/convert/pdf/conformance/check.ts';
import { CheckedPdf } from '../src/convert/pdf/conformance/checked-pdf.ts';
import { outputSpace } from '../src/convert/pdf/conformance/colour-rules.ts';
import { Patience } from '../src/convert/pdf/conformance/patience.ts';
import type { Profile } from '../src/convert/pdf/conformance/rule.ts';
import { readXmp } from '../src/convert/pdf/conformance/xmp.ts';
import { isArray, isDictionary, isName, type Value } from '../src/convert/pdf/objects/values.ts';
import { TailReader } from '../src/system/tail-reader.ts';
import { foreignNames, foreignProperties, foreignTests } from './foreign-conformance.ts';
import { summary } from './statistics.ts';

const STANDARD = /(?:PDF_A-|pdfa=?)(1b|2b|3b|4)(?:\/|$)|(PDF_UA-1|pdfua)/;
const KNOWN = /(?:^| )([\d.-]+-t\d+)-((pass|fail)-\w+)\.pdf$/;
const ENDLESS = new Patience(Number.POSITIVE_INFINITY);

interface Outcome {
  readonly path: string;
  readonly profile: Profile;
  /** Clause and test; undefined if nobody says what is right. */
  readonly test: string | undefined;
  readonly isSound: boolean;
  readonly examination: Examination;
  readonly ms: number;
  readonly pages: number;
  /** What LibreOffice never writes. */
  readonly foreign: string | undefined;
}

const [folder] = process.argv.slice(2);
if (folder === undefined) throw new Error('which folder?');
const outcomes = (readdirSync(folder, { recursive: true }) as string[])
  .filter((path) => path.endsWith('.pdf') && STANDARD.test(join(folder, path)))
  .map((path) => outcomeOf(join(folder, path)));
const known = outcomes.filter(({ test }) => test !== undefined);
const own = outcomes.filter(({ test }) => test === undefined);
if (known.length > 0) reportKnown(known);
if (own.length > 0) reportOwn(own);

function outcomeOf(path: string): Outcome {
  const [, part, ua] = STANDARD.exec(path) ?? [];
  const profile = (ua === undefined ? part : 'ua') as Profile;
  const [, test, instance, verdict] = KNOWN.exec(basename(path)) ?? [];
  const fd = openSync(path, 'r');
  try {
    const start = process.cpuUsage();
    const [examination] = examine(TailReader.over(fd), [profile]);
    const { user, system } = process.cpuUsage(start);
    const ms = (user + system) / 1_000;
    if (!examination) throw new Error('there is no examination');
    const name = test?.replaceAll('-', '.').replace('.t', '-t');
    const foreign = foreignTests.find(([tests]) => tests.test(`${profile} ${name}-${instance}`))?.[1];
    return {
      ...{ path, profile, test: name, isSound: verdict === 'pass', examination, ms },
      ...{ pages: 0, foreign, ...about(fd, foreign) },
    };
  } finally {
    closeSync(fd);
  }
}

/** In groups by what `key` says of each. */
function grouped<T>(items: readonly T[], key: (item: T) => string): [string, T[]][] {
  const groups = new Map<string, T[]>();
  for (const item of items) groups.set(key(item), [...(groups.get(key(item)) ?? []), item]);
  return [...groups];
}

/** What a file has, as far as it can be read. */
function about(fd: number, known: string | undefined): Partial<Outcome> {
  let pages = 0;
  try {
    const pdf = new CheckedPdf(TailReader.over(fd), ENDLESS);
    pages = pdf.pages.length;
    return { pages, foreign: known ?? foreignIn(pdf) };
  } catch {
    return { pages };
  }
}

function* namesIn(value: Value): Generator<string> {
  if (isName(value)) yield value;
  else if (isArray(value)) for (const item of value) yield* namesIn(item);
  else if (isDictionary(value)) for (const entry of Object.entries(value)) yield* namesIn(entry);
}

function foreignIn(pdf: CheckedPdf): string | undefined {
  for (const reference of pdf.references()) {
    for (const name of namesIn(pdf.get(reference))) {
      const found = foreignNames.get(name);
      if (found !== undefined) return found;
    }
  }
  const space = outputSpace(pdf);
  if (space !== undefined && space !== 'RGB ') return 'other output intents than sRGB';
  const metadata = pdf.streamData(pdf.catalog['/Metadata']);
  if (metadata.includes(0)) return 'metadata in UTF-16 or UTF-32';
  const { properties } = readXmp(metadata);
  const isForeign = properties.some(({ namespace, name }) => foreignProperties.test(namespace + name));
  return isForeign ? 'properties of metadata that documents do not have' : undefined;
}

function isRefused({ examination }: Outcome): boolean {
  return examination.violations.length > 0;
}

/** Whether the clause that the file breaks, or one inside or around it, is among the reported ones. */
function isByClause({ test = '', examination }: Outcome): boolean {
  const [tested = ''] = test.split('-');
  return examination.violations.some(
    ({ clause }) => `${clause}.`.startsWith(`${tested}.`) || `${tested}.`.startsWith(`${clause}.`),
  );
}

function reportKnown(all: readonly Outcome[]): void {
  console.log(
    '| standard | files | broken | found | by its clause | sound | refused |\n|---|---|---|---|---|---|---|',
  );
  for (const [profile, mine] of grouped(all, (outcome) => outcome.profile)) {
    const ours = mine.filter(({ foreign }) => foreign === undefined);
    for (const [name, some] of Object.entries({ all: mine, 'as LibreOffice writes': ours })) {
      const [broken, sound] = [some.filter(({ isSound }) => !isSound), some.filter(({ isSound }) => isSound)];
      const found = broken.filter(isRefused);
      const share = `${found.length} (${((100 * found.length) / broken.length).toFixed(1)} %)`;
      const cells = [broken.length, share, found.filter(isByClause).length, sound.length];
      console.log(`| ${profile} | ${name} | ${cells.join(' | ')} | ${sound.filter(isRefused).length} |`);
    }
  }
  const wrong = all.filter((outcome) => isRefused(outcome) === outcome.isSound);
  for (const { profile, test, path, isSound, examination, foreign } of wrong) {
    const why = examination.violations[0];
    const what = isSound ? `refused: ${why?.demand} ${why?.what}` : 'missed';
    console.log(
      `- ${profile} ${test} (${basename(path)}) ${what}${foreign === undefined ? '' : `; ${foreign}`}`,
    );
  }
}

function reportOwn(all: readonly Outcome[]): void {
  const groups = grouped(
    all,
    ({ profile, pages }) => `${profile}, ${pages > 100 ? 'more than' : 'up to'} 100 pages`,
  );
  console.log(
    '| standard | PDFs | pages | passed | failed | unchecked | ms a page, median | ms a PDF, median | p95 | most |',
  );
  console.log('|---|---|---|---|---|---|---|---|---|---|');
  for (const [name, some] of groups) {
    const pages = some.reduce((sum, outcome) => sum + outcome.pages, 0);
    const failed = some.filter(isRefused).length;
    const unchecked = some.filter(({ examination }) => examination.unchecked !== undefined).length;
    const [perPage, perPdf] = [
      summary(some.map(({ ms, pages }) => ms / pages)),
      summary(some.map(({ ms }) => ms)),
    ];
    const times = [perPage.median, perPdf.median, perPdf.p95, Math.max(...some.map(({ ms }) => ms))];
    const counts = [some.length, pages, some.length - failed - unchecked, failed, unchecked];
    console.log(`| ${name} | ${counts.join(' | ')} | ${times.map((ms) => ms.toFixed(1)).join(' | ')} |`);
  }
  const broken = grouped(
    all.flatMap(({ profile, path, examination }) => {
      const demands = new Set(
        examination.violations.map(({ clause, demand }) => `${profile} ${clause}: ${demand}`),
      );
      return [...demands].map((demand) => ({ demand, path }));
    }),
    ({ demand }) => demand,
  );
  for (const [demand, files] of broken.sort(([, one], [, other]) => other.length - one.length)) {
    const names = files.slice(0, 5).map(({ path }) => basename(path));
    console.log(`- ${files.length} × ${demand} ${names.join(', ')}${files.length > 5 ? ' …' : ''}`);
  }
  for (const { path, examination, foreign } of all) {
    if (examination.unchecked !== undefined) console.log(`- unchecked: ${path}: ${examination.unchecked}`);
    if (foreign !== undefined) console.log(`- written all the same: ${foreign}: ${path}`);
  }
}
