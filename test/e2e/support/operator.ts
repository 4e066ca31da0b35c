/** What the operator sees of a server. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Server } from '../../support/server.ts';
import { patiently } from './patience.ts';
import { type Answer, bearer, send, type Target } from './requests.ts';

/** What the operator asks. */
type Asked = Target & Pick<Server, 'dataDir'>;

/** The token that the server made for itself. */
export async function operatorToken({ dataDir }: Pick<Server, 'dataDir'>): Promise<string> {
  return (await readFile(join(dataDir, 'operator-token'), 'utf8')).trim();
}

/** GET with the operator's token. */
export async function getAsOperator(server: Asked, path: string): Promise<Answer> {
  return send(server, path, { method: 'GET', headers: bearer(await operatorToken(server)) });
}

/**
 * Ids of what an account is billed for this month, sorted. It asks again after 503, as on a busy machine Redis may answer late.
 *
 * @throws Error for any other answer but 200: it must not look like an empty bill.
 */
export async function billedIds(server: Asked, account: string): Promise<string[]> {
  const month = new Date().toISOString().slice(0, 7);
  const path = `/operator/v1/accounts/${account}/ledger?month=${month}`;
  const { status, body } = await patiently(() => getAsOperator(server, path));
  if (status !== 200) throw new Error(`no ledger: ${status} ${body}`);
  const [head = '', ...rows] = String(body).trim().split(/\r?\n/);
  const column = head.split(',').indexOf('requestId');
  return rows.map((row) => row.split(',')[column] ?? '').sort();
}

/** What a scrape says, in the text format of Prometheus. */
interface Scrape {
  readonly text: string;
  /** Type by the name of the metric. */
  readonly types: ReadonlyMap<string, string>;
  /** Help by the name of the metric. */
  readonly help: ReadonlyMap<string, string>;
  /** Value by the series as it is written: `name{label="value"}`. */
  readonly series: ReadonlyMap<string, number>;
}

export async function scrape(server: Asked): Promise<Scrape> {
  const { status, body } = await getAsOperator(server, '/metrics');
  const text = body.toString('utf8');
  if (status !== 200) throw new Error(`the scrape failed: ${text}`);
  const types = new Map<string, string>();
  const help = new Map<string, string>();
  const series = new Map<string, number>();
  for (const line of text.split('\n').filter(Boolean)) {
    const [, comment, name = '', rest = ''] = /^# (HELP|TYPE) (\S+) (.*)$/.exec(line) ?? [];
    if (comment === 'HELP') help.set(name, rest);
    else if (comment === 'TYPE') types.set(name, rest);
    else {
      const [, id, value] = /^([a-zA-Z_:][\w:]*(?:\{.*\})?) (\S+)$/.exec(line) ?? [];
      if (id === undefined || series.has(id)) throw new Error(`not a line of a scrape: ${line}`);
      series.set(id, Number(value));
    }
  }
  return { text, types, help, series };
}
