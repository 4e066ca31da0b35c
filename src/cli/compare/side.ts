/**
 * One side of a comparison: a folder with what one engine made of the documents, each under the SHA-256 of its content. It
 * outlives the command, as the engine of the other side is on another machine or in another image.
 */
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { OperatorError } from '../../errors.ts';
import { makeFolders } from '../local/folders.ts';
import type { Engine } from '../local/local-engine.ts';
import { writeWhole } from '../local/whole-file.ts';
import type { Failure } from './finding.ts';

const ABOUT = 'engine.json';

export class Side {
  readonly engine: Engine;
  readonly #folder: string;

  private constructor(folder: string, engine: Engine) {
    this.#folder = folder;
    this.engine = engine;
  }

  /**
   * @returns undefined if there is none so far.
   * @throws OperatorError if it is damaged.
   */
  static async find(folder: string): Promise<Side | undefined> {
    const engine = await readJson<Engine>(join(folder, ABOUT));
    return engine && new Side(folder, engine);
  }

  /**
   * Opens it for what this engine makes; creates it where it is missing.
   *
   * @throws OperatorError if another engine has made it, or it cannot be written.
   */
  static async open(folder: string, engine: Engine): Promise<Side> {
    const found = await Side.find(folder);
    if (!found) {
      await makeFolders(folder);
      await writeWhole(join(folder, ABOUT), JSON.stringify(engine));
      return new Side(folder, engine);
    }
    const isOther = (key: keyof Engine) => {
      const [one, other] = [found.engine[key], engine[key]];
      return one !== null && other !== null && one !== other;
    };
    const other = (Object.keys(engine) as (keyof Engine)[]).find(isOther);
    if (other === undefined) return found;
    throw new OperatorError(
      `${folder} was made with another ${names[other]}: ${found.engine[other]}, and this is ${engine[other]}. Remove it, or ` +
        'choose another folder for the report with --out',
    );
  }

  /** Path of the PDF of a document. */
  pdf(sha256: string): string {
    return join(this.#folder, `${sha256}.pdf`);
  }

  /** What became of a document: it has a PDF, or failed; undefined: it was not converted so far. @throws OperatorError */
  async find(sha256: string): Promise<'pdf' | Failure | undefined> {
    return existsSync(this.pdf(sha256)) ? 'pdf' : readJson<Failure>(this.#failure(sha256));
  }

  /** @throws OperatorError if it cannot be written. */
  async keepPdf(sha256: string, pdf: Readable): Promise<void> {
    await writeWhole(this.pdf(sha256), pdf);
  }

  /** @throws OperatorError if it cannot be written. */
  async keepFailure(sha256: string, { code, message }: Failure): Promise<void> {
    await writeWhole(this.#failure(sha256), JSON.stringify({ code, message }));
  }

  #failure(sha256: string): string {
    return join(this.#folder, `${sha256}.json`);
  }
}

const names: Readonly<Record<keyof Engine, string>> = {
  libreOffice: 'LibreOffice',
  fontSet: 'set of fonts',
  platen: 'version of Platen',
};

/** @returns undefined if there is no such file. */
async function readJson<T>(path: string): Promise<T | undefined> {
  try {
    return JSON.parse(await readFile(path, 'utf8')) as T;
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw new OperatorError(`${path} cannot be read: ${(cause as Error).message}`, { cause });
  }
}
