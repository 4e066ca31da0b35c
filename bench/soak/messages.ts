/** The receiver of all webhooks: it verifies each message, refuses some, and counts how often each came. */
import type { ServerResponse } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { type Received, Receiver, verified } from '../../test/support/receiver.ts';
import type { Books, JobBooks } from './books.ts';
import type { Chance } from './random.ts';
import type { Scope } from './service.ts';

/** To the endpoint of the account, or to the URL of a job. */
type Target = 'all' | 'own';

/** The share of messages that are refused when they come for the first time; they come again after 5 seconds. */
const REFUSED = 0.01;

interface Told {
  readonly body: string;
  times: number;
}

export class Messages {
  readonly #receiver: Receiver;
  readonly #books: Books;
  readonly #chance: Chance;
  /** Secrets by path. */
  readonly #secrets = new Map<string, string>();
  /** By path and id of the message. */
  readonly #told = new Map<string, Told>();
  /** Paths and jobs whose end came. */
  readonly #ended = new Set<string>();

  private constructor(receiver: Receiver, books: Books, chance: Chance) {
    this.#receiver = receiver;
    this.#books = books;
    this.#chance = chance;
    receiver.answer = (message, response) => this.#answer(message, response);
  }

  static async start(scope: Scope, books: Books, chance: Chance): Promise<Messages> {
    const receiver = await Receiver.start(scope as Parameters<typeof Receiver.start>[0]);
    return new Messages(receiver, books, chance);
  }

  url(target: Target, account: string): string {
    return this.#receiver.url(pathOf(target, account));
  }

  /** The secret that messages to this target are signed with. */
  expect(target: Target, account: string, secret: string): void {
    this.#secrets.set(pathOf(target, account), secret);
  }

  /** Messages, and how often they came in all. */
  get figures(): { readonly messages: number; readonly times: number } {
    const times = [...this.#told.values()].reduce((sum, told) => sum + told.times, 0);
    return { messages: this.#told.size, times };
  }

  isTold(account: string, job: string, { hasWebhook }: Pick<JobBooks, 'hasWebhook'>): boolean {
    const targets: readonly Target[] = hasWebhook ? ['all', 'own'] : ['all'];
    return targets.every((target) => this.#ended.has(`${pathOf(target, account)} ${job}`));
  }

  /** Waits until the end of a job was told to all who are to know. @returns whether it was. */
  async told(
    account: string,
    job: string,
    to: Pick<JobBooks, 'hasWebhook'>,
    withinMs: number,
  ): Promise<boolean> {
    const start = performance.now();
    while (!this.isTold(account, job, to)) {
      if (performance.now() - start > withinMs) return false;
      await delay(100);
    }
    return true;
  }

  #answer(message: Received, _response: ServerResponse): number {
    // The receiver would keep all messages, which are too many here.
    this.#receiver.received.length = 0;
    const { path, headers, body } = message;
    try {
      const { type, data } = verified(message, String(this.#secrets.get(path)));
      const name = `${path} ${headers['webhook-id']}`;
      const known = this.#told.get(name);
      if (known && known.body !== body) this.#books.fault(`${name} came with another body`);
      if (!known && this.#chance.is(REFUSED)) {
        this.#books.count('webhooks refused');
        return 503;
      }
      const told = known ?? { body, times: 0 };
      told.times++;
      this.#told.set(name, told);
      this.#books.count(`webhook ${type}`);
      if (type === 'job.completed' || type === 'job.canceled') this.#ended.add(`${path} ${data.id}`);
      return 204;
    } catch (error) {
      this.#books.fault(`a message to ${path}: ${(error as Error).message}`);
      return 400;
    }
  }
}

function pathOf(target: Target, account: string): string {
  return `/${target}/${account}`;
}
