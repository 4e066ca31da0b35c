/** What the verdict about a PDF costs, of both PDF/A-2b and PDF/UA-1. */
import { closeSync, openSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { verdictsOf } from '../src/convert/pdf/conformance/verdict.ts';
import { PdfObjects } from '../src/convert/pdf/objects/pdf-objects.ts';
import { TailReader } from '../src/system/tail-reader.ts';
import type { BenchService } from './service.ts';
import { type Summary, summary } from './statistics.ts';

const STANDARDS = { pdfa: '2b', pdfua: true } as const;

export interface VerdictCost {
  readonly pages: number;
  /** Milliseconds of processor time in a process that has checked such a PDF before. */
  readonly ms: Summary;
}

/** Checks the PDF of each document `count` times. @throws Error if one keeps not what was asked for. */
export async function measureVerdicts(
  service: BenchService,
  documents: readonly Buffer[],
  count: number,
): Promise<VerdictCost[]> {
  const folder = await mkdtemp(join(tmpdir(), 'platen-verdict-'));
  const costs: VerdictCost[] = [];
  try {
    for (const [index, document] of documents.entries()) {
      const path = join(folder, `${index}.pdf`);
      const { pdf } = await service.pdf(document, { pdfa: '2b', pdfua: 'true', title: 'A title' });
      await writeFile(path, pdf);
      costs.push(costOf(path, count));
    }
  } finally {
    await rm(folder, { recursive: true });
  }
  return costs;
}

function costOf(path: string, count: number): VerdictCost {
  const fd = openSync(path, 'r');
  try {
    const reader = TailReader.over(fd);
    check(reader);
    const times = Array.from({ length: count }, () => check(reader));
    return { pages: [...new PdfObjects(reader).pages()].length, ms: summary(times) };
  } finally {
    closeSync(fd);
  }
}

/** Milliseconds of processor time. */
function check(reader: TailReader): number {
  const start = process.cpuUsage();
  const verdicts = verdictsOf(reader, STANDARDS);
  const { user, system } = process.cpuUsage(start);
  if (verdicts.some(({ verdict }) => verdict !== 'pass'))
    throw new Error('a PDF does not keep its standards');
  return (user + system) / 1_000;
}
