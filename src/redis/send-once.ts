/** Commands to a Redis Cluster that are not sent a second time once they may have run. */
import type { Cluster, Command } from 'ioredis';

const CLOSED = 'Connection is closed.';

/**
 * Fails a command of this client whose connection broke after it was sent: it may have run. ioredis sends it again, even where its
 * caller was told that it failed. One that was not sent yet, as its connection is still being made, is tried again. It would
 * also send a pipeline or MULTI again whose commands all failed in this way: theirs get an error that it does not know.
 */
export function sendOnce(cluster: Cluster): void {
  const send = cluster.sendCommand.bind(cluster);
  const followed = new WeakSet<Command>();
  cluster.sendCommand = (command: Command, ...rest: unknown[]) => {
    const isKnown = followed.has(command);
    followed.add(command);
    const { reject: fail, toWritable } = command;
    let isSent = false;
    if (!isKnown) {
      command.toWritable = (stream) => {
        isSent = true;
        return toWritable.call(command, stream);
      };
    }
    const answer = Reflect.apply(send, cluster, [command, ...rest]);
    if (isKnown) return answer;
    // It tries again, where it takes the error for a reason to.
    const { reject: handle } = command;
    command.reject = (error) => {
      if (isSent && error.message === CLOSED) {
        fail(command.pipelineIndex === undefined ? error : new Error('The connection broke.'));
        return;
      }
      isSent = false;
      handle.call(command, error);
    };
    return answer;
  };
}
