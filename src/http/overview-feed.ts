/** The overview for those who watch it: read once for all of them, and only while there are any. */
import type { Static } from 'typebox';
import type { Statistics } from '../operator/statistics.ts';
import type { Overview as OverviewObject } from './contract/operator/service.ts';
import { readStatus, type StatusSources } from './service-status.ts';

type Overview = Static<typeof OverviewObject>;

/** Takes the overview as JSON. */
export type Watcher = (json: string) => void;

const EVERY_MS = 2_000;
/** Each costs a connection and some memory. */
const MAX_WATCHERS = 100;

export class OverviewFeed {
  readonly #sources: StatusSources;
  readonly #statistics: Statistics;
  readonly #watchers = new Set<Watcher>();
  #timer: NodeJS.Timeout | undefined;

  constructor(sources: StatusSources, statistics: Statistics) {
    this.#sources = sources;
    this.#statistics = statistics;
  }

  /** How the service is now. Never rejects, and takes about a second at most. */
  async read(): Promise<Overview> {
    const [server, periods] = await Promise.all([
      readStatus(this.#sources),
      this.#statistics.read().catch(() => undefined),
    ]);
    return {
      at: new Date().toISOString(),
      server,
      lastHour: periods?.lastHour ?? null,
      lastDay: periods?.lastDay ?? null,
    };
  }

  /**
   * Tells a watcher the overview now and every two seconds.
   *
   * @returns what ends that; undefined when there are too many watchers already.
   */
  watch(watcher: Watcher): (() => void) | undefined {
    if (this.#watchers.size >= MAX_WATCHERS) return undefined;
    this.#watchers.add(watcher);
    this.tellNow();
    return () => {
      this.#watchers.delete(watcher);
      if (this.#watchers.size === 0) clearTimeout(this.#timer);
    };
  }

  /** Something has changed that nobody should wait for. */
  tellNow(): void {
    clearTimeout(this.#timer);
    if (this.#watchers.size === 0) return;
    this.#timer = setTimeout(() => this.tellNow(), EVERY_MS);
    this.#timer.unref();
    void this.read().then((overview) => {
      const json = JSON.stringify(overview);
      for (const watcher of this.#watchers) watcher(json);
    });
  }
}
