/**
 * A process of its own that reads growing documents, and measures itself: its CPU time, and how often each piece of code ran. The
 * process of a test would measure the test as well.
 */
import { type ChildProcess, fork } from 'node:child_process';
import type { Test } from 'tap';
import type { Reading } from './whole-reading.ts';

/** What is to be read: a kind of growing document, or an attack. */
export interface Order {
  readonly name: string;
  readonly size: number;
}

/** What reading it took. */
export interface Measured extends Reading {
  /** CPU time of the process, in milliseconds. */
  readonly cpuMs: number;
  /** Size of what is in the document, or of the PDF. */
  readonly inflatedBytes: number;
  /** What went wrong; undefined if it was read or refused. */
  readonly mistake: string | undefined;
  /** How often each block of the code that reads ran since the last document, by its place; empty if that is not counted. */
  readonly counts: ReadonlyMap<string, number>;
  /** The place of the block around each block. V8 leaves out a block that ran as often as that one. */
  readonly around: ReadonlyMap<string, string>;
}

export class MeasuredReading {
  readonly #child: ChildProcess;
  #settle: { resolve(reply: Measured): void; reject(error: Error): void } | undefined;

  /** @param counts whether to count how often code runs; then it takes longer. */
  constructor(t: Test, { counts }: { readonly counts: boolean }) {
    this.#child = fork(new URL('./reading-process.ts', import.meta.url), [t.testdir({}), String(counts)], {
      execArgv: ['--import=tsx'],
      serialization: 'advanced',
    });
    this.#child.on('message', (reply: Measured) => this.#settle?.resolve(reply));
    this.#child.once('exit', (code, signal) =>
      this.#settle?.reject(new Error(`the process that reads ended with ${signal ?? code}`)),
    );
    t.teardown(() => this.#child.kill('SIGKILL'));
  }

  /** One at a time. @throws Error if the process ends. */
  read(order: Order): Promise<Measured> {
    return new Promise((resolve, reject) => {
      this.#settle = { resolve, reject };
      this.#child.send(order);
    });
  }
}
