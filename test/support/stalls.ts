import { LOOK_MS, type UploadProgress } from '../../src/queue/upload-progress.ts';

/** Has an upload be stalled for so long, in milliseconds rounded up to looks; 0: it goes on. */
export function stall(progress: UploadProgress, ms: number): void {
  progress.receivedBytes += 100_000;
  progress.look(false);
  for (let stalled = 0; stalled < ms; stalled += LOOK_MS) progress.look(false);
}
