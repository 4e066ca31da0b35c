/** Anonymises the ledger of a removed account: its rows stay, without names of account and keys. */
import type { RedisClient } from '../../redis/connect.ts';
import { limitKeys } from './redis-keys.ts';

const PAGE = 500;

/**
 * Moves a month's rows to another name. Each row is there once, even if an earlier run died.
 *
 * @param alias which they have in place of the account.
 */
export async function renameLedger(
  redis: RedisClient,
  account: string,
  month: string,
  alias: string,
): Promise<void> {
  const [from, to] = [limitKeys.ledger(account, month), limitKeys.ledger(alias, month)];
  for (;;) {
    const [last] = await redis.xrevrange(to, '+', '-', 'COUNT', 1);
    const rows = await redis.xrange(from, last ? `(${last[0]}` : '-', '+', 'COUNT', PAGE);
    const copies = redis.pipeline();
    for (const [id, fields] of rows) copies.xadd(to, id, ...anonymous(fields, alias));
    for (const [error] of (await copies.exec()) ?? []) if (error) throw error;
    if (rows.length < PAGE) break;
  }
  const left = await redis.pttl(from);
  if (left > 0) await redis.pexpire(to, left);
  await redis.del(from);
}

/** Names and values in turn. */
function anonymous(fields: readonly string[], alias: string): string[] {
  return fields.map((value, index) => {
    const name = index % 2 === 1 ? fields[index - 1] : undefined;
    if (name === 'account') return alias;
    return name === 'key' ? '' : value;
  });
}
