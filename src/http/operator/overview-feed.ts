/** The overview for those who watch it: read once for all of them, and only while there are any. */
import type { Log } from '../../log.ts';
import type { Overview } from './read-overview.ts';

/** Takes the overview as JSON. */
export type Watcher = (json: string) => void;

const EVERY_MS = 2_000;
/** Each costs a connection and some memory. */
const MAX_WATCHERS = 100;

export class OverviewFeed {
  /** Reads how the service is now. */
  readonly read: () => Promise<Overview>;
  readonly #log: Log;
  readonly #watchers = new Set<Watcher>();
  #timer: NodeJS.Timeout | undefined;
  /** The reading that is under way. */
  #reading: symbol | undefined;
  /** What was told last, and when, as `performance.now()` counts. */
  #last: { readonly json: string; readonly at: number } | undefined;

  constructor(read: () => Promise<Overview>, log: Log) {
    this.read = read;
    this.#log = log;
  }

  /**
   * Tells a watcher the overview now, as it was two seconds ago at most, and every two seconds.
   *
   * @returns what ends that; undefined when there are too many watchers already.
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

  /** Something has changed that nobody should wait for. */
  tellNow(): void {
    this.#last = undefined;
    this.#tellAll();
  }

  /** Those who come one after the other, or back again and again, cost no reading each. */
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
      // Else another one began since, as something has changed.
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
