/** The final check: every PDF accounted for, every message delivered, and nothing left behind. */
import { readdir } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { limitKeys } from '../../src/accounts/billing/redis-keys.ts';
import type { BadClients } from './bad-clients.ts';
import type { Books } from './books.ts';
import { ask } from './http.ts';
import type { Messages } from './messages.ts';
import { RESERVATION_MS, RETENTION_MS, type SoakService } from './service.ts';

/** Upkeep looks once a minute. */
const UPKEEP_MS = 180_000;
/** After an attempt that was refused, the second comes after five seconds and the third after five minutes. */
const TOLD_MS = 420_000;

const LOOK_MS = 2_000;

interface Reckoned {
  readonly delivered: number;
  readonly files: number;
  readonly rows: number;
  readonly unbilled: number;
  /** Conversions that were settled, whose connection then broke, and that were not billed again. */
  readonly repeated: number;
  readonly rowsOfBadClients: number;
}

/** @param bad the clients that repeat nothing, and their account. */
export async function reckon(
  service: SoakService,
  books: Books,
  messages: Messages,
  bad: { readonly clients: BadClients; readonly account: string },
): Promise<Reckoned> {
  const { client } = service.redis;
  const month = new Date().toISOString().slice(0, 7);
  const rowsOf = async (account: string) => {
    const rows = await client.xrange(limitKeys.ledger(account, month), '-', '+');
    return rows.map(([, fields]) => String(fields[fields.indexOf('requestId') + 1]));
  };
  const sum = { delivered: 0, files: 0, rows: 0, unbilled: 0, repeated: 0 };

  for (const account of books.accounts) {
    const { delivered, jobs } = books.of(account);
    const rows = await rowsOf(account);
    const billed = new Set(rows);
    if (billed.size !== rows.length) books.fault(`${account} is billed twice for a PDF`);
    const files: string[] = [];
    let conversions = delivered.size;
    for (const [id, { isConversion, succeeded = [] }] of jobs) {
      if (isConversion) conversions += succeeded.length;
      else files.push(...succeeded.map((n) => `${id}.${n}`));
    }
    for (const file of files) if (!billed.has(file)) books.fault(`${file} is not billed`);
    const ofRequests = rows.filter((row) => row.startsWith('req_'));
    const others = rows.length - ofRequests.length - files.length;
    if (others !== 0) books.fault(`${account} has ${others} rows of files more than files`);
    const unknown = [...delivered].filter((id) => !billed.has(id));
    const unbilled = unknown.filter((id) => service.unbilled.has(id)).length;
    if (ofRequests.length !== conversions - unbilled)
      books.fault(`${account}: ${conversions} conversions, ${unbilled} unbilled, ${ofRequests.length} rows`);
    sum.delivered += conversions;
    sum.files += files.length;
    sum.rows += rows.length;
    sum.unbilled += unbilled;
    sum.repeated += unknown.length - unbilled;
  }
  const rowsOfBadClients = (await rowsOf(bad.account)).length;
  if (rowsOfBadClients > bad.clients.mayBeBilled)
    books.fault(`${rowsOfBadClients} rows of ${bad.clients.mayBeBilled} conversions that broke off`);

  const untold = () =>
    books.accounts.flatMap((account) =>
      [...books.of(account).jobs].flatMap(([id, job]) =>
        job.succeeded !== undefined && !messages.isTold(account, id, job) ? [id] : [],
      ),
    );
  await expect(books, 'every end of a job is told', TOLD_MS, async () =>
    untold().map((id) => `${id} is not told`),
  );
  return { ...sum, rowsOfBadClients };
}

/** Waits until nothing is left of what was under way, and of the results of jobs. What stays is a fault. */
export async function isTidy(
  service: SoakService,
  books: Books,
  customers: readonly { readonly account: string; readonly key: string; readonly document: Buffer }[],
  send: (key: string, document: Buffer) => Promise<unknown>,
): Promise<void> {
  const { client } = service.redis;
  const month = new Date().toISOString().slice(0, 7);
  const keys = async (pattern: string) => (await client.keys(pattern)).map((key) => `${key} stayed`);
  await expect(books, 'no document is under way', UPKEEP_MS, async () =>
    (await Promise.all(service.servers.map((server) => server.jobFolders()))).flat(),
  );
  await expect(books, 'no claim is held', UPKEEP_MS, () => keys('platen:*:running'));
  await expect(books, 'the queues are empty', UPKEEP_MS, async () => [
    ...(await keys('platen:{jobs}:files:job_*')),
    ...(await keys('platen:{jobs}:fetches:job_*')),
    ...(await keys('platen:{webhooks}:deliveries:*msg_*')),
  ]);
  await expect(books, 'no result of a job is stored', RETENTION_MS + UPKEEP_MS, async () => {
    const { endpoint, bucket } = service.s3.about;
    const listings = ['?list-type=2&prefix=jobs/', '?uploads&prefix=jobs/'].map(async (query) =>
      String((await ask(`${endpoint}/${bucket}/${query}`)).body),
    );
    const keys = (await Promise.all(listings)).join('').matchAll(/<Key>(.*?)<\/Key>/g);
    return [...keys].map(([, name]) => `${name} stayed`);
  });
  await expect(books, 'nothing is reserved', RESERVATION_MS + UPKEEP_MS, async () => {
    const left: string[] = [];
    for (const { account, key, document } of customers) {
      // The next admission removes expired reservations.
      await send(key, document);
      const reserved = await client.zrange(limitKeys.reservations(account, 'live'), 0, '-1');
      const count = Number(await client.hget(limitKeys.months(account, 'live'), `reserved:${month}`));
      left.push(...reserved.map((name) => `${name} is reserved`));
      if (count !== 0) left.push(`${account} has ${count} reserved`);
    }
    return left;
  });
  for (const { account } of customers) {
    const used = Number(await client.hget(limitKeys.months(account, 'live'), `used:${month}`));
    const rows = await client.xlen(limitKeys.ledger(account, month));
    const settled = await client.scard(limitKeys.settled(account, 'live', month));
    if (used !== rows || settled < rows)
      books.fault(`${account}: used ${used}, ${rows} rows, ${settled} settled`);
  }
}

/** Folders of servers other than the two that run. */
export async function foldersOfTheDead(service: SoakService): Promise<string[]> {
  const faults: string[] = [];
  for (const { workDir } of service.servers) {
    const folders = (await readdir(workDir, { withFileTypes: true })).filter((entry) => entry.isDirectory());
    if (folders.length !== 1) faults.push(`${workDir} has ${folders.length} folders of servers`);
  }
  return faults;
}

/** Kinds of keys without an expiry that are allowed: they are bounded by accounts, members and servers, not by documents. */
const LASTING =
  /^platen:(accounts|keys|operators?|webhooks:accounts|passkey|email|invitation|key-owner|locator|\{ACCOUNT\}:(account|keys-by-end|key|members|windows|live:(months|jobs|webhooks?|webhook-secret|conversions|reservations)|test:(months|windows|conversions|reservations))|\{(jobs|webhooks|audit|servers|egress)\})/;

export function unexpectedlyLasting(kinds: ReadonlyMap<string, { lasting: number }>): string[] {
  return [...kinds].flatMap(([kind, { lasting }]) =>
    lasting > 0 && !LASTING.test(kind) ? [`${lasting} keys ${kind} have no expiry`] : [],
  );
}

/** Waits until there is nothing left; what there is in the end is a fault. */
async function expect(
  books: Books,
  what: string,
  withinMs: number,
  left: () => Promise<readonly string[]>,
): Promise<void> {
  const start = performance.now();
  for (;;) {
    const last = await left();
    if (last.length === 0) return;
    if (performance.now() - start > withinMs) {
      books.fault(`not so: ${what}: ${last.length}, such as ${last.slice(0, 5).join('; ')}`);
      return;
    }
    await delay(LOOK_MS);
  }
}
