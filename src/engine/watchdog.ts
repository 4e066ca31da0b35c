/** Detects a process that no longer answers. */
import { ProtocolError } from './protocol.ts';

/** Interval of checks; after an answer the next ping is sent. */
const TICK_MS = 200;
/** Checks in a row without an answer after which the process is suspected: 0.6 s, or more on a busy machine… */
const SUSPICIOUS_TICKS = 3;
/** …and after which it counts as dead: 1.6 s, or more. */
const DEADLY_TICKS = 8;

interface WatchdogOptions {
  /** Sends a ping with this number. */
  readonly ping: (number: number) => void;
  /** Called each time the process falls silent. */
  readonly onSuspected: () => void;
  /** Called once, when the process has been silent for too long. */
  readonly onDead: () => void;
}

/**
 * Silence is counted in ticks, not by the clock; a late tick counts once, so time in which Node was suspended or starved is
 * ignored.
 */
export class Watchdog {
  readonly #options: WatchdogOptions;
  readonly #timer: NodeJS.Timeout;
  /** The last ping. */
  #number = 0;
  #awaited = false;
  #silentTicks = 0;
  #stopped = false;

  /** Starts watching. */
  constructor(options: WatchdogOptions) {
    this.#options = options;
    this.#timer = setInterval(() => {
      // Timers run before I/O: let an answer that has arrived be read first.
      setImmediate(() => this.#look());
    }, TICK_MS);
    this.#timer.unref();
    this.#look();
  }

  /** Whether the process is silent, or was when the watch ended. */
  get suspects(): boolean {
    return this.#silentTicks >= SUSPICIOUS_TICKS;
  }

  /** Takes an answer. @throws ProtocolError for an unexpected one. */
  answered(number: number): void {
    if (!this.#awaited || number !== this.#number) {
      throw new ProtocolError('the kit answered a ping that was not sent');
    }
    this.#awaited = false;
    this.#silentTicks = 0;
  }

  stop(): void {
    this.#stopped = true;
    clearInterval(this.#timer);
  }

  #look(): void {
    if (this.#stopped) return;
    if (!this.#awaited) {
      this.#awaited = true;
      this.#options.ping(++this.#number);
      return;
    }
    this.#silentTicks++;
    if (this.#silentTicks === SUSPICIOUS_TICKS) this.#options.onSuspected();
    if (this.#silentTicks < DEADLY_TICKS) return;
    this.stop();
    this.#options.onDead();
  }
}
