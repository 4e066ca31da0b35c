/**
 * Rooms: folders in which a child of the kit stays to convert several documents of one owner, one after the other. The child can
 * read and write its room, and nothing of other documents. What it leaves there, the next document of the same owner meets.
 */
import { randomUUID } from 'node:crypto';
import { copyFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Log } from '../system/log.ts';
import { removeFolder } from '../system/remove-folder.ts';
import { OUTPUT_NAME } from './engine.ts';
import type { KitProcess } from './kit-process.ts';
import type { Finished } from './protocol.ts';

/** A child that needed this many times as much memory as for its first document has no room for further ones. */
const MOST_GROWTH = 2;
/** CPU time of a child, in milliseconds, after which it gets no further document: slow ones lose their priority for good (priority.ts). */
const MOST_CPU_MS = 1_000;

interface RoomsOptions {
  /** Folder of the rooms. */
  readonly folder: string;
  /** Documents that a child may convert; with 1 there are no rooms. */
  readonly documents: number;
  /** Children that may wait at a time. */
  readonly waiting: number;
  /** How long a child waits for its owner's next document. */
  readonly idleMs: number;
  readonly log: Log;
}

/** The folder of one child. Whoever takes it leaves it, and gives it up unless it is kept. */
export interface Room {
  readonly owner: string;
  readonly folder: string;
  /** Documents that its child has converted. */
  readonly documents: number;
  /** Whether its child waits for the next one. */
  readonly isKept: boolean;
}

interface OwnRoom extends Room {
  documents: number;
  isKept: boolean;
  /** Where its child is. */
  kit: KitProcess | undefined;
  /** Peak size of the child after its first document. */
  firstBytes: number;
  /** CPU time that the child has used for documents, in milliseconds. */
  cpuMs: number;
  idle: NodeJS.Timeout | undefined;
}

export class Rooms {
  readonly #options: RoomsOptions;
  /** Whose child waits, the longest first. */
  readonly #waiting = new Set<OwnRoom>();
  readonly #all = new Set<OwnRoom>();

  constructor(options: RoomsOptions) {
    this.#options = options;
  }

  /** A room of that owner: one whose child waits, or a new one. Undefined if a document is to have a child of its own. */
  take(owner: string | undefined): Room | undefined {
    const { folder, documents } = this.#options;
    if (owner === undefined || documents < 2) return undefined;
    for (const room of this.#waiting) {
      if (room.owner !== owner) continue;
      clearTimeout(room.idle);
      this.#waiting.delete(room);
      room.isKept = false;
      return room;
    }
    const path = join(folder, `room-${randomUUID()}`);
    const room: OwnRoom = {
      ...{ owner, folder: path, documents: 0, isKept: false },
      ...{ kit: undefined, firstBytes: 0, cpuMs: 0, idle: undefined },
    };
    this.#all.add(room);
    return room;
  }

  /**
   * Ends a document, whose PDF goes to `folder`: as a copy, as the child may still have it open. The room is kept, or must be given up.
   *
   * @param kit which had the document.
   * @throws Error if there is no PDF.
   */
  async leave(room: Room, folder: string, kit: KitProcess, { peakBytes, cpuMs }: Finished): Promise<void> {
    const kept = room as OwnRoom;
    await copyFile(join(room.folder, OUTPUT_NAME), join(folder, OUTPUT_NAME));
    kept.kit = kit;
    kept.documents += 1;
    kept.firstBytes ||= peakBytes;
    kept.cpuMs += cpuMs;
    const { documents, waiting, idleMs } = this.#options;
    if (kept.documents >= documents || kept.cpuMs > MOST_CPU_MS) return;
    if (peakBytes > MOST_GROWTH * kept.firstBytes) return;
    kept.isKept = true;
    this.#waiting.add(kept);
    kept.idle = setTimeout(() => this.giveUp(kept, kit), idleMs).unref();
    const [oldest] = this.#waiting;
    if (this.#waiting.size > waiting && oldest?.kit) this.giveUp(oldest, oldest.kit);
  }

  /** Ends a room and its child, if it has one. */
  giveUp(room: Room, kit: KitProcess | undefined): void {
    const kept = room as OwnRoom;
    clearTimeout(kept.idle);
    this.#waiting.delete(kept);
    if (!this.#all.delete(kept)) return;
    for (const each of new Set([kit, kept.kit])) each?.release(room.folder);
    removeFolder(room.folder).catch((error: unknown) =>
      this.#options.log.warn({ err: error }, 'the folder of a child could not be removed'),
    );
  }

  /** Ends those whose child waits. */
  close(): void {
    for (const room of [...this.#waiting]) this.giveUp(room, room.kit);
  }
}
