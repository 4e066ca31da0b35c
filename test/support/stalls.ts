import { LOOK_MS, type UploadProgress } from '../../src/queue/upload-progress.ts';

/** Lets an upload stall for this long, in milliseconds rounded up to ticks; 0: it continues. */
export function stall(progress: UploadProgress, ms: number): void {
  progress.receivedBytes += 100_000;
  progress.look(false);
  for (let stalled = 0; stalled < ms; stalled += LOOK_MS) progress.look(false);
}
