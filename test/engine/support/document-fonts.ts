/** Converts documents, and compares the fonts that they name with those of their PDFs. */
import { join } from 'node:path';
import type { Test } from 'tap';
import { readFonts } from '../../../bench/fidelity/fonts.ts';
import { fontRows } from '../../../src/convert/fonts/font-table.ts';
import { PdfFontNames } from '../../../src/convert/fonts/names.ts';
import { standInsOf } from '../../../src/convert/fonts/stand-ins.ts';
import type { Job } from '../../../src/engine/engine.ts';
import { never, openPreflight } from '../../convert/support/preflight.ts';
import { createJob, type StartedKit, startKit } from '../../support/kit.ts';

const CONCURRENCY = 2;

const standIns = standInsOf(fontRows());
const preflight = openPreflight(['docx'], new Set(standIns.keys()));

/** A document that is not converted yet. */
interface Prepared {
  readonly job: Job;
  /** Fonts that it wants. */
  readonly wanted: readonly string[];
}

interface Converted extends Pick<Prepared, 'wanted'> {
  /** Path of its PDF. */
  readonly pdf: string;
}

/** Whether the table has a stand-in for a font. */
export const isKnown = (font: string): boolean => standIns.has(font.toLowerCase());

export class DocumentFonts {
  readonly #kit: StartedKit;

  private constructor(kit: StartedKit) {
    this.#kit = kit;
  }

  /** Starts a kit, which ends with the test. */
  static async start(t: Test): Promise<DocumentFonts> {
    return new DocumentFonts(await startKit(t, { workers: CONCURRENCY }));
  }

  get libreOffice(): string | undefined {
    return this.#kit.engine.status().libreOffice;
  }

  async prepare(document: Buffer): Promise<Prepared> {
    const job = await createJob(this.#kit.folder, document);
    const { metadata } = await preflight.check(join(job.folder, 'input.docx'));
    return { job, wanted: metadata.fonts };
  }

  async finish({ job, wanted }: Prepared): Promise<Converted> {
    await this.#kit.engine.convert(job, never());
    return { wanted, pdf: join(job.folder, 'output.pdf') };
  }

  async convert(document: Buffer): Promise<Converted> {
    return this.finish(await this.prepare(document));
  }

  /** The fonts of the table that the document wants, and that its PDF lacks, as well as their stand-ins. */
  async without({ wanted, pdf }: Converted): Promise<string[]> {
    const names = (await readFonts(pdf)).map(({ name }) => name);
    const present = new PdfFontNames(names);
    return wanted.filter((font) => {
      const known = standIns.get(font.toLowerCase());
      return known && ![font, ...known.map(({ name }) => name)].some((name) => present.has(name));
    });
  }
}

/** Does the work for each item, for as many at a time as the kit has workers. */
export async function eachOf<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  const queue = items.values();
  const worker = async () => {
    for (const item of queue) await work(item);
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, worker));
}
