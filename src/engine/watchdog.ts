/** Notices that another process does not answer any more. */
import { ProtocolError } from './protocol.ts';

/** Between two looks; an answer that is there is followed by the next ping. */
const TICK_MS = 200;
/** Looks in a row that find no answer, after which there may be none: 0.6 s, or more on a busy machine… */
const SUSPICIOUS_TICKS = 3;
/** …and after which there will be none: 1.6 s, or more. */
const DEADLY_TICKS = 8;

export interface WatchdogOptions {
  /** Asks the process for the answer of this number. */
  readonly ping: (number: number) => void;
  /** The process is silent. Called each time that it falls silent. */
  readonly onSuspected: () => void;
  /** The process has been silent for too long. Called once, and nothing after it. */
  readonly onDead: () => void;
}

/**
 * Silence is counted in looks and not by the clock: one that comes late is still one, so a Node that was stopped
 * or starved itself, together with the process or alone, leaves it the time of the looks that follow.
 */
export class Watchdog {
  readonly #options: WatchdogOptions;
  readonly #timer: NodeJS.Timeout;
  /** The last ping. */
  #number = 0;
  #awaited = false;
  #silentTicks = 0;
  #stopped = false;

  /** Watches from now on, until it is stopped. */
  constructor(options: WatchdogOptions) {
    this.#options = options;
    this.#timer = setInterval(() => {
      // Timers come before what there is to read: an answer that arrived meanwhile is read first.
      setImmediate(() => this.#look());
    }, TICK_MS);
    this.#timer.unref();
    this.#look();
  }

  /** Whether the process is silent now, or was when the watch ended. */
  get suspects(): boolean {
    return this.#silentTicks >= SUSPICIOUS_TICKS;
  }

  /** Takes an answer. @throws ProtocolError for one that nobody asked for. */
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
