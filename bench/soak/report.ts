/** Verdicts and plots from the tables of a soak. */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Line, type Panel, plot } from '../plot.ts';
import { type Bound, judge, type Point, type Verdict } from './flatness.ts';
import { type Table, tables } from './samples.ts';

/** Documents of a day, whose growth the bounds are for. */
const DAY = 100_000;
/** Younger processes are still warming up. A kit lives for 500 documents only. */
const WARM_S = { server: 60, egress: 60, kit: 15 };
/** After its start, Redis still reads and rewrites what it has. */
const REDIS_WARM_S = 15;
const MIB = 1_024;
/** Points of a line in a plot. */
const MOST_POINTS = 120;

type Row = Readonly<Record<string, string>>;
type Rows = readonly Row[];

interface Series {
  readonly bound: Bound;
  readonly points: readonly Point[];
}

/** Judges all series of a folder's tables, and draws them. */
export async function report(folder: string): Promise<Verdict[]> {
  const [processes, disk, redis] = await Promise.all([
    readTable(folder, 'processes'),
    readTable(folder, 'disk'),
    readTable(folder, 'redis'),
  ]);
  const lines = (column: string, divisor?: number) =>
    ['server', 'kit', 'egress'].map((name) => line(name, processOf(processes, `${name}-1`), column, divisor));
  const draw = (name: string, title: string, panels: readonly Panel[]) =>
    writeFile(join(folder, `${name}.svg`), plot(title, 'minutes', panels, { isLinear: true }));
  await draw('processes', 'Memory and descriptors of a soak', [
    { title: 'memory, MiB (PSS)', lines: lines('pssKiB', MIB) },
    { title: 'open descriptors', lines: lines('descriptors') },
  ]);
  await draw('stores', 'Redis and disk of a soak', [
    {
      title: 'memory of Redis, MiB',
      lines: [
        line('all', redis, 'usedBytes', MIB * MIB),
        line('without records', redis, 'restBytes', MIB * MIB),
      ],
    },
    {
      title: 'objects, job folders, MiB on the tmpfs',
      lines: [
        line('objects', disk, 'objects'),
        line('folders', disk, 'jobFolders'),
        line('tmpfs', disk, 'memoryKiB', MIB),
      ],
    },
  ]);
  return [...seriesOf(processes, disk, redis)].map(({ bound, points }) => judge(bound, points, DAY));
}

function* seriesOf(processes: Rows, disk: Rows, redis: Rows): Generator<Series> {
  for (const kind of ['server', 'kit', 'egress'] as const) {
    // The second ones are killed; the first ones live as long as the soak.
    const name = `${kind}-1`;
    const rows = processOf(processes, name).filter(({ age }) => Number(age) >= WARM_S[kind]);
    const pss = rows.map(pointOf('pssKiB', MIB));
    yield { bound: { name: `memory of ${name}`, unit: 'MiB', perDay: 64 }, points: pss };
    const descriptors = rows.map(pointOf('descriptors'));
    yield { bound: { name: `descriptors of ${name}`, unit: '', perDay: 20 }, points: descriptors };
    yield {
      bound: { name: `threads of ${name}`, unit: '', perDay: 5 },
      points: rows.map(pointOf('threads')),
    };
  }
  const warm = redis.filter(({ age }) => Number(age) >= REDIS_WARM_S);
  yield {
    bound: { name: 'Redis without its records', unit: 'MiB', perDay: 16 },
    points: warm.map(pointOf('restBytes', MIB * MIB)),
  };
  yield {
    bound: { name: 'other records without an expiry', unit: '', perDay: 500 },
    points: redis.map(pointOf('lastingKeys')),
  };
  const bounds = [
    ['overdueObjects', 'overdue objects in S3', '', 5],
    ['uploads', 'uploads in parts in S3', '', 5],
    ['jobFolders', 'job folders', '', 5],
    ['memoryKiB', 'files on the tmpfs', 'MiB', 16],
    ['dataKiB', 'data folders', 'MiB', 1],
  ] as const;
  for (const [column, name, unit, perDay] of bounds)
    yield { bound: { name, unit, perDay }, points: disk.map(pointOf(column, unit === 'MiB' ? MIB : 1)) };
}

function processOf(rows: Rows, name: string): Rows {
  return rows.filter(({ process }) => process === name);
}

function pointOf(column: string, divisor = 1): (row: Row) => Point {
  return (row) => [Number(row.documents), Number(row[column]) / divisor];
}

function line(label: string, rows: Rows, column: string, divisor = 1): Line {
  const step = Math.max(1, Math.ceil(rows.length / MOST_POINTS));
  const points = rows
    .filter((_, n) => n % step === 0)
    .map((row) => [Number(row.seconds) / 60, Number(row[column]) / divisor] as const);
  return { label, points };
}

async function readTable(folder: string, table: Table): Promise<Row[]> {
  const text = await readFile(join(folder, `${table}.tsv`), 'utf8');
  const [, ...lines] = text.trim().split('\n');
  return lines.map((text) => {
    const fields = text.split('\t');
    return Object.fromEntries(tables[table].map((column, n) => [column, fields[n] ?? '']));
  });
}
