/** Words are broken where their language allows. Dictionaries are loaded once, after a document needed one, and passed from kit to kit. */
import { readFile, readlink } from 'node:fs/promises';
import { join } from 'node:path';
import t from 'tap';
import { openFiles } from '../e2e/support/processes.ts';
import { hyphenatedLanguages, languagesBrokenIn, narrowColumn } from '../support/hyphenated.ts';
import {
  childrenOf,
  createJob,
  dictionaryLoaderOf,
  never,
  pdfText,
  startKit,
  untilGone,
} from '../support/kit.ts';
import { until } from '../support/until.ts';

/** Loading them takes seconds of idle processor time. */
const LONG_MS = 300_000;
/** The dictionaries of the document, as libhyphen loads them, take 40 MB. */
const SAVED_BYTES = 20 * 1024 * 1024;

const CLOCK = Date.UTC(2021, 4, 6) / 1_000;

const { engine, folder, log } = await startKit(t, { workers: 1, jobCpuMs: LONG_MS, maxDocuments: 6 });
const isDictionaries = (file: string) => file.startsWith('/memfd:hyphenation');
const loader = () => dictionaryLoaderOf(Number(engine.status().pid));

async function convert() {
  const job = { ...(await createJob(folder, narrowColumn({ hyphenated: true }))), clock: CLOCK };
  const { peakBytes = Number.NaN } = await engine.convert(job, never());
  return { peakBytes, pdf: await readFile(join(job.folder, 'output.pdf')), text: await pdfText(job) };
}

t.test('documents without hyphenation load nothing', async (t) => {
  const job = await createJob(folder, narrowColumn({ hyphenated: false }));
  await engine.convert(job, never());
  t.strictSame(languagesBrokenIn(await pdfText(job)), []);
  t.equal(await loader(), undefined);
  t.notMatch(await readFile(`/proc/${engine.status().pid}/maps`, 'utf8'), 'hyphenation');
  t.equal(await readlink(`/proc/${engine.status().pid}/fd/4`), '/dev/null', 'LibreOffice has no file there');
});

t.test('a document gets the same PDF before its dictionaries are there and after', async (t) => {
  const before = await convert();
  t.strictSame(languagesBrokenIn(before.text), hyphenatedLanguages);
  const kit = Number(engine.status().pid);
  // The kit has their memory once it has started to load them.
  await until('loading has begun', () => openFiles(kit).some(isDictionaries));
  await until('they are there', async () => (await loader()) === undefined, LONG_MS);
  // Idle children are older, and would load their own.
  const idle = await childrenOf(kit);
  for (const child of idle) process.kill(child, 'SIGKILL');
  await Promise.all(idle.map(untilGone));
  const after = await convert();
  t.ok(before.pdf.equals(after.pdf));
  t.ok(after.peakBytes < before.peakBytes - SAVED_BYTES, 'a document finds them');
});

t.test('the memory that they are in', async (t) => {
  const maps = await readFile(`/proc/${engine.status().pid}/maps`, 'utf8');
  const [found = ''] = maps.split('\n').filter((line) => line.includes('/memfd:hyphenation'));
  t.match(found, / r--p /, 'is no other process’s to change');
});

t.test('the next kit has them from its start', async (t) => {
  const former = await convert();
  const retired = log.count('kit retired');
  while (log.count('kit retired') === retired) await convert();
  const next = await convert();
  t.equal(await loader(), undefined);
  t.ok(next.pdf.equals(former.pdf));
  t.ok(next.peakBytes < former.peakBytes + SAVED_BYTES, 'no child loads its own');
  const kit = Number(engine.status().pid);
  t.ok(openFiles(kit).some(isDictionaries));
  await until('its next child has closed them', async () => {
    const [child] = await childrenOf(kit);
    try {
      return child !== undefined && !openFiles(child).some(isDictionaries);
    } catch {
      return false; // ended meanwhile
    }
  });
});
