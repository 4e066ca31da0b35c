/** An engine for tests of everything around the conversion: it returns the same PDF for every document. */
import { once } from 'node:events';
import { copyFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PNG } from 'pngjs';
import {
  type Conversion,
  type ConversionJob,
  type Engine,
  type EngineStatus,
  type FinishingJob,
  OUTPUT_NAME,
  type PictureJob,
  pictureNames,
  UNFINISHED_NAME,
} from '../../src/engine/engine.ts';
import { sandboxOf } from '../../src/engine/sandbox.ts';
import { plainPdf } from './plain-pdf.ts';

const EVERY_LAYER = 15;
const CREATED = 'D:20200102030405Z';
const XMP = '<rdf:RDF></rdf:RDF>';

export class StubEngine implements Engine {
  /** Texts of the pages of the next PDFs. */
  texts: readonly string[] = [''];
  /** What the next conversions reject with. */
  failure: Error | undefined;
  #gate: Promise<void> = Promise.resolve();
  #documents = 0;
  #running = 0;

  async start(): Promise<void> {}

  async stop(): Promise<void> {}

  /**
   * From now on conversions run until they are told to end, or their signal aborts.
   *
   * @returns ends them.
   */
  hold(): () => void {
    const { promise, resolve } = withResolvers();
    this.#gate = promise;
    return resolve;
  }

  /** The PDF as it is. */
  async finish({ folder }: FinishingJob): Promise<number> {
    await copyFile(join(folder, UNFINISHED_NAME), join(folder, OUTPUT_NAME));
    return this.texts.length;
  }

  /** What it was to draw last. */
  lastPicture: PictureJob | undefined;

  /** A black picture of the size that is asked for. */
  async draw(job: PictureJob): Promise<void> {
    this.lastPicture = job;
    const { folder, width, height, background } = job;
    const picture =
      background === 'white'
        ? Buffer.concat([Buffer.from(`P6\n${width} ${height}\n255\n`), Buffer.alloc(3 * width * height)])
        : PNG.sync.write(new PNG({ width, height }));
    await writeFile(join(folder, pictureNames[background]), picture);
  }

  /** What it was given last. */
  lastJob: ConversionJob | undefined;

  async convert(job: ConversionJob, signal: AbortSignal): Promise<Conversion> {
    const { folder } = job;
    this.lastJob = job;
    this.#documents++;
    this.#running++;
    try {
      await Promise.race([this.#gate, once(signal, 'abort')]);
      signal.throwIfAborted();
      if (this.failure) throw this.failure;
      await writeFile(join(folder, OUTPUT_NAME), plainPdf(this.texts, { created: CREATED, xmp: XMP }));
      const isolation = job.owner === undefined ? 'document' : 'account';
      const pages = this.texts.length;
      return { peakBytes: undefined, pages, cpuMs: undefined, attempts: 1, tagged: true, isolation };
    } finally {
      this.#running--;
    }
  }

  status(): EngineStatus {
    return {
      engine: 'kit',
      ready: true,
      libreOffice: '25.2',
      fontSet: 'stub',
      poppler: '25.03.0',
      pid: undefined,
      sandbox: sandboxOf(EVERY_LAYER),
      restarts: 0,
      renewals: 0,
      documentsPerChild: 1,
      children: { idle: 0, running: this.#running },
      documents: this.#documents,
    };
  }
}

function withResolvers(): { promise: Promise<void>; resolve: () => void } {
  let resolve = () => {};
  const promise = new Promise<void>((done) => {
    resolve = done;
  });
  return { promise, resolve };
}
