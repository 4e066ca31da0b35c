/** Two customers of one server: one sends poison in parallel, the other documents one after the other. */
import { rawUpload } from '../e2e/support/requests.ts';
import { docx, slowDocx } from './documents.ts';
import { type RawAnswer, sendClosed } from './raw-clients.ts';
import { Server } from './server.ts';

export interface RivalsOptions {
  /** How long each half takes, in milliseconds. */
  readonly milliseconds: number;
  /** Requests of poison at a time. */
  readonly parallel: number;
  readonly env?: Readonly<Record<string, string>>;
}

export interface Rivals {
  /** What the customer got without the poisoner, and with it. */
  readonly alone: readonly RawAnswer[];
  readonly together: readonly RawAnswer[];
  /** What the poisoner got. */
  readonly poison: readonly RawAnswer[];
}

const WARM_UP_MS = 3_000;
/** More than can be burned in the time of a measurement. */
const DOCUMENTS = 500;

/** Starts a server, measures the customer alone, then together with the poisoner. */
export async function rivals({ milliseconds, parallel, env = {} }: RivalsOptions): Promise<Rivals> {
  const server = await Server.start({ env: { LOG_LEVEL: 'info', ...env } });
  try {
    const newKey = async (id: string) => {
      await server.createAccount({ id, name: id, plan: 'enterprise' });
      return (await server.createKey({ account: id })).key;
    };
    const requests = [rawUpload(await newKey('customer'), docx())];
    const poisonKey = await newKey('poisoner');
    // Each another one: what is remembered would be refused at once.
    const poison = Array.from({ length: DOCUMENTS }, (_, n) => rawUpload(poisonKey, slowDocx(n)));
    const sequential = { clients: 1, milliseconds };
    await sendClosed(server.url, requests, { ...sequential, milliseconds: WARM_UP_MS });
    const alone = await sendClosed(server.url, requests, sequential);
    const poisoned = sendClosed(server.url, poison, { clients: parallel, milliseconds, pauseMs: 200 });
    const together = await sendClosed(server.url, requests, sequential);
    return { alone, together, poison: await poisoned };
  } finally {
    await server.stop();
  }
}
