/** PDFs that would take long to check: the check ends, and says that it has not finished, or what is broken. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { violations } from '../support/conformance.ts';
import { Sample } from './sample.ts';

async function examined(t: Test, change: (sample: Sample) => void): Promise<string[]> {
  const path = join(t.testdir(), 'sample.pdf');
  const sample = new Sample('ua');
  change(sample);
  await writeFile(path, sample.bytes());
  // One that has no end meets the time limit of the test run.
  return violations(path, 'ua').then(
    (all) => all.map(({ demand, what }) => `${demand} ${what}`),
    (error: Error) => [error.message],
  );
}

/** Forms that each draw the next one twice. */
function doubling(sample: Sample): void {
  const forms = 40;
  for (let n = 0; n < forms; n += 1) {
    const next = n + 1 === forms ? '' : `/Resources<</XObject<</F{f${n + 1}}>>>>`;
    sample.parts[`f${n}`] = {
      text: `<</Type/XObject/Subtype/Form/BBox[0 0 9 9]${next}>>`,
      data: n + 1 === forms ? ' ' : '/F Do /F Do',
    };
  }
  sample.change('page', '/XObject<<', '/XObject<</F{f0}');
  sample.part('content').data = '/F Do';
}

t.test('forms that draw each other, twice each', async (t) => {
  t.match(await examined(t, doubling), ['the check takes too long']);
});

t.test('marks and states that nobody closes', async (t) => {
  for (const [operator, message] of [
    ['q ', 'too many graphics states are open'],
    ['/P BMC ', 'too much marked content is open'],
  ] as const) {
    const change = (sample: Sample) => {
      sample.part('content').data = operator.repeat(100_000);
    };
    t.strictSame(await examined(t, change), [message]);
  }
});

t.test('elements that are in themselves', async (t) => {
  t.strictSame(await examined(t, (sample) => sample.change('h2', '/K[]', '/K[{document}]')), []);
});

t.test('a cell of many columns', async (t) => {
  const change = (sample: Sample) => {
    sample.change('th', '/O/Table', '/O/Table/ColSpan 2000000000');
  };
  t.strictSame(await examined(t, change), ['a table has too many cells']);
});

t.test('more violations than anybody reads', async (t) => {
  const change = (sample: Sample) => {
    sample.part('content').data = `/Span <</MCID 1>> BDC ${'/Artifact BMC EMC '.repeat(1_000)} EMC`;
  };
  const found = await examined(t, change);
  t.equal(found.filter((text) => text.startsWith('No artifact')).length, 5);
  t.ok(found.length <= 25);
});
