/** Which of its layouts a document gets, by what a reader says of them. */
import { mkdirSync, rmSync } from 'node:fs';
import t from 'tap';
import { type LayOutOptions, layOut } from '../../src/convert/lay-out.ts';
import { judgeLayouts } from '../../src/convert/pagination/page-judge.ts';
import type { Conversion, ConversionJob } from '../../src/engine/engine.ts';
import { PlatenError } from '../../src/errors.ts';
import type { Isolation } from '../../src/shared/options/conversion-options.ts';

const MARKS = 9;
/** Pages of a stretch each; `shift` pages later from the stretch `from` on. */
function seen(pages: number, shift: number, from: number, keptShare: number) {
  const stretches = Array.from({ length: MARKS + 1 }, (_, i) => {
    const first = i + (i >= from ? shift : 0);
    return { first, heights: [600], size: 1, isAtTop: true, blankPages: 0 };
  });
  const next = { breaks: [pages], pages: MARKS + 1, growth: [0], flat: [] };
  return { layout: { pages, keptShare, stretches }, next };
}

type Layout = ReturnType<typeof seen>;

const folder = `${t.testdir({})}/job`;

/**
 * @param layouts the engine's own, and those with Word's breaks.
 * @param plain pages of the one without anchors.
 * @param inTime how many can be made in time.
 * @param isolations of their processes.
 */
async function laidOut(
  layouts: readonly Layout[],
  plain = layouts[0]?.layout.pages ?? 0,
  inTime = Infinity,
  isolations: readonly Isolation[] = [],
) {
  let made = 0;
  const share = new AbortController();
  const anchored: unknown[] = [];
  const engine = {
    convert: async (job: ConversionJob, signal: AbortSignal): Promise<Conversion> => {
      if (anchored.length === inTime) share.abort(new PlatenError('CONVERSION_FAILED', { reason: 'time' }));
      signal.throwIfAborted();
      const isolation = isolations[anchored.length] ?? 'document';
      anchored.push(job.export?.destinations);
      return { peakBytes: 1, pages: 1, cpuMs: 10, attempts: 1, tagged: true, isolation };
    },
    status: () => ({ libreOffice: '25.2' }),
  };
  const readers = {
    see: async () => {
      const judgements = judgeLayouts(
        layouts.slice(0, made + 1).map(({ layout }) => layout),
        MARKS + 1,
      );
      return { measured: Buffer.alloc(0), judgements, next: layouts[made++]?.next };
    },
    paginate: async () => undefined,
    countPages: async () => plain,
  };
  const wordPages = { pages: MARKS + 1, hasMarks: true, named: MARKS + 1, clone: Buffer.alloc(0) };
  const options = {
    ...{ engine, readers, wordPages, dependsOnPages: false, last: {} },
    withinShare: (more: (signal: AbortSignal) => unknown) => more(share.signal),
  } as unknown as LayOutOptions;
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder);
  const { signal } = new AbortController();
  const result = await layOut({ id: 'job', folder, export: {} }, options, signal);
  return { ...result, count: anchored.length, folder: result.folder.slice(folder.length) };
}

t.test('the layout with most content on its page of Word', async (t) => {
  const right = seen(10, 0, 0, 1);
  const shifted = seen(11, 1, 2, 0.9);
  t.match(await laidOut([right]), {
    count: 1,
    folder: '',
    pagination: { by: 'engine', reason: 'same-pages' },
  });
  t.match(await laidOut([shifted, right]), { count: 2, folder: '/paginated-2', pagination: { by: 'word' } });
  const drifting = seen(10, 1, 9, 0.2);
  t.match(
    await laidOut([drifting, shifted, shifted]),
    {
      count: 3,
      folder: '',
      pagination: { by: 'engine', reason: 'same-pages' },
      conversion: { attempts: 3, cpuMs: 30 },
    },
    'not one with more kept marks',
  );
});

t.test('one process that could convert others is enough for all', async (t) => {
  const [right, shifted] = [seen(10, 0, 0, 1), seen(11, 1, 2, 0.9)];
  const isolationOf = async (...isolations: Isolation[]) =>
    (await laidOut([shifted, right], undefined, undefined, isolations)).conversion.isolation;
  t.equal(await isolationOf('document', 'document'), 'document');
  t.equal(await isolationOf('account', 'document'), 'account');
  t.equal(await isolationOf('document', 'account'), 'account');
});

t.test('a fourth one, if the third keeps more marks and its plan has more breaks', async (t) => {
  const own = seen(10, 1, 9, 0.2);
  const second = seen(11, 1, 2, 0.5);
  const third = seen(11, 1, 2, 0.9);
  const more = { ...third, next: { ...third.next, breaks: [1, 2] } };
  const right = seen(10, 0, 0, 1);
  t.match(await laidOut([own, second, more, right]), { count: 4, folder: '/paginated-4' });
  t.match(await laidOut([own, second, third, right]), { count: 3, folder: '' });
});

t.test('it is never worse than the engine by the measure of all', async (t) => {
  const kinds = [0, 1, -1].flatMap((shift) =>
    [0, 2, 5, 9].flatMap((from) => [0.1, 0.9].map((kept) => seen(10 + shift, shift, from, kept))),
  );
  for (const [i, own] of kinds.entries())
    for (const other of kinds) {
      const { layouts = [], pagination, folder } = await laidOut([own, other, other, other]);
      const scores = layouts.map(({ excess, rightShare }) => rightShare - 0.1 * excess);
      const chosen = pagination.by === 'engine' ? 0 : Number(folder.slice(-1)) - 1;
      if (layouts.length > 0) t.ok((scores[chosen] ?? 0) >= (scores[0] ?? 0) - 0.01, `${i}`);
    }
});

t.test('a layout without anchors, where those with anchors have too many pages', async (t) => {
  const shifted = seen(11, 1, 2, 0.1);
  const worse = seen(12, 2, 1, 0.9);
  const layouts = [shifted, worse, worse];
  const plain = await laidOut(layouts, 10);
  t.match(plain, {
    count: 4,
    folder: '/paginated-4',
    isAnchored: false,
    pagination: { reason: 'same-pages' },
  });
  const same = await laidOut(layouts, 11);
  t.match(same, { count: 4, folder: '', isAnchored: true, pagination: { reason: 'does-not-fit' } });
});

t.test('the nearest so far, where there is no time for a further layout', async (t) => {
  const layouts = [seen(11, 1, 2, 0.1), seen(11, 1, 5, 0.1), seen(10, 0, 0, 1)];
  const failure = 'CONVERSION_FAILED time';
  const first = { count: 1, folder: '', pagination: { by: 'engine', reason: 'failed' }, failure };
  t.match(await laidOut(layouts, 11, 1), first);
  t.match(await laidOut(layouts, 11, 2), { count: 2, folder: '/paginated-2', failure });
});
