/** A resident process that converts documents one by one: one line in, one line out. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface, type Interface } from 'node:readline';
import type { BenchDocument } from './documents.ts';

/** Time limits: to get ready, to convert a document, to end. */
const PATIENCE_MS = 120_000;

/** A program, its arguments and its environment. */
interface Command {
  readonly program: string;
  readonly args: readonly string[];
  readonly env: NodeJS.ProcessEnv;
}

export class LineConverter {
  readonly #process: ChildProcess;
  readonly #lines: Interface;
  readonly #folder: string;

  private constructor(process: ChildProcess, lines: Interface, folder: string) {
    this.#process = process;
    this.#lines = lines;
    this.#folder = folder;
  }

  /**
   * Starts the process in a new folder, which also has its input and output files.
   *
   * @param command to run: it prints `ready`, reads lines of `INPUT<tab>OUTPUT`, prints the milliseconds of each
   * conversion, and exits at the end of its input.
   * @throws Error if it exits before it is ready.
   */
  static async start(command: (folder: string) => Promise<Command>): Promise<LineConverter> {
    const folder = await mkdtemp(join(tmpdir(), 'platen-bench-'));
    const { program, args, env } = await command(folder);
    const child = spawn(program, args, { env, stdio: ['pipe', 'pipe', 'ignore'] });
    const converter = new LineConverter(child, createInterface({ input: child.stdout }), folder);
    try {
      if ((await converter.#nextLine()) !== 'ready') throw new Error(`${program} did not get ready`);
    } catch (error) {
      await converter.stop();
      throw error;
    }
    return converter;
  }

  /** Converts one document and returns the milliseconds it took. */
  async convert(document: BenchDocument): Promise<number> {
    const input = join(this.#folder, 'input.docx');
    await writeFile(input, document.content);
    return this.convertFile(input, join(this.#folder, 'output.pdf'));
  }

  /** As {@link convert}, from file to file. */
  async convertFile(input: string, output: string): Promise<number> {
    const answer = this.#nextLine();
    this.#process.stdin?.write(`${input}\t${output}\n`);
    return Number(await answer);
  }

  async stop(): Promise<void> {
    const { exitCode, signalCode } = this.#process;
    if (exitCode === null && signalCode === null) {
      const exited = once(this.#process, 'exit');
      this.#process.stdin?.end();
      const timer = setTimeout(() => this.#process.kill('SIGKILL'), PATIENCE_MS);
      await exited;
      clearTimeout(timer);
    }
    this.#lines.close();
    await rm(this.#folder, { recursive: true, force: true, maxRetries: 3 });
  }

  async #nextLine(): Promise<string> {
    const ended = new AbortController();
    const signal = AbortSignal.any([ended.signal, AbortSignal.timeout(PATIENCE_MS)]);
    try {
      return await Promise.race([
        once(this.#lines, 'line', { signal }).then(([line]) => String(line)),
        once(this.#process, 'exit', { signal }).then(() => {
          throw new Error(`${this.#process.spawnfile} ended`);
        }),
      ]);
    } finally {
      ended.abort();
    }
  }
}

/** Starts several in parallel; stops all if one does not start. */
export async function startAll(
  count: number,
  start: () => Promise<LineConverter>,
): Promise<readonly LineConverter[]> {
  const starts = await Promise.allSettled(Array.from({ length: count }, start));
  const started = starts.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []));
  const failed = starts.find((each) => each.status === 'rejected');
  if (!failed) return started;
  await Promise.all(started.map((each) => each.stop()));
  throw failed.reason;
}
