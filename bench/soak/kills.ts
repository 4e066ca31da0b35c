/** SIGKILL at random moments, to processes of all kinds in turn; supervisors restart them. */
import { setTimeout as delay } from 'node:timers/promises';
import { isAlive } from '../../test/e2e/support/processes.ts';
import { until } from '../../test/support/until.ts';
import type { Books } from './books.ts';
import type { Chance } from './random.ts';
import type { Samples } from './samples.ts';
import type { SoakServer, SoakService } from './service.ts';

/** How long Redis or S3 are away until they are restarted. */
const AWAY_MS = [500, 5_000] as const;
/** How long to wait for a busy child, else an idle one is killed; and for a reader of packages. */
const BUSY_MS = 2_000;

type Kill = () => Promise<unknown>;

export class Kills {
  readonly #service: SoakService;
  readonly #chance: Chance;
  readonly #books: Books;
  readonly #samples: Samples;
  readonly #everyMs: number;
  /** How many of each kind were killed. */
  readonly counts = new Map<string, number>();
  #isOver = false;
  #busy: Promise<void> | undefined;

  /** @param everyMs mean time from the return of one process to the next kill. */
  constructor(service: SoakService, books: Books, samples: Samples, chance: Chance, everyMs: number) {
    this.#service = service;
    this.#books = books;
    this.#samples = samples;
    this.#chance = chance;
    this.#everyMs = everyMs;
  }

  start(): void {
    this.#busy = this.#run();
    // stop() throws if a process does not come back.
    this.#busy.catch(() => {});
  }

  /** @throws Error if a process did not come back. */
  async stop(): Promise<void> {
    this.#isOver = true;
    await this.#busy;
  }

  async #run(): Promise<void> {
    const { mortalServer, mortalEgress, redis, s3, servers } = this.#service;
    const away = () => delay(this.#chance.between(...AWAY_MS));
    const kills: Readonly<Record<string, Kill>> = {
      server: async () => {
        const own = [mortalServer.kit, ...(await mortalServer.children())];
        mortalServer.process.kill();
        await mortalServer.process.ready();
        // The next one takes longer to start than they may take to end.
        for (const pid of own)
          if (pid !== undefined && isAlive(pid)) this.#books.fault(`${pid} outlived its server`);
      },
      kit: async () => {
        const server = this.#chance.one(servers);
        const { kit } = server;
        if (kit !== undefined) end(kit);
        await until('the next kit is ready', () => server.kit !== kit);
      },
      child: () => this.#killChild(this.#chance.one(servers)),
      reader: () => this.#killReader(this.#chance.one(servers)),
      egress: async () => {
        mortalEgress.kill();
        await mortalEgress.ready();
      },
      redis: async () => {
        await redis.end('SIGKILL');
        await away();
        await redis.restart();
        this.#service.redisSince = performance.now();
      },
      s3: async () => {
        await s3.kill();
        await away();
        await s3.restart();
      },
    };
    for (let turn: string[] = []; ; ) {
      const end = performance.now() + this.#chance.between(0.5, 1.5) * this.#everyMs;
      while (performance.now() < end && !this.#isOver) await delay(Math.min(500, this.#everyMs));
      if (this.#isOver) return;
      if (turn.length === 0) turn = this.#chance.shuffled(Object.keys(kills));
      const name = turn.pop() as string;
      const start = performance.now();
      await kills[name]?.();
      this.counts.set(name, (this.counts.get(name) ?? 0) + 1);
      await this.#samples.add('kills', name, ((performance.now() - start) / 1_000).toFixed(1));
    }
  }

  async #killChild(server: SoakServer): Promise<void> {
    const start = performance.now();
    let children = await server.children();
    while (performance.now() - start < BUSY_MS && (await server.jobFolders()).length === 0) {
      await delay(10);
      children = await server.children();
    }
    if (children.length > 0) end(this.#chance.one(children));
  }

  async #killReader(server: SoakServer): Promise<void> {
    const start = performance.now();
    let readers = await server.readers();
    while (performance.now() - start < BUSY_MS && readers.length === 0) {
      await delay(10);
      readers = await server.readers();
    }
    if (readers.length > 0) end(this.#chance.one(readers));
  }
}

function end(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch (error) {
    // It has just ended by itself.
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
