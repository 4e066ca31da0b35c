/**
 * A process that simulates S3 on another machine: it yields the processors to the measured processes.
 *
 * Arguments: a folder for what it stores and a port, for one that is started again; without them it has its own.
 */
import { constants, setPriority } from 'node:os';
import { S3Server } from '../test/support/s3-server.ts';

/** What the benchmark needs to know of it. */
export type S3 = Pick<S3Server, 'bucket' | 'endpoint' | 'credentials'>;

const closers: (() => unknown)[] = [];
const scope = { teardown: (close: () => unknown) => void closers.unshift(close) };
const [folder, port] = process.argv.slice(2);
const { bucket, endpoint, credentials } = await S3Server.start(
  scope as Parameters<typeof S3Server.start>[0],
  folder === undefined ? undefined : { folder, port: Number(port) },
);
setPriority(constants.priority.PRIORITY_BELOW_NORMAL);
process.once('disconnect', async () => {
  for (const close of closers) await close();
});
process.send?.({ bucket, endpoint, credentials } satisfies S3);
