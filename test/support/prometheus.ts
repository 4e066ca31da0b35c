/** Debian's Prometheus, as a process of a test. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Test } from 'tap';
import { stringify } from 'yaml';
import { until } from './until.ts';

const PROMETHEUS = '/usr/bin/prometheus';
/** What a rule is, when it has been evaluated. */
interface EvaluatedRule {
  readonly name: string;
  readonly query: string;
  readonly health: 'ok' | 'err' | 'unknown';
  readonly lastError?: string;
  readonly state: 'inactive' | 'pending' | 'firing';
}
/** One series of a result, with its value now. */
interface Sample {
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

export class Prometheus {
  readonly #url: string;

  private constructor(url: string) {
    this.#url = url;
  }

  /** Starts it with this configuration, on a free port. It ends with the test. */
  static async start(t: Pick<Test, 'teardown'>, configuration: object): Promise<Prometheus> {
    const folder = await mkdtemp(join(tmpdir(), 'platen-prometheus-'));
    const file = join(folder, 'prometheus.yaml');
    await writeFile(file, stringify(configuration));
    const options = [
      `--config.file=${file}`,
      `--storage.tsdb.path=${join(folder, 'data')}`,
      '--web.listen-address=127.0.0.1:0',
      '--log.format=json',
    ];
    const child = spawn('setpriv', ['--pdeathsig', 'KILL', PROMETHEUS, ...options], {
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    const ended = once(child, 'exit');
    t.teardown(async () => {
      child.kill('SIGKILL');
      await ended;
      await rm(folder, { recursive: true, force: true });
    });
    const lines: string[] = [];
    let address: string | undefined;
    createInterface({ input: child.stderr }).on('line', (line) => {
      lines.push(line);
      address ??= /"address":"(127\.0\.0\.1:[1-9]\d*)"/.exec(line)?.[1];
    });
    await until('Prometheus listens', () => {
      if (child.exitCode !== null) throw new Error(`Prometheus ended: ${lines.join('\n')}`);
      return address !== undefined;
    });
    const prometheus = new Prometheus(`http://${address}`);
    await until('it is ready', async () => (await fetch(`http://${address}/-/ready`)).ok);
    return prometheus;
  }

  /** The series that an expression has now. @throws what is wrong with it */
  async query(expression: string): Promise<Sample[]> {
    const { resultType, result } = await this.#ask<{
      resultType: string;
      result: { metric: Record<string, string>; value: [number, string] }[];
    }>(`query?${new URLSearchParams({ query: expression })}`);
    if (resultType !== 'vector') throw new Error(`a ${resultType}, not series: ${expression}`);
    return result.map(({ metric, value }) => ({ labels: metric, value: Number(value[1]) }));
  }

  /** The values of a label of these series. */
  async labelValues(label: string, selector: string): Promise<string[]> {
    return this.#ask(`label/${label}/values?${new URLSearchParams({ 'match[]': selector })}`);
  }

  /** The rules of its files. */
  async rules(): Promise<EvaluatedRule[]> {
    const { groups } = await this.#ask<{ groups: { rules: EvaluatedRule[] }[] }>('rules');
    return groups.flatMap(({ rules }) => rules);
  }

  async #ask<T>(path: string): Promise<T> {
    const answer = await fetch(`${this.#url}/api/v1/${path}`);
    const { status, error, data } = (await answer.json()) as { status: string; error?: string; data: T };
    if (status !== 'success') throw new Error(`${path}: ${error}`);
    return data;
  }
}
