/**
 * The journal: deliveries that Redis may not know of yet, on disk, so that whoever got a PDF is billed for it,
 * whatever dies or is away in between.
 *
 * A line is appended with one system call just before the last bytes of a PDF are handed to the connection. It
 * outlives the process; against the loss of power it is as good as the append-only file of Redis, which reaches
 * the disk once a second. Lines lie in segments; a full segment goes when all its deliveries are settled.
 */
import { randomUUID } from 'node:crypto';
import { closeSync, openSync, rmSync, writeSync } from 'node:fs';
import { mkdir, readdir, readFile, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { OperatorError } from '../errors.ts';
import type { Log } from '../log.ts';
import { ServerFolder } from '../system/server-folder.ts';
import type { Delivery, Reservation } from './reservation.ts';

/** A delivery and the reservation that it ends. */
export interface Delivered {
  readonly reservation: Reservation;
  readonly delivery: Delivery;
}

const SEGMENT_BYTES = 1_048_576;
const SEGMENT_SUFFIX = '.jsonl';

interface Segment {
  readonly path: string;
  /** Open for appending; undefined for one that another server wrote. */
  readonly fd: number | undefined;
  bytes: number;
  /** Ids of the requests whose deliveries are not settled. */
  readonly unsettled: Set<string>;
}

export class Journal {
  readonly #folder: ServerFolder;
  readonly #segments = new Set<Segment>();
  #current: Segment | undefined;
  #closed = false;

  private constructor(folder: ServerFolder) {
    this.#folder = folder;
  }

  /**
   * Opens this server's journal, with what dead servers of the same data folder left.
   *
   * @param root folder of the journals of all servers that share the data folder.
   * @returns the journal, and the deliveries that those servers may not have settled.
   * @throws OperatorError when the folder cannot be used.
   */
  static async open(root: string, log: Log): Promise<{ journal: Journal; inherited: Delivered[] }> {
    await mkdir(root, { recursive: true, mode: 0o700 }).catch((cause: Error) => {
      throw new OperatorError(`the folder of the journal cannot be made: ${cause.message}`, { cause });
    });
    const folder = await ServerFolder.open(root, inheritSegments);
    const journal = new Journal(folder);
    return { journal, inherited: await journal.#readInherited(log) };
  }

  /** Deliveries that Redis is not known to have. */
  get unsettled(): number {
    return [...this.#segments].reduce((sum, segment) => sum + segment.unsettled.size, 0);
  }

  /** Notes a delivery. @throws Error when it cannot be written, or the journal is closed. */
  append(delivered: Delivered): void {
    if (this.#closed) throw new Error('the journal is closed');
    const segment = this.#writable();
    this.#write(segment, delivered);
    segment.unsettled.add(delivered.reservation.requestId);
  }

  /** Takes a delivery back: its PDF did not reach the connection whole. @throws Error when it cannot be written. */
  withdraw(requestId: string): void {
    const segment = this.#segmentOf(requestId);
    if (!segment) return;
    this.#write(segment, { withdrawn: requestId });
    this.settled(requestId);
  }

  /** Lets go of a delivery that Redis knows of. */
  settled(requestId: string): void {
    const segment = this.#segmentOf(requestId);
    if (!segment) return;
    segment.unsettled.delete(requestId);
    if (segment !== this.#current && segment.unsettled.size === 0) this.#remove(segment);
  }

  /** Ends the journal. What is not settled stays for the next server that starts; returns how many that are. */
  async close(): Promise<number> {
    this.#closed = true;
    const { unsettled } = this;
    for (const { fd } of this.#segments) if (fd !== undefined) closeSync(fd);
    this.#segments.clear();
    if (unsettled > 0) await this.#folder.abandon();
    else await this.#folder.remove();
    return unsettled;
  }

  #segmentOf(requestId: string): Segment | undefined {
    for (const segment of this.#segments) if (segment.unsettled.has(requestId)) return segment;
    return undefined;
  }

  /** The segment that is written to; a new one when it is full. */
  #writable(): Segment {
    const former = this.#current;
    if (former && former.bytes < SEGMENT_BYTES) return former;
    const path = join(this.#folder.path, `${randomUUID()}${SEGMENT_SUFFIX}`);
    const segment = { path, fd: openSync(path, 'ax', 0o600), bytes: 0, unsettled: new Set<string>() };
    this.#segments.add(segment);
    this.#current = segment;
    if (former && former.unsettled.size === 0) this.#remove(former);
    return segment;
  }

  #write(segment: Segment, line: unknown): void {
    // On a line of its own even after half a line, which a full disk leaves.
    const bytes = Buffer.from(`\n${JSON.stringify(line)}\n`);
    if (segment.fd === undefined) throw new Error('a segment of another server is not written to');
    const written = writeSync(segment.fd, bytes);
    segment.bytes += written;
    if (written === bytes.length) return;
    throw new Error(`only ${written} of ${bytes.length} bytes could be written to the journal`);
  }

  #remove(segment: Segment): void {
    this.#segments.delete(segment);
    if (segment.fd !== undefined) closeSync(segment.fd);
    rmSync(segment.path, { force: true });
  }

  async #readInherited(log: Log): Promise<Delivered[]> {
    const all: Delivered[] = [];
    for (const name of (await readdir(this.#folder.path)).filter(isSegment)) {
      const path = join(this.#folder.path, name);
      const deliveries = readLines(await readFile(path, 'utf8'), log);
      const segment = { path, fd: undefined, bytes: 0, unsettled: new Set(deliveries.keys()) };
      this.#segments.add(segment);
      if (deliveries.size === 0) this.#remove(segment);
      all.push(...deliveries.values());
    }
    return all;
  }
}

const isSegment = (name: string): boolean => name.endsWith(SEGMENT_SUFFIX);

/** By renaming, so that no delivery is ever in neither folder. The names of segments are unique. */
async function inheritSegments(dead: string, own: string): Promise<void> {
  for (const name of (await readdir(dead)).filter(isSegment)) {
    await rename(join(dead, name), join(own, name));
  }
}

/** The deliveries of a segment by request id, without those that were withdrawn. */
function readLines(text: string, log: Log): Map<string, Delivered> {
  const deliveries = new Map<string, Delivered>();
  for (const line of text.split('\n')) {
    if (line === '') continue;
    try {
      const entry = JSON.parse(line) as Delivered | { readonly withdrawn: string };
      if ('withdrawn' in entry) deliveries.delete(entry.withdrawn);
      else deliveries.set(entry.reservation.requestId, entry);
    } catch (error) {
      // The disk was full: the client of this line did not get its PDF.
      log.error({ err: error, line }, 'a line of the journal cannot be read');
    }
  }
  return deliveries;
}
