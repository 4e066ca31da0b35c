/** The program of a process that reads heavy packages for the service that started it, one after the other. */
import { type TaskName, tasks } from './tasks.ts';

/** A task, as the service sends it. */
export interface Order {
  readonly name: TaskName;
  readonly input: unknown;
}

/** Its result, or an unexpected error. */
export type Reply = { readonly result: unknown } | { readonly error: unknown };

/** What the process sends for each task, in this order. */
export type Message = 'begun' | Reply;

// Such a signal is for the service, which finishes the documents that it has begun and then ends this process by SIGKILL.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {});

// Without the service the channel closes, and nothing keeps the process.
process.on('message', async ({ name, input }: Order) => {
  process.send?.('begun' satisfies Message);
  process.send?.(await replyTo(tasks[name] as (input: unknown) => Promise<unknown>, input));
});

async function replyTo(task: (input: unknown) => Promise<unknown>, input: unknown): Promise<Reply> {
  try {
    return { result: await task(input) };
  } catch (error) {
    return { error };
  }
}
