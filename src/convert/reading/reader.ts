/**
 * The program of a process that reads documents and their PDFs for the service that started it, one after the other. Its first
 * message is the {@link Setup}; each of the others is an order.
 */
import { forgetMarkup } from '../document/markup-index.ts';
import type { Setup } from './setup.ts';
import { type Refusal, refusalOf, type TaskName, tasks } from './tasks.ts';

/** A task, as the service sends it. */
export interface Order {
  readonly name: TaskName;
  readonly input: unknown;
}

/** The result of a task, its refusal, or an unexpected error. With `more`, another reply follows: the rest of the result. */
export type Reply =
  | { readonly result: unknown; readonly more: boolean }
  | { readonly refusal: Refusal }
  | { readonly error: unknown };

/** What the process sends: that it can begin, then one or two replies to each order. */
export type Message = 'ready' | Reply;

type Task = (
  input: unknown,
  setup: Setup,
) => Promise<{ readonly result: unknown; readonly rest?: () => Promise<unknown> }>;

// Such a signal is for the service, which finishes the documents that it has begun and then ends this process by SIGKILL.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {});

// Without the service the channel closes, and nothing keeps the process.
process.once('message', (setup: Setup) => {
  process.on('message', (order: Order) => void follow(order, setup));
  send('ready');
});

async function follow({ name, input }: Order, setup: Setup): Promise<void> {
  try {
    const { result, rest } = await (tasks[name] as Task)(input, setup);
    send({ result, more: rest !== undefined });
    if (rest) send({ result: await rest(), more: false });
  } catch (error) {
    const refusal = refusalOf(error);
    send(refusal ? { refusal } : { error });
  } finally {
    forgetMarkup();
  }
}

function send(message: Message): void {
  process.send?.(message);
}
