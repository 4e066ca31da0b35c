/** The live overview: server-sent events while the page is visible. */
import { useEffect, useState } from 'preact/hooks';
import { addressOf, type Failure, refusalOf } from '../app/api.ts';
import type { Overview } from '../app/api-types.ts';

const PATH = '/events';
/** The service sends every two seconds; a stream that is silent this long is dead. */
const SILENCE_MS = 15_000;
const RETRY_MS = 3_000;

export interface Live {
  /** The newest; undefined until the first. */
  readonly overview: Overview | undefined;
  readonly isConnected: boolean;
  /** Why it is not connected, if the service says so. */
  readonly failure: Failure | undefined;
}

export function useLive(): Live {
  const [live, setLive] = useState<Live>({ overview: undefined, isConnected: false, failure: undefined });
  useEffect(() => {
    const feed = new Feed({
      receive: (overview) => setLive({ overview, isConnected: true, failure: undefined }),
      lose: (failure) => setLive(({ overview }) => ({ overview, isConnected: false, failure })),
    });
    const follow = () => (document.hidden ? feed.stop() : feed.start());
    document.addEventListener('visibilitychange', follow);
    follow();
    return () => {
      document.removeEventListener('visibilitychange', follow);
      feed.stop();
    };
  }, []);
  return live;
}

interface Listener {
  receive(overview: Overview): void;
  lose(failure: Failure | undefined): void;
}

/**
 * A stream of events that reconnects, also when its session has ended: another tab may have signed in again, and the browser may be
 * about to get the cookie. If there is no session any more, the next request says so, which leads to the sign-in.
 */
class Feed {
  readonly #listener: Listener;
  #source: EventSource | undefined;
  /** Timer until the next attempt, or until the stream counts as dead. */
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(listener: Listener) {
    this.#listener = listener;
  }

  start(): void {
    this.stop();
    const source = new EventSource(addressOf(PATH));
    this.#source = source;
    this.#startIn(SILENCE_MS);
    source.addEventListener('overview', ({ data }) => {
      this.#startIn(SILENCE_MS);
      this.#listener.receive(JSON.parse(data) as Overview);
    });
    source.addEventListener('end', () => {
      this.stop();
      this.#listener.lose(undefined);
      this.#startIn(RETRY_MS);
    });
    source.addEventListener('error', () => void this.#explain(source));
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#source?.close();
    this.#source = undefined;
  }

  /** Asks why; notices an ended session. */
  async #explain(source: EventSource): Promise<void> {
    source.close();
    this.#startIn(SILENCE_MS);
    this.#listener.lose(undefined);
    const failure = await refusalOf(PATH);
    if (this.#source !== source) return;
    if (failure) this.#listener.lose(failure);
    this.#startIn(RETRY_MS);
  }

  #startIn(milliseconds: number): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      this.#listener.lose(undefined);
      this.start();
    }, milliseconds);
  }
}
