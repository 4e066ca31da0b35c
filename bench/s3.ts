/** A process for jobs.ts that stands for S3 on another machine: it yields the processors to what is measured. */
import { constants, setPriority } from 'node:os';
import { S3Server } from '../test/support/s3-server.ts';

/** What the benchmark needs to know of it. */
export type S3 = Pick<S3Server, 'bucket' | 'endpoint' | 'credentials'>;

const closers: (() => unknown)[] = [];
const scope = { teardown: (close: () => unknown) => void closers.unshift(close) };
const { bucket, endpoint, credentials } = await S3Server.start(scope as Parameters<typeof S3Server.start>[0]);
setPriority(constants.priority.PRIORITY_BELOW_NORMAL);
process.once('disconnect', async () => {
  for (const close of closers) await close();
});
process.send?.({ bucket, endpoint, credentials } satisfies S3);
