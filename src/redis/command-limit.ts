/** A time limit of commands in which only waiting for Redis counts, unlike in that of ioredis. */
import type { Cluster, Command, Redis } from 'ioredis';
import { afterRunning } from '../system/running-time.ts';

/**
 * Fails commands of this client that Redis has not answered after this many milliseconds of running time. Answers that have
 * arrived while the event loop was late are taken. Such a command may still run.
 */
export function limitCommands(client: Redis | Cluster, ms: number): void {
  const send = client.sendCommand.bind(client);
  const limited = new WeakSet<Command>();
  client.sendCommand = (command: Command, ...rest: unknown[]) => {
    // A command that is sent again has its limit.
    if (!limited.has(command)) {
      limited.add(command);
      const { reject } = command;
      const cancel = afterRunning(ms, () => reject(new Error('Command timed out')));
      command.promise.then(cancel, cancel);
    }
    return Reflect.apply(send, client, [command, ...rest]);
  };
}
