/** A kit's running jobs, and the promises of their callers. */
import { makeWayWhenSlow } from './priority.ts';
import type { Finished } from './protocol.ts';

/** The kit died, or was ended for breaking the protocol or not answering. */
export class KitGone extends Error {
  override readonly name = 'KitGone';
  /** Whether something outside the service killed it. */
  readonly killed: boolean;

  constructor(reason: string | undefined, killed = false) {
    super(reason);
    this.killed = killed;
  }
}

/** The kit could not create a process for a job, or had one for another owner only. */
export class KitRefused extends Error {
  override readonly name = 'KitRefused';
}

interface RunningJob {
  /** To call when its child has ended. */
  ended: () => void;
  readonly resolve: (finished: Finished) => void;
  readonly reject: (error: Error) => void;
}

/** Messages on unknown jobs are ignored. */
export class KitJobs {
  readonly #jobs = new Map<string, RunningJob>();

  get size(): number {
    return this.#jobs.size;
  }

  /**
   * Resolves when the job has finished, rejects when it has failed. The caller must remove it.
   */
  add(id: string): Promise<Finished> {
    return new Promise((resolve, reject) => {
      this.#jobs.set(id, { ended: () => {}, resolve, reject });
    });
  }

  remove(id: string): void {
    this.#jobs.get(id)?.ended();
    this.#jobs.delete(id);
  }

  /** @param child the process that works on it. */
  started(id: string, child: number): void {
    const job = this.#jobs.get(id);
    if (job) job.ended = makeWayWhenSlow(child);
  }

  finished(message: Finished): void {
    this.#jobs.get(message.id)?.resolve(message);
  }

  failed(id: string, error: Error): void {
    this.#jobs.get(id)?.reject(error);
  }

  allFailed(error: Error): void {
    for (const { reject } of this.#jobs.values()) reject(error);
  }
}
