/**
 * node --import=tsx bench/options.ts: what each option of a conversion costs. Converts one page, and 46 pages with
 * pictures, without options and with each, in turns, ROUNDS (default 20) times. Prints Markdown: the medians, and the
 * median of the differences between consecutive conversions.
 */
import { benchDocuments, onePage } from './documents.ts';
import { BenchService } from './service.ts';
import { median, round } from './statistics.ts';

const ROUNDS = Number(process.env.ROUNDS ?? 20);
const WARM_UPS = 3;

interface Row {
  readonly name: string;
  readonly options?: Readonly<Record<string, string>>;
  readonly fields?: Readonly<Record<string, string>>;
}

const rows: readonly Row[] = [
  { name: '`pages=1`', options: { pages: '1' } },
  { name: '`pdfa=2b`', options: { pdfa: '2b' } },
  { name: '`pdfua=true`', options: { pdfua: 'true' } },
  { name: '`fields=updated`', options: { fields: 'updated' } },
  { name: '`images=jpeg`', options: { images: 'jpeg' } },
  { name: '`images=jpeg`, `imageDpi=150`', options: { images: 'jpeg', imageDpi: '150' } },
  { name: '`tagged=false`', options: { tagged: 'false' } },
  { name: '`watermark`', options: { watermark: 'DRAFT' } },
  { name: '`title`', options: { title: 'Another title' } },
  { name: '`linearize=true`', options: { linearize: 'true' } },
  { name: '`format=png`', options: { format: 'png' } },
  { name: '`format=png`, `width=300`', options: { format: 'png', width: '300' } },
  { name: '`format=png`, `background=transparent`', options: { format: 'png', background: 'transparent' } },
  { name: '`userPassword`', fields: { userPassword: 'for-readers' } },
];

const service = await BenchService.start();
try {
  const documents = [onePage(), ...benchDocuments().filter(({ name }) => name.startsWith('46 pages'))];
  const heads = documents.map(({ name }) => ` ${name}, ms | costs |`);
  console.log(`| option |${heads.join('')}\n|---|${'---|---|'.repeat(documents.length)}`);
  for (const row of rows) {
    const cells: string[] = [];
    for (const { content } of documents) {
      const [plain, special] = await measure(content, row);
      const differences = special.map((ms, i) => ms - (plain[i] ?? 0));
      cells.push(` ${round(median(special))} | ${round(median(differences))} |`);
    }
    console.log(`| ${row.name} |${cells.join('')}`);
  }
} finally {
  await service.stop();
}

/** Milliseconds without the option and with it. The order alternates. */
async function measure(content: Buffer, { options, fields }: Row): Promise<[number[], number[]]> {
  const plain: number[] = [];
  const special: number[] = [];
  for (let n = -WARM_UPS; n < ROUNDS; n += 1) {
    const turns = [
      async () => void plain.push((await service.pdf(content)).totalMs),
      async () => void special.push((await service.pdf(content, options, fields)).totalMs),
    ];
    for (const turn of n % 2 === 0 ? turns : turns.reverse()) await turn();
    if (n < 0) plain.length = special.length = 0;
  }
  return [plain, special];
}
