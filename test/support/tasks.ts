/** Tasks for tests of the queue. */

/** A task that runs until told to end, even before the queue starts it. */
export class Task {
  end: () => void = () => {};
  fail: (error: Error) => void = () => {};
  /** Resolves when the queue starts the task. */
  readonly started: Promise<void>;
  readonly #ended: Promise<void>;
  #announce: () => void = () => {};

  constructor() {
    this.started = new Promise((resolve) => {
      this.#announce = resolve;
    });
    this.#ended = new Promise((resolve, reject) => {
      this.end = resolve;
      this.fail = reject;
    });
    this.#ended.catch(() => {});
  }

  readonly run = (): Promise<void> => {
    this.#announce();
    return this.#ended;
  };
}

/** Resolves when all pending callbacks have run. */
export function settled(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
