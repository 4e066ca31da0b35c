/** A server with one folder on a small disk of its own, which can be filled up. */
import { spawnSync } from 'node:child_process';
import { open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { run } from '../../cli/support.ts';
import { Server } from '../../support/server.ts';

/** What the kernel may need of a file that it has no room for: whatever is smaller than a page. */
const CHUNK = Buffer.alloc(4_096);
const MIB = 1_048_576;

/** A command that runs what follows in a mount namespace of its own, as root in it. */
export const namespace = ['unshare', '--mount', ...(process.getuid?.() === 0 ? [] : ['--map-root-user'])];

/** Why this machine cannot have one, as the reason to skip a test; false if it can. */
export function noSmallDisk(): string | false {
  const [command = '', ...args] = [...namespace, 'mount', '-t', 'tmpfs', 'none', '/mnt'];
  const { status } = spawnSync(command, args, { stdio: 'ignore' });
  return status === 0 ? false : 'this machine lets nobody mount a file system: run the tests as root';
}

interface SmallDiskOptions {
  readonly dataDir: string;
  readonly env: Readonly<Record<string, string>>;
  /** A shell command that writes into the folder before the server starts; it may fail. */
  readonly contents?: string;
}

export class SmallDisk {
  readonly server: Server;
  readonly #folder: string;

  private constructor(server: Server, folder: string) {
    this.server = server;
    // As the server sees it: nobody else has it mounted.
    this.#folder = `/proc/${server.pid}/root${folder}`;
  }

  /**
   * Starts a server with a tmpfs mounted over a folder.
   *
   * @param folder an existing, empty folder.
   * @param megabytes size of the tmpfs, in MiB. It has room for a thousand files.
   */
  static async start(
    folder: string,
    megabytes: number,
    { contents = ':', ...options }: SmallDiskOptions,
  ): Promise<SmallDisk> {
    const mount = `mount -t tmpfs -o size=${megabytes}m,nr_inodes=1000,mode=700 none "$0" || exit
      (cd "$0" && ${contents}) 2>/dev/null
      exec "$@"`;
    const server = await Server.start({ ...options, wrapper: [...namespace, 'sh', '-c', mount, folder] });
    return new SmallDisk(server, folder);
  }

  /** Fills what is left of it up to the last page, then gives back `spareBytes`. */
  async fill(spareBytes = 0): Promise<void> {
    const file = await open(this.#ballast, 'a');
    try {
      for (let size = MIB; size >= CHUNK.length; size = size / 2)
        await writeUntilFull(file, Buffer.alloc(size));
      const { size } = await file.stat();
      await file.truncate(Math.max(0, size - spareBytes));
    } finally {
      await file.close();
    }
  }

  /** Makes room again. */
  async clear(): Promise<void> {
    await rm(this.#ballast);
  }

  /** Runs `platen …` against the embedded Redis of a data folder that is on this disk. */
  async cli<T>(...args: string[]): Promise<T> {
    const { code, stdout, stderr } = await run({ DATA_DIR: this.#folder }, ...args, '--json');
    if (code !== 0) throw new Error(stderr);
    return JSON.parse(stdout) as T;
  }

  get #ballast(): string {
    return join(this.#folder, 'ballast');
  }
}

async function writeUntilFull(file: Awaited<ReturnType<typeof open>>, data: Buffer): Promise<void> {
  try {
    for (;;) await file.write(data);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
  }
}
