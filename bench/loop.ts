/** The limit: LibreOfficeKit in one warm process that converts in a loop, with no fork and no isolation. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface, type Interface } from 'node:readline';
import { pathToFileURL } from 'node:url';
import { fillProfile } from '../src/engine/kit-command.ts';
import { PROGRAM_FOLDER, readOnlyConfigurationLayers } from '../src/engine/libreoffice.ts';
import { kitFiles } from '../src/paths.ts';
import type { BenchDocument } from './documents.ts';

export class Loop {
  readonly #process: ChildProcess;
  readonly #lines: Interface;
  readonly #folder: string;

  private constructor(process: ChildProcess, lines: Interface, folder: string) {
    this.#process = process;
    this.#lines = lines;
    this.#folder = folder;
  }

  static async start(): Promise<Loop> {
    const folder = await mkdtemp(join(tmpdir(), 'platen-loop-'));
    await fillProfile(join(folder, 'profile'));
    const child = spawn(
      join(dirname(kitFiles.binary), 'platen-loop'),
      [
        PROGRAM_FOLDER,
        pathToFileURL(join(folder, 'profile')).href,
        kitFiles.sampleDocument,
        join(folder, 'warmup.pdf'),
      ],
      {
        // What the kit has, so that only the fork differs.
        env: {
          PATH: '/usr/bin:/bin',
          HOME: folder,
          LANG: 'C.UTF-8',
          TMPDIR: folder,
          SAL_USE_VCLPLUGIN: 'svp',
          CONFIGURATION_LAYERS: await readOnlyConfigurationLayers(kitFiles.settings),
        },
        stdio: ['pipe', 'pipe', 'ignore'],
      },
    );
    const loop = new Loop(child, createInterface({ input: child.stdout }), folder);
    if ((await loop.#nextLine()) !== 'ready') throw new Error('the loop did not get ready');
    return loop;
  }

  /** Converts one document and returns the milliseconds it took. */
  async convert(document: BenchDocument): Promise<number> {
    const input = join(this.#folder, 'input.docx');
    await writeFile(input, document.content);
    const answer = this.#nextLine();
    this.#process.stdin?.write(`${input}\t${join(this.#folder, 'output.pdf')}\n`);
    return Number(await answer);
  }

  async stop(): Promise<void> {
    this.#process.kill('SIGKILL');
    this.#lines.close();
    await rm(this.#folder, { recursive: true, force: true });
  }

  async #nextLine(): Promise<string> {
    const ended = new AbortController();
    try {
      return await Promise.race([
        once(this.#lines, 'line', { signal: ended.signal }).then(([line]) => String(line)),
        once(this.#process, 'exit', { signal: ended.signal }).then(() => {
          throw new Error('the loop ended');
        }),
      ]);
    } finally {
      ended.abort();
    }
  }
}
