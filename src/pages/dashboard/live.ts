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

/** @param onSessionEnd is called when the session has ended; must be stable. */
export function useLive(onSessionEnd: () => void): Live {
  const [live, setLive] = useState<Live>({ overview: undefined, isConnected: false, failure: undefined });
  useEffect(() => {
    const feed = new Feed({
      receive: (overview) => setLive({ overview, isConnected: true, failure: undefined }),
      lose: (failure) => setLive(({ overview }) => ({ overview, isConnected: false, failure })),
      end: onSessionEnd,
    });
    const follow = () => (document.hidden ? feed.stop() : feed.start());
    document.addEventListener('visibilitychange', follow);
    follow();
    return () => {
      document.removeEventListener('visibilitychange', follow);
      feed.stop();
    };
  }, [onSessionEnd]);
  return live;
}

interface Listener {
  receive(overview: Overview): void;
  lose(failure: Failure | undefined): void;
  /** The session is over. */
  end(): void;
}

/** A stream of events that reconnects. */
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
    source.addEventListener('end', ({ data }) => {
      this.stop();
      if ((JSON.parse(data) as { reason: string }).reason === 'session') {
        this.#listener.end();
      } else {
        this.#listener.lose(undefined);
        this.#startIn(RETRY_MS);
      }
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
