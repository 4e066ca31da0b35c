/** Archives that the code writes, as others read them. */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { promisify } from 'node:util';
import type { Test } from 'tap';
import { fromBufferPromise } from 'yauzl';

/** The content of a part. @throws Error when the archive lacks it. */
export async function partOf(archive: Buffer, name: string): Promise<Buffer> {
  const zip = await fromBufferPromise(archive);
  for await (const entry of zip.eachEntry()) {
    if (entry.fileName === name) return buffer(await zip.openReadStreamPromise(entry));
  }
  throw new Error(`there is no part ${name}`);
}

/** The content of each part, but for those that describe the package, and the one with the document's times where it has none. */
export async function contentsOf(archive: Buffer): Promise<ReadonlyMap<string, string>> {
  const contents = new Map<string, string>();
  const zip = await fromBufferPromise(archive);
  for await (const entry of zip.eachEntry()) {
    const content = await buffer(await zip.openReadStreamPromise(entry));
    if (!/^\[Content_Types\]\.xml$|\.rels$|^print-view-core\.xml$/.test(entry.fileName))
      contents.set(entry.fileName, content.toString('latin1'));
  }
  return contents;
}

/** Those of a test file, for one start of unzip at its end: a start for each would take most of the file's time. */
export class WrittenArchives {
  readonly #archives: Buffer[] = [];

  add(archive: Buffer): void {
    this.#archives.push(archive);
  }

  /** Asserts that there are some, and that unzip finds nothing wrong with any. */
  async check(t: Test): Promise<void> {
    t.not(this.#archives.length, 0);
    const folder = t.testdir(Object.fromEntries(this.#archives.map((archive, i) => [`${i}.zip`, archive])));
    // It looks for the files by itself.
    const { stdout } = await promisify(execFile)('unzip', ['-tq', join(folder, '*.zip')]);
    t.match(stdout, `${this.#archives.length} archive`);
  }
}
