import { execFile } from 'node:child_process';
import { mkdir, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import t from 'tap';
import {
  defaultPlans,
  jobLimitsOf,
  limitsOf,
  type Plan,
  readPlans,
  testLimits,
} from '../../../src/accounts/plans/plans.ts';
import { OperatorError } from '../../../src/errors.ts';
import { temporaryFolder } from '../../redis/support.ts';

const folder = await temporaryFolder(t);
const good: Plan = {
  perHour: 10,
  perDay: null,
  perSecond: 1,
  perMonth: 1_000_000_000,
  features: ['all', 'pdfa'],
};

/** The path of a plans file with this content. */
async function plansFile(content: string | Uint8Array): Promise<string> {
  const path = join(folder, 'plans.json');
  await writeFile(path, content);
  return path;
}

/** The message about a file that must be refused. */
function mistakeIn(path: string): string {
  try {
    readPlans(path);
  } catch (error) {
    if (error instanceof OperatorError) return error.message;
    throw error;
  }
  throw new Error('the file was accepted');
}

t.test('the default plans are those of the design', async (t) => {
  t.equal(readPlans(undefined), defaultPlans);
  t.strictSame(
    [...defaultPlans],
    [
      ['free', { perHour: 100, perDay: 1_000, perSecond: 50, perMonth: 5_000, features: [] }],
      ['pro', { perHour: 1_000, perDay: 10_000, perSecond: 100, perMonth: 100_000, features: ['all'] }],
      ['enterprise', { perHour: null, perDay: null, perSecond: 200, perMonth: null, features: ['all'] }],
    ],
  );
});

t.test('a file replaces them', async (t) => {
  const names = ['small', 'a', '9-lives_x', 'constructor', 'x'.repeat(63)];
  const text = JSON.stringify(Object.fromEntries(names.map((name) => [name, good])));
  const plans = readPlans(await plansFile(text));
  t.strictSame(
    [...plans],
    names.map((name) => [name, good]),
  );
  for (const name of ['free', 'toString', '__proto__']) t.notOk(plans.has(name), name);
  t.strictSame(readPlans(await plansFile(`\ufeff${text}`)), plans, 'with a byte order mark');
});

t.test('no plan can be changed', async (t) => {
  const read = readPlans(await plansFile(JSON.stringify({ one: good })));
  for (const plan of [...read.values(), ...defaultPlans.values()]) {
    t.ok(Object.isFrozen(plan) && Object.isFrozen(plan.features));
  }
});

t.test('what a test key has', async (t) => {
  const fixed = { perHour: 100, perDay: null, perMonth: null };
  t.strictSame(testLimits(defaultPlans), { ...fixed, perSecond: 50 });
  t.strictSame(testLimits(new Map([['free', good]])), { ...fixed, perSecond: 1 }, 'the burst of free');
  const boundless = { ...good, perSecond: null };
  t.strictSame(testLimits(new Map([['free', boundless]])), { ...fixed, perSecond: null }, 'if it has one');
  t.strictSame(testLimits(new Map([['other', good]])), { ...fixed, perSecond: 50 }, 'without free');
});

t.test('a file that cannot be read', async (t) => {
  t.match(mistakeIn(join(folder, 'none.json')), /^PLANS_FILE: the file cannot be read: ENOENT.*none\.json/);
  await mkdir(join(folder, 'folder'));
  t.match(mistakeIn(join(folder, 'folder')), /^PLANS_FILE: .*folder is not a regular file$/);
  const pipe = join(folder, 'pipe');
  await promisify(execFile)('mkfifo', [pipe]);
  t.match(mistakeIn(pipe), /pipe is not a regular file$/, 'a pipe that nobody writes to');

  const padded = await plansFile(JSON.stringify({ one: good }).padEnd(1_048_576));
  t.strictSame([...readPlans(padded)], [['one', good]], 'the largest file');
  await truncate(padded, 1_048_577);
  t.match(mistakeIn(padded), /plans\.json has more than 1048576 bytes$/);
});

t.test('a file that is not JSON', async (t) => {
  const mistakes: readonly (readonly [content: string | Uint8Array, message: RegExp])[] = [
    ['', /Unexpected end of JSON input$/],
    ['{\n  "one": {},\n}\n', /Expected double-quoted property name in JSON at position 15/],
    ['{\n  "one": {\n    "perHour": none }}', /Unexpected token 'o'/],
    ['{"a": \u0001}', /Unexpected token ' '/],
    ['{"a": "\n"}', /Bad control character/],
    ['[1,]'.padStart(100_000, '['), /Unexpected token '\]'/],
    [Uint8Array.of(0x7b, 0xff, 0x7d), /not UTF-8/],
  ];
  for (const [content, message] of mistakes) {
    const mistake = mistakeIn(await plansFile(content));
    t.match(mistake, /^PLANS_FILE: the file is not JSON: /);
    t.match(mistake, message);
    t.notMatch(mistake, /\p{Cc}/u, 'one line');
  }
});

t.test('a file that does not hold plans', async (t) => {
  const { perDay: _, ...incomplete } = good;
  const limits = 'a whole number from 1 to 1000000000, or null for unlimited';
  const mistakes: readonly (readonly [content: unknown, message: string])[] = [
    [[], 'the file must hold a JSON object of plans by name'],
    [null, 'the file must hold a JSON object of plans by name'],
    ['free', 'the file must hold a JSON object of plans by name'],
    [{}, 'the file has no plans; it must have at least one'],
    ...['', 'Free', '-free', 'fr ee', 'free\n', '__proto__'].map((name): [unknown, string] => [
      JSON.parse(`{${JSON.stringify(name)}: ${JSON.stringify(good)}}`),
      `the plan name ${JSON.stringify(name)} is not 1 to 63 lowercase letters, digits, "-" and "_"`,
    ]),
    [
      { ['x'.repeat(100_000)]: good },
      `the plan name "${'x'.repeat(80)}…" is not 1 to 63 lowercase letters, digits, "-" and "_"`,
    ],
    [{ pro: good, one: null }, 'the plan "one" must be an object'],
    [{ one: [] }, 'the plan "one" must be an object'],
    [
      { one: incomplete },
      'the plan "one" lacks perDay; a plan has perHour, perDay, perSecond, perMonth, features, maxFilesPerJob, maxJobs, isolation',
    ],
    [
      { constructor: {} },
      'the plan "constructor" lacks perHour, perDay, perSecond, perMonth, features; ' +
        'a plan has perHour, perDay, perSecond, perMonth, features, maxFilesPerJob, maxJobs, isolation',
    ],
    ...['perMinute', 'a\nb', 'constructor', '__proto__', ''].map((name): [unknown, string] => [
      { one: JSON.parse(JSON.stringify(good).replace('{', `{${JSON.stringify(name)}: 1,`)) },
      `the plan "one" has the unknown field ${JSON.stringify(name)}; ` +
        'a plan has perHour, perDay, perSecond, perMonth, features, maxFilesPerJob, maxJobs, isolation',
    ]),
    ...['perHour', 'perDay', 'perSecond', 'perMonth'].map((name): [unknown, string] => [
      { one: { ...good, [name]: 0 } },
      `the plan "one" must have as its ${name} ${limits}`,
    ]),
    ...[-1, 1.5, 1_000_000_001, '10', true, [], {}].map((value): [unknown, string] => [
      { one: { ...good, perHour: value } },
      `the plan "one" must have as its perHour ${limits}`,
    ]),
    ...[null, 'all', {}, [''], [1], ['pdfa', 'pdfa'], ['pdf']].map((features): [unknown, string] => [
      { one: { ...good, features } },
      'the plan "one" must have as its features a list of "all", "pdfa", "pdfua", "markup", "watermark", "encryption", ' +
        '"attachments", "jobs", each at most once',
    ]),
    ...[0, 101, null, '1'].map((maxFilesPerJob): [unknown, string] => [
      { one: { ...good, maxFilesPerJob } },
      'the plan "one" must have as its maxFilesPerJob a whole number from 1 to 100',
    ]),
    [
      { one: { ...good, isolation: 'plan' } },
      'the plan "one" must have as its isolation "account" or "document"',
    ],
    [{ one: { ...good, maxJobs: 0 } }, `the plan "one" must have as its maxJobs ${limits}`],
  ];
  for (const [content, message] of mistakes) {
    const text = JSON.stringify(content);
    t.equal(mistakeIn(await plansFile(text)), `PLANS_FILE: ${message}`, text.slice(0, 60));
  }
});

t.test('limits of jobs', async (t) => {
  t.same(
    jobLimitsOf(good, 'live'),
    { maxFilesPerJob: 100, maxJobs: 100 },
    'unless the plan says something else',
  );
  const own = { maxFilesPerJob: 7, maxJobs: null };
  t.same(jobLimitsOf({ ...good, ...own }, 'live'), own);
  t.same(jobLimitsOf({ ...good, ...own }, 'test'), { maxFilesPerJob: 100, maxJobs: 10 });
  t.strictSame(Object.keys(limitsOf({ ...good, ...own, isolation: 'document' })).sort(), [
    'perDay',
    'perHour',
    'perMonth',
    'perSecond',
  ]);
});
