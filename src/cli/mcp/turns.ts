/** Conversions of a client: so many go on at a time, and so many wait. */
import { PlatenError } from '../../errors.ts';

export class Turns {
  readonly #atOnce: number;
  readonly #most: number;
  /** Begin those that wait, in order of arrival. */
  readonly #waiting = new Set<() => void>();
  #running = 0;

  /** @param most that wait. */
  constructor(atOnce: number, most: number) {
    this.#atOnce = atOnce;
    this.#most = most;
  }

  /**
   * Works when it is this one's turn.
   *
   * @throws PlatenError `OVERLOADED` if too many wait; what `work` throws; the signal's reason if it aborts before.
   */
  async take<T>(work: () => Promise<T>, signal: AbortSignal): Promise<T> {
    signal.throwIfAborted();
    if (this.#running < this.#atOnce) this.#running += 1;
    else await this.#wait(signal);
    try {
      return await work();
    } finally {
      const [next] = this.#waiting;
      if (next) next();
      else this.#running -= 1;
    }
  }

  async #wait(signal: AbortSignal): Promise<void> {
    if (this.#waiting.size === this.#most) {
      const message = `${this.#most} conversions wait already. Call again when some have ended.`;
      throw new PlatenError('OVERLOADED', { message, reason: 'full' });
    }
    await new Promise<void>((resolve, reject) => {
      const begin = () => {
        this.#waiting.delete(begin);
        signal.removeEventListener('abort', leave);
        resolve();
      };
      const leave = () => {
        this.#waiting.delete(begin);
        reject(signal.reason);
      };
      this.#waiting.add(begin);
      signal.addEventListener('abort', leave, { once: true });
    });
  }
}
