/** When an upload is stalled, and how long the rest of it takes. */
import t from 'tap';
import { UploadProgress } from '../../src/queue/upload-progress.ts';

/** For how long it is stalled after looks that found so many new bytes, in milliseconds. */
function stalledAfter(...looks: readonly number[]): number {
  const progress = new UploadProgress();
  for (const bytes of looks) {
    progress.receivedBytes += bytes;
    progress.look(false);
  }
  return progress.stalledMs;
}

const times = (count: number, ...looks: readonly number[]) =>
  Array.from({ length: count }, () => looks).flat();

t.test('an upload below 500 bytes a second counts as stalled all that time', async (t) => {
  for (const bytes of [0, 2, 499]) t.equal(stalledAfter(...times(30, bytes)), 30_000, `${bytes} bytes`);
  t.equal(stalledAfter(...times(30, 500)), 0);
});

t.test('who sends enough now and then in one piece is no faster', async (t) => {
  t.equal(stalledAfter(...times(3, 500, ...times(8, 0))), 24_000, 'a second is paid for, eight are not');
  t.equal(stalledAfter(...times(100, 0, 0, 0, 2_000), 0), 1_000, '500 bytes a second in pieces of 2 kB');
});

t.test('an upload that continues is no longer stalled', async (t) => {
  t.equal(stalledAfter(...times(9, 0), 5_000), 0);
  t.equal(stalledAfter(...times(9, 0), 1_000), 8_000, 'not by a trickle');
  t.equal(stalledAfter(1_000_000, 0, 0), 2_000, 'and what came before is no credit');
});

t.test('what we have not read yet, and what is over, is not the client’s fault', async (t) => {
  const progress = new UploadProgress();
  progress.look(false);
  progress.look(true);
  t.equal(progress.stalledMs, 0);
  progress.look(false);
  progress.end();
  t.equal(progress.stalledMs, 0);
});

t.test('how long the rest takes', async (t) => {
  const progress = new UploadProgress();
  t.equal(progress.restMs(100), undefined, 'nothing has come');
  progress.receivedBytes = 499;
  t.equal(progress.restMs(100), undefined, 'hardly anything has come');
  progress.receivedBytes = 10_000;
  t.equal(progress.restMs(400), 400, 'as long again');
  progress.totalBytes = 50_000;
  t.equal(progress.restMs(400), 1_600, 'at the rate so far');
  progress.receivedBytes = 50_000;
  t.equal(progress.restMs(400), 0);
  progress.look(false);
  progress.look(false);
  t.equal(progress.restMs(2_000), undefined, 'it is stalled');
});
