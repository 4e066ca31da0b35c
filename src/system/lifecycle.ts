/** Phase of the server, from start to end. It only moves forward. */
import { setMaxListeners } from 'node:events';

type Phase = 'starting' | 'ready' | 'draining';

export class Lifecycle {
  #phase: Phase = 'starting';
  readonly #draining = new AbortController();

  constructor() {
    // Every viewer of the overview, slow simulation and refused upload listens; each removes its listener.
    setMaxListeners(0, this.#draining.signal);
  }

  get phase(): Phase {
    return this.#phase;
  }

  /** Aborts when the server begins to drain. */
  get draining(): AbortSignal {
    return this.#draining.signal;
  }

  /** The server is ready; no effect while draining. */
  ready(): void {
    if (this.#phase === 'starting') this.#phase = 'ready';
  }

  /** The server is no longer ready; requests that still arrive are answered. */
  drain(): void {
    this.#phase = 'draining';
    this.#draining.abort();
  }
}
