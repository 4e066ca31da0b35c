/** Sends the overview to watchers: one reading for all of them, and only while there are any. */
import type { Log } from '../../system/log.ts';
import type { Overview } from './read-overview.ts';

/** Receives the overview as JSON. */
type Watcher = (json: string) => void;

const EVERY_MS = 2_000;
/** Each watcher costs a connection and some memory. */
const MAX_WATCHERS = 100;

export class OverviewFeed {
  /** Reads the overview. */
  readonly read: () => Promise<Overview>;
  readonly #log: Log;
  readonly #watchers = new Set<Watcher>();
  #timer: NodeJS.Timeout | undefined;
  /** The running reading. */
  #reading: symbol | undefined;
  /** The last overview, and its time by `performance.now()`. */
  #last: { readonly json: string; readonly at: number } | undefined;

  constructor(read: () => Promise<Overview>, log: Log) {
    this.read = read;
    this.#log = log;
  }

  /**
   * Sends a watcher the overview, at most two seconds old, now and every two seconds.
   *
   * @returns a function that ends it; undefined if there are too many watchers.
   */
  watch(watcher: Watcher): (() => void) | undefined {
    if (this.#watchers.size >= MAX_WATCHERS) return undefined;
    this.#watchers.add(watcher);
    this.#tellNew(watcher);
    return () => {
      this.#watchers.delete(watcher);
      if (this.#watchers.size > 0) return;
      clearTimeout(this.#timer);
      this.#timer = undefined;
    };
  }

  /** To be called after a change that nobody should wait for. */
  tellNow(): void {
    this.#last = undefined;
    this.#tellAll();
  }

  /** Watchers that come in quick succession share one reading. */
  #tellNew(watcher: Watcher): void {
    const last = this.#last;
    const isFresh = last !== undefined && performance.now() - last.at < EVERY_MS;
    if (isFresh) watcher(last.json);
    else if (!this.#reading) this.#tellAll();
    if (!this.#timer) this.#tellLater();
  }

  #tellLater(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#tellAll(), EVERY_MS);
    this.#timer.unref();
  }

  #tellAll(): void {
    if (this.#watchers.size === 0) return;
    this.#tellLater();
    void this.#tell();
  }

  async #tell(): Promise<void> {
    const reading = Symbol('reading');
    this.#reading = reading;
    try {
      const json = JSON.stringify(await this.read());
      // Otherwise another reading has begun since, after a change.
      if (this.#reading !== reading) return;
      this.#last = { json, at: performance.now() };
      for (const watcher of this.#watchers) watcher(json);
    } catch (error) {
      this.#log.error({ err: error }, 'the overview could not be sent');
    } finally {
      if (this.#reading === reading) this.#reading = undefined;
    }
  }
}
