/** What something costs Redis: the difference of two readings of INFO (redis.io/commands/info). */
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { connect } from 'node:net';
import { createInterface } from 'node:readline';
import type { Redis } from 'ioredis';
import { round } from '../statistics.ts';

/** Totals since Redis started, and how much it has. */
export interface Reading {
  readonly at: number;
  /** CPU time of the thread that runs commands, in milliseconds. */
  readonly cpuMs: number;
  /** Commands by name, those within scripts included. */
  readonly calls: Readonly<Record<string, number>>;
  /** Microseconds that commands took, by name; scripts include theirs. */
  readonly microseconds: Readonly<Record<string, number>>;
  readonly bytesIn: number;
  readonly bytesOut: number;
  /** Of the append-only file. */
  readonly diskBytes: number;
  readonly keys: number;
  readonly memoryBytes: number;
  readonly connections: number;
}

export async function readRedis(redis: Redis): Promise<Reading> {
  const text = await redis.info('everything');
  const number = (name: string) => Number(new RegExp(`^${name}:([\\d.]+)`, 'm').exec(text)?.[1] ?? 0);
  const commands = [...text.matchAll(/^cmdstat_(\S+):calls=(\d+),usec=(\d+)/gm)];
  const databases = [...text.matchAll(/^db\d+:keys=(\d+)/gm)];
  const seconds = number('used_cpu_user_main_thread') + number('used_cpu_sys_main_thread');
  return {
    at: performance.now(),
    cpuMs: seconds * 1000,
    calls: Object.fromEntries(commands.map(([, name, calls]) => [name, Number(calls)])),
    microseconds: Object.fromEntries(commands.map(([, name, , usec]) => [name, Number(usec)])),
    bytesIn: number('total_net_input_bytes'),
    bytesOut: number('total_net_output_bytes'),
    diskBytes: number('aof_current_size'),
    keys: databases.reduce((sum, [, keys]) => sum + Number(keys), 0),
    memoryBytes: number('used_memory'),
    connections: number('connected_clients'),
  };
}

/** What one of `count` operations cost. */
export interface Cost {
  readonly cpuMicroseconds: number;
  /** Commands, those within scripts included. */
  readonly commands: number;
  readonly scripts: number;
  /** Microseconds of a script on average. */
  readonly scriptMicroseconds: number;
  readonly bytesIn: number;
  readonly bytesOut: number;
  readonly diskBytes: number;
  readonly keys: number;
  readonly memoryBytes: number;
}

export function costOf(before: Reading, after: Reading, count: number): Cost {
  const calls = (reading: Reading) => Object.values(reading.calls).reduce((sum, each) => sum + each, 0);
  const of = (value: (reading: Reading) => number) => round((value(after) - value(before)) / count);
  // Sent in full when a connection needs it for the first time, and by its SHA-1 afterwards.
  const scripts = of(({ calls }) => (calls.evalsha ?? 0) + (calls.eval ?? 0));
  return {
    cpuMicroseconds: of(({ cpuMs }) => cpuMs * 1000),
    commands: of(calls),
    scripts,
    scriptMicroseconds:
      scripts === 0
        ? 0
        : round(of(({ microseconds: { evalsha = 0, eval: whole = 0 } }) => evalsha + whole) / scripts),
    bytesIn: of(({ bytesIn }) => bytesIn),
    bytesOut: of(({ bytesOut }) => bytesOut),
    diskBytes: of(({ diskBytes }) => diskBytes),
    keys: of(({ keys }) => keys),
    memoryBytes: of(({ memoryBytes }) => memoryBytes),
  };
}

/**
 * The commands that clients sent while something ran, without those within scripts, in their order.
 *
 * @param fits whether a command belongs to it.
 */
export async function recordCommands(
  redis: Redis,
  run: () => Promise<unknown>,
  fits: (args: readonly string[]) => boolean,
): Promise<string[][]> {
  // Not ioredis' monitor: on a busy Redis, lines come with the answer to MONITOR itself, for which it is not ready.
  const { path, host = '', port = 0 } = redis.options;
  const socket = path ? connect(path) : connect(port, host);
  const seen: string[][] = [];
  const last = randomUUID();
  const ended = new Promise<void>((resolve, reject) => {
    socket.once('error', reject);
    createInterface({ input: socket }).on('line', (line) => {
      const [, source = '', words = ''] = /^\+[\d.]+ \[\d+ (\S+)\] (.*)$/.exec(line) ?? [];
      const args = [...words.matchAll(QUOTED)].map(([, text = '']) => unescaped(text));
      if (args.at(-1) === last) resolve();
      else if (args.length > 0 && source !== 'lua' && fits(args)) seen.push(args);
    });
  });
  ended.catch(() => {});
  socket.write('MONITOR\r\n');
  try {
    await once(socket, 'data');
    await run();
    await redis.echo(last);
    await ended;
  } finally {
    socket.destroy();
  }
  return seen;
}

const QUOTED = /"((?:[^"\\]|\\.)*)"/g;

/** An argument of MONITOR: bytes beyond ASCII are \xHH. */
function unescaped(text: string): string {
  const letters: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', a: '\x07', b: '\b' };
  const bytes = text.replace(/\\(x([0-9a-f]{2})|.)/g, (_all, letter: string, hex?: string) =>
    hex ? String.fromCharCode(Number.parseInt(hex, 16)) : (letters[letter] ?? letter),
  );
  return Buffer.from(bytes, 'latin1').toString();
}

/** Bytes of Redis' memory by kind of key: names without what is in braces, and without ids. */
export async function memoryByKind(redis: Redis): Promise<Map<string, { keys: number; bytes: number }>> {
  const kinds = new Map<string, { keys: number; bytes: number }>();
  for await (const batch of redis.scanStream({ match: 'platen:*', count: 1_000 })) {
    const names = batch as string[];
    if (names.length === 0) continue;
    const pipeline = redis.pipeline();
    for (const name of names) pipeline.memory('USAGE', name, 'SAMPLES', 0);
    const sizes = (await pipeline.exec()) ?? [];
    for (const [index, name] of names.entries()) {
      const kind = kindOf(name);
      const { keys, bytes } = kinds.get(kind) ?? { keys: 0, bytes: 0 };
      kinds.set(kind, { keys: keys + 1, bytes: bytes + Number(sizes[index]?.[1] ?? 0) });
    }
  }
  return kinds;
}

const OWN_TAGS = new Set(['statistics', 'servers', 'jobs', 'webhooks', 'egress', 'audit']);

/** `platen:{acme}:key:key_12` is `platen:{}:key:*`. */
export function kindOf(name: string): string {
  return name
    .replace(/\{([^}]+)\}/, (tag, word: string) => (OWN_TAGS.has(word) ? tag : '{}'))
    .split(':')
    .map((part) => (/\d/.test(part) ? '*' : part))
    .join(':');
}

/** A cost minus `times` times the cost of other activity in the same time. */
export function without(cost: Cost, meanwhile: Cost, times: number): Cost {
  const rest = Object.entries(cost).map(([name, value]) => [
    name,
    name === 'scriptMicroseconds' ? value : round(value - meanwhile[name as keyof Cost] * times),
  ]);
  return Object.fromEntries(rest) as Cost;
}
