/** Progress of an upload: from it the queue decides which upload gives way, and estimates when one ends. */

/** Interval at which progress is sampled, in milliseconds. */
export const LOOK_MS = 1_000;
/**
 * Bytes a second below which an upload is stalled. It is the MinRate of Apache's mod_reqtimeout, whose default is
 * `RequestReadTimeout body=20,MinRate=500` (https://httpd.apache.org/docs/2.4/mod/mod_reqtimeout.html).
 */
const MIN_RATE = 500;

export class UploadProgress {
  /** Size of the whole body; undefined if the client did not say. */
  totalBytes: number | undefined;
  receivedBytes = 0;
  #before = 0;
  #stalledMs = 0;

  /**
   * For how long the upload has been stalled, in milliseconds. Each tick adds its time; as in mod_reqtimeout, each
   * {@link MIN_RATE} bytes received take one second off, down to zero. So occasional bursts do not hide a slow client, and
   * fast uploads earn no credit.
   */
  get stalledMs(): number {
    return this.#stalledMs;
  }

  /**
   * Samples the progress; to be called every {@link LOOK_MS}. Time is counted in ticks: a late tick counts once, so time in
   * which this process was suspended is ignored.
   *
   * @param isOurs whether the client is not to blame: everything has arrived, or we have yet to read it.
   */
  look(isOurs: boolean): void {
    const seconds = Math.floor((this.receivedBytes - this.#before) / MIN_RATE);
    this.#before = this.receivedBytes;
    this.#stalledMs = isOurs ? 0 : Math.max(0, this.#stalledMs + LOOK_MS - seconds * 1_000);
  }

  /** Everything has arrived, or nothing more will be read. */
  end(): void {
    this.#stalledMs = 0;
  }

  /**
   * Estimated remaining time at the rate so far, in milliseconds; if the size is unknown, as long again as so far. Undefined
   * while it is stalled or has hardly begun: then it has no rate.
   *
   * @param ageMs time since the upload began, in milliseconds.
   */
  restMs(ageMs: number): number | undefined {
    if (this.#stalledMs > 0 || this.receivedBytes < MIN_RATE) return undefined;
    const restBytes = (this.totalBytes ?? 2 * this.receivedBytes) - this.receivedBytes;
    return (ageMs * Math.max(0, restBytes)) / this.receivedBytes;
  }
}
