/** How an upload gets on: by this the queue chooses which one gives way, and foresees when one ends. */

/** How often a look is taken at what has come, in milliseconds. */
export const LOOK_MS = 1_000;
/**
 * Bytes a second; where fewer come, the upload is stalled. It is the MinRate of Apache's mod_reqtimeout, whose default is
 * `RequestReadTimeout body=20,MinRate=500` (https://httpd.apache.org/docs/2.4/mod/mod_reqtimeout.html).
 */
const MIN_RATE = 500;

export class UploadProgress {
  /** Of the whole body; undefined: its client has not said. */
  totalBytes: number | undefined;
  receivedBytes = 0;
  #before = 0;
  #stalledMs = 0;

  /**
   * For how long too little has come, in milliseconds. A look that found less than the least rate adds all of its time. As
   * in mod_reqtimeout, each {@link MIN_RATE} bytes make up for a second: who sends them now and then in one piece is not
   * faster by that. What comes beyond that is no credit.
   */
  get stalledMs(): number {
    return this.#stalledMs;
  }

  /**
   * Takes a look, every {@link LOOK_MS}. The time is counted in looks: one in which this process stood still counts no more
   * than any other, as what was sent meanwhile is not read yet.
   *
   * @param isOurs whether its client has nothing to send now: all has come, or we have yet to read it.
   */
  look(isOurs: boolean): void {
    const seconds = Math.floor((this.receivedBytes - this.#before) / MIN_RATE);
    this.#before = this.receivedBytes;
    this.#stalledMs = isOurs ? 0 : Math.max(0, this.#stalledMs + LOOK_MS - seconds * 1_000);
  }

  /** All has come, or nothing more will be read. */
  end(): void {
    this.#stalledMs = 0;
  }

  /**
   * How long the rest takes at the rate so far, in milliseconds; as long again as it has taken where its size is not known.
   * Undefined where it is stalled, or has hardly begun: then it has no rate.
   *
   * @param ageMs for how long it has been under way, in milliseconds.
   */
  restMs(ageMs: number): number | undefined {
    if (this.#stalledMs > 0 || this.receivedBytes < MIN_RATE) return undefined;
    const restBytes = (this.totalBytes ?? 2 * this.receivedBytes) - this.receivedBytes;
    return (ageMs * Math.max(0, restBytes)) / this.receivedBytes;
  }
}
