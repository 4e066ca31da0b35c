/** Where the server is between its start and its end. It only moves forward. */
import { setMaxListeners } from 'node:events';

export type Phase = 'starting' | 'ready' | 'draining';

export class Lifecycle {
  #phase: Phase = 'starting';
  readonly #draining = new AbortController();

  constructor() {
    // Everyone who watches the overview or plays a slow conversion listens; each takes its listener away.
    setMaxListeners(0, this.#draining.signal);
  }

  get phase(): Phase {
    return this.#phase;
  }

  /** Aborts when the server begins to drain. */
  get draining(): AbortSignal {
    return this.#draining.signal;
  }

  /** Everything runs; no effect while draining. */
  ready(): void {
    if (this.#phase === 'starting') this.#phase = 'ready';
  }

  /** Not ready from here on; what still comes is done. */
  drain(): void {
    this.#phase = 'draining';
    this.#draining.abort();
  }
}
