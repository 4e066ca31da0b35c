/** Two customers of one server: one sends poisoned documents in parallel, the other documents one by one. */
import { rawUpload } from '../e2e/support/requests.ts';
import { docx, slowDocx } from './documents.ts';
import { type RawAnswer, sendClosed } from './raw-clients.ts';
import { Server } from './server.ts';

interface NoisyNeighbourOptions {
  /** How long each half takes, in milliseconds. */
  readonly milliseconds: number;
  /** Parallel requests with poisoned documents. */
  readonly parallel: number;
  readonly env?: Readonly<Record<string, string>>;
}

interface NoisyNeighbour {
  /** The customer's results without the other one, and with it. */
  readonly alone: readonly RawAnswer[];
  readonly together: readonly RawAnswer[];
  /** The poisoner's results. */
  readonly poison: readonly RawAnswer[];
}

const WARM_UP_MS = 3_000;
/** More documents than can be converted in the time. */
const DOCUMENTS = 500;

/** Starts a server, measures the customer alone, then together with the poisoner. */
export async function noisyNeighbour({
  milliseconds,
  parallel,
  env = {},
}: NoisyNeighbourOptions): Promise<NoisyNeighbour> {
  const server = await Server.start({ env: { LOG_LEVEL: 'info', ...env } });
  try {
    const newKey = async (id: string) => {
      await server.createAccount({ id, name: id, plan: 'enterprise' });
      return (await server.createKey({ account: id })).key;
    };
    const requests = [rawUpload(await newKey('customer'), docx())];
    const poisonKey = await newKey('poisoner');
    // All different, as a known one would be refused at once.
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
