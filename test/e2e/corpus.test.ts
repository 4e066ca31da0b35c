/**
 * Real documents, where a corpus of them lies beside the checkout; its index says what to expect of each.
 *
 * CORPUS_STEP takes one of so many; corpus.soak.ts takes all.
 */
import { existsSync, readFileSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import t, { type Test } from 'tap';
import { Server } from '../support/server.ts';
import { until } from '../support/until.ts';
import { endsCleanly, isError } from './support/assertions.ts';
import { pdfPages } from './support/pdf.ts';
import { convert } from './support/requests.ts';

const corpus = resolve(import.meta.dirname, '../../../shared/corpus');
const index = join(corpus, 'index.tsv');
const CONCURRENCY = 2;
const CORPUS_STEP = Number(process.env.CORPUS_STEP ?? 16);

/** What a cold soffice did with the file, by the last column of the index. */
interface Entry {
  readonly file: string;
  readonly expected: string;
}

function readIndex(): Entry[] {
  const [, ...rows] = readFileSync(index, 'utf8').trim().split('\n');
  return rows.map((row) => {
    const fields = row.split('\t');
    return { file: fields[0] ?? '', expected: fields.at(-1) ?? '' };
  });
}

async function check(t: Test, server: Server, key: string, { file, expected }: Entry): Promise<void> {
  const answer = await convert(server, key, await readFile(join(corpus, file)));
  if (expected !== 'converts') {
    t.equal(answer.status, 400, `${file}: ${expected}`);
    isError(t, answer, 'CORRUPTED_FILE', 400, file);
  } else if (answer.status !== 200) {
    t.fail(`${file}: ${answer.status} ${answer.body}`);
  } else {
    t.equal(await pdfPages(answer.body), Number(answer.headers.get('x-conversion-pages')), file);
  }
}

if (!existsSync(index)) {
  t.pass('there is no corpus here');
} else {
  t.test(`one of ${CORPUS_STEP} documents of the corpus, through one server`, async (t) => {
    const server = await Server.start({ env: { WORKERS: String(CONCURRENCY) } });
    const { key } = await server.createKey();
    const entries = readIndex();
    t.ok(entries.length > 100, `${entries.length} files`);
    const queue = entries.filter((_, i) => i % CORPUS_STEP === 0).values();
    const worker = async () => {
      for (const entry of queue) await check(t, server, key, entry);
    };
    await Promise.all(Array.from({ length: CONCURRENCY }, worker));
    await until('the jobs are gone', async () => (await server.jobs()).length === 0);
    const left = await readdir(server.dataDir, { recursive: true });
    t.strictSame(
      left.filter((name) => name.includes('.~lock')),
      [],
      'LibreOffice left no lock files',
    );
    t.strictSame(server.troubles, [], 'the log knows of no trouble');
    await endsCleanly(t, server);
  });
}
