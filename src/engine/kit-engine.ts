/**
 * The kit as an engine: keeps one kit process ready, replaces it when it dies or is due for renewal, and repeats a job that
 * may succeed. At most two kits live: one that takes jobs, and one that starts or ends.
 */
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { OperatorError, PlatenError } from '../errors.ts';
import { kitFiles } from '../paths.ts';
import { withLinkedController } from '../system/linked-controller.ts';
import type { Log } from '../system/log.ts';
import { Attempts } from './attempts.ts';
import type { Conversion, ConversionJob, Engine, EngineStatus, FinishingJob, PictureJob } from './engine.ts';
import { readFontSet } from './font-set.ts';
import { type AnyJob, prepareFolder, prepareRoom } from './job-folder.ts';
import { KitGone, KitRefused } from './kit-jobs.ts';
import { KitProcess } from './kit-process.ts';
import { KitStarts } from './kit-starts.ts';
import { requireLibreOffice } from './libreoffice.ts';
import { killed, readOutcome, unavailable } from './outcome.ts';
import { popplerVersion } from './poppler.ts';
import type { Outcome } from './protocol.ts';
import { Renewal } from './renewal.ts';
import { type Room, Rooms } from './rooms.ts';
import { sandboxOf } from './sandbox.ts';

/** How long a job waits for a kit to get ready. */
const READY_TIMEOUT_MS = 10_000;
/** Share of a document's time in a child that has converted others: after it, the document is tried again alone. */
const ROOM_SHARE = 0.25;
/** How long a child waits for its owner's next document. */
const IDLE_MS = 1_000;
/** How a child ended for which its document may not be to blame. */
const disturbed: readonly Outcome[] = ['crashed', 'killed', 'failed', 'cancelled'];
const disturbances = {
  crashed: 'the child crashed',
  killed: 'something outside the service killed the child',
} as const;

export interface KitEngineOptions {
  /** Folder for the folders of kit processes. */
  readonly folder: string;
  readonly workers: number;
  readonly jobMemoryBytes: number;
  /** Absolute path of the operator's font folder, if any. */
  readonly fontsDir?: string | undefined;
  /** CPU time a document may use, in milliseconds. */
  readonly jobCpuMs: number;
  /** Documents after which a fresh kit takes over. */
  readonly maxDocuments: number;
  /** Documents of one owner that a child may convert, one after the other. 1 by default. */
  readonly documentsPerChild?: number | undefined;
  /** How long a child waits for its owner's next document, if not a second. */
  readonly idleMs?: number | undefined;
  readonly log: Log;
  /** The kit's program, if not the built one. */
  readonly binary?: string;
}

export class KitEngine implements Engine {
  readonly #options: KitEngineOptions;
  readonly #log: Log;
  /** The kit that takes jobs; undefined while there is none. */
  #current: KitProcess | undefined;
  /** The start in progress, if any. */
  #starting: Promise<void> | undefined;
  /** Running kits: the current one and those finishing their last jobs. */
  readonly #kits = new Set<KitProcess>();
  readonly #stopped = new AbortController();
  readonly #starts = new KitStarts();
  readonly #renewal: Renewal;
  readonly #rooms: Rooms;
  /** Of the newest kit. */
  #sandbox = sandboxOf(0);
  #generation = 0;
  #restarts = 0;
  #renewals = 0;
  #documents = 0;
  #libreOffice: string | undefined;
  #fontSet: string | undefined;
  #poppler: string | undefined;
  #readingFonts: Promise<void> | undefined;

  constructor(options: KitEngineOptions) {
    this.#options = options;
    this.#log = options.log;
    const { folder, documentsPerChild: documents = 1, workers: waiting, idleMs = IDLE_MS, log } = options;
    this.#rooms = new Rooms({ folder, documents, waiting, idleMs, log });
    this.#renewal = new Renewal({
      maxDocuments: options.maxDocuments,
      onTime: () => this.#renewIfDue(),
    });
  }

  async start(): Promise<void> {
    this.#libreOffice = requireLibreOffice();
    const asking = popplerVersion();
    this.#starting = this.#launch().finally(() => {
      this.#starting = undefined;
    });
    const { fontsDir, folder } = this.#options;
    // Done before the kit is, as a rule; nobody waits for it.
    this.#readingFonts = readFontSet(fontsDir, join(folder, 'font-set')).then((fontSet) => {
      this.#fontSet = fontSet;
    });
    try {
      await this.#starting;
      this.#poppler = await asking;
    } catch (error) {
      await this.#readingFonts;
      if (error instanceof KitGone) throw new OperatorError(`the kit does not start: ${error.message}`);
      throw error;
    }
  }

  async convert(job: ConversionJob, signal: AbortSignal): Promise<Conversion> {
    this.#documents++;
    const attempts = new Attempts(job.export ?? {});
    const room = this.#current?.canStay ? this.#rooms.take(job.owner) : undefined;
    if (room) {
      const conversion = await this.#convertIn(room, job, signal);
      if (conversion) return conversion;
      attempts.number += 1;
      // The process that had it first may have read it.
      return { ...(await this.#run(job, attempts, signal)), isolation: 'account' };
    }
    return this.#run(job, attempts, signal);
  }

  async finish(job: FinishingJob, signal: AbortSignal): Promise<number> {
    const { pages } = await this.#run(job, new Attempts(undefined), signal);
    return pages ?? 0;
  }

  async draw(job: PictureJob, signal: AbortSignal): Promise<void> {
    await this.#run(job, new Attempts(undefined), signal);
  }

  /**
   * Converts a document in a child that stays for others of its owner.
   *
   * @returns undefined if it is to have a child of its own: this one could not be had, or failed or took long, for which earlier documents
   * may be to blame.
   */
  async #convertIn(room: Room, job: ConversionJob, signal: AbortSignal): Promise<Conversion | undefined> {
    const { id, isPatient } = job;
    const isFirst = room.documents === 0;
    const limit = isFirst ? [] : [AbortSignal.timeout(this.#options.jobCpuMs * ROOM_SHARE)];
    let kit: KitProcess | undefined;
    try {
      await prepareRoom(room.folder, job);
      kit = this.#current;
      if (!kit) return undefined;
      const { owner, folder } = room;
      const task = { id, folder, cpuMs: this.#options.jobCpuMs, isPatient, owner };
      const finished = await kit.convert(task, AbortSignal.any([signal, ...limit]));
      if (kit === this.#current && !this.#starting) this.#starts.served();
      const { outcome } = finished;
      if (outcome === 'converted') await this.#rooms.leave(room, job.folder, kit, finished);
      else if (!isFirst || disturbed.includes(outcome)) throw new Error(`its child ended: ${outcome}`);
      return readOutcome(finished, { attempts: 1, tagged: job.export?.tagged ?? true, isolation: 'account' });
    } catch (error) {
      signal.throwIfAborted();
      if (isFirst && error instanceof PlatenError && error.code !== 'SERVICE_UNAVAILABLE') throw error;
      this.#log.warn({ job: id, documents: room.documents, err: error }, 'a document is tried again alone');
      return undefined;
    } finally {
      if (!room.isKept) this.#rooms.giveUp(room, kit);
      if (kit) this.#left(kit);
    }
  }

  async #run(job: AnyJob, attempts: Attempts, signal: AbortSignal): Promise<Conversion> {
    try {
      return await this.#attempt(job, attempts, signal);
    } catch (error) {
      throw attempts.failure(error);
    }
  }

  /** Until an attempt needs no other one. */
  async #attempt(job: AnyJob, attempts: Attempts, signal: AbortSignal): Promise<Conversion> {
    let { jobCpuMs: cpuMs } = this.#options;
    for (;;) {
      const { number: attempt, tagged } = attempts;
      await prepareFolder(job, attempts);
      let kit = this.#current;
      // No `await` between finding a kit and giving it the job: it could be retired in between.
      for (; !kit; kit = this.#current) await this.#untilReady(signal);
      try {
        const { id, folder, isPatient } = job;
        const finished = await kit.convert({ id, folder, cpuMs, isPatient }, signal);
        // The layers of an outgoing kit say nothing about its successor.
        if (kit === this.#current && !this.#starting) this.#starts.served();
        const { outcome, detail } = finished;
        if (outcome === 'crashed' || outcome === 'killed') {
          this.#log.warn({ job: id, attempt, tagged, signal: detail }, disturbances[outcome]);
          cpuMs -= finished.cpuMs;
          if (attempts.next(outcome)) continue;
        }
        const program = 'page' in job ? 'poppler' : undefined;
        return readOutcome(finished, { attempts: attempt, tagged, isolation: 'document' }, program);
      } catch (error) {
        if (error instanceof KitRefused) throw unavailable(error);
        if (!(error instanceof KitGone)) throw error;
        this.#log.warn({ job: job.id, attempt, reason: error.message }, 'the kit died under a job');
        signal.throwIfAborted();
        this.#stopped.signal.throwIfAborted();
        if (!attempts.next(error.killed ? 'killed' : 'kit-gone'))
          throw error.killed
            ? killed(error)
            : new PlatenError('CONVERSION_FAILED', { cause: error, reason: 'kit' });
      } finally {
        this.#left(kit);
      }
    }
  }

  /** A kit has ended a job. */
  #left(kit: KitProcess): void {
    if (kit === this.#current) this.#renewIfDue();
    else endIfIdle(kit);
  }

  status(): EngineStatus {
    return {
      engine: 'kit',
      ready: this.#current !== undefined,
      libreOffice: this.#libreOffice,
      fontSet: this.#fontSet,
      poppler: this.#poppler,
      pid: this.#current?.pid,
      sandbox: this.#sandbox,
      restarts: this.#restarts,
      renewals: this.#renewals,
      documentsPerChild: this.#current?.canStay === false ? 1 : (this.#options.documentsPerChild ?? 1),
      children: {
        idle: this.#current?.idleChildren ?? 0,
        running: [...this.#kits].reduce((sum, { running }) => sum + running, 0),
      },
      documents: this.#documents,
    };
  }

  async stop(): Promise<void> {
    this.#stopped.abort(new PlatenError('SERVICE_UNAVAILABLE', { retryAfter: 1 }));
    this.#renewal.stop();
    this.#rooms.close();
    this.#current = undefined;
    await this.#starting?.catch(() => {});
    await this.#readingFonts;
    await Promise.all([...this.#kits].map((kit) => kit.stop()));
    await rm(this.#options.folder, { recursive: true, force: true }).catch((error: unknown) => {
      this.#log.warn({ err: error }, 'the folder of the kits could not be removed');
    });
  }

  /** Starts a kit and lets it take over. */
  async #launch(): Promise<void> {
    const {
      folder,
      workers,
      jobMemoryBytes,
      jobCpuMs,
      fontsDir,
      log,
      binary = kitFiles.binary,
    } = this.#options;
    const options = {
      folder: join(folder, `${process.pid}-${++this.#generation}`),
      concurrency: workers,
      jobMemoryBytes,
      jobCpuMs,
      fontsDir,
      log,
      binary,
      former: this.#current && passesDictionaries(this.#current) ? this.#current.pid : undefined,
      startLimitMs: this.#starts.limitMs,
      onSuspected: () => this.#renewIfDue(),
    };
    const began = performance.now();
    const kit = await KitProcess.start(options, this.#stopped.signal);
    this.#kits.add(kit);
    void kit.ended.then(() => this.#onEnded(kit));
    void kit.gone.then(() => {
      this.#kits.delete(kit);
      this.#renewIfDue();
    });
    if (this.#stopped.signal.aborted) {
      await kit.stop();
      return;
    }
    const former = this.#current;
    this.#current = kit;
    this.#libreOffice = kit.libreOffice;
    this.#sandbox = kit.sandbox;
    if (former && !former.suspected) this.#renewals++;
    else if (this.#generation > 1) this.#restarts++;
    const { pid, libreOffice, mends } = kit;
    this.#log.info({ kit: pid, libreOffice, mends }, 'kit ready');
    this.#starts.succeeded(performance.now() - began);
    if (former) this.#retire(former);
  }

  #onEnded(kit: KitProcess): void {
    if (kit.suspected) this.#renewal.suspicionHeld();
    if (kit !== this.#current) return;
    this.#current = undefined;
    this.#log.error({ kit: kit.pid, reason: kit.reason }, 'the kit died');
    this.#replace();
  }

  /** Starts a successor in the background, unless one is starting; retries until it succeeds. */
  #replace(): void {
    this.#starting ??= this.#launchUntilReady().finally(() => {
      this.#starting = undefined;
    });
  }

  async #launchUntilReady(): Promise<void> {
    const { signal } = this.#stopped;
    for (;;) {
      // A kit that died before it served anybody counts as a failed start, so that a broken one backs off.
      await this.#starts.begin(signal);
      if (signal.aborted) return;
      try {
        await this.#launch();
        return;
      } catch (error) {
        if (signal.aborted) return;
        this.#log.error({ err: error, failures: this.#starts.failures }, 'the kit does not start');
        this.#starts.failed(error);
      }
    }
  }

  /** Lets a kit finish its jobs and ends it. */
  #retire(kit: KitProcess): void {
    this.#log.info({ kit: kit.pid, documents: kit.documents }, 'kit retired');
    endIfIdle(kit);
  }

  /** Not while another kit still works. */
  #renewIfDue(): void {
    const kit = this.#current;
    if (!kit || this.#starting || this.#kits.size > 1) return;
    if (this.#renewal.isDue(kit)) this.#replace();
  }

  /**
   * Waits for a kit to take over.
   *
   * @throws PlatenError `SERVICE_UNAVAILABLE` when its start fails or takes too long.
   */
  async #untilReady(signal: AbortSignal): Promise<void> {
    // Well before the document's own time is over, which would blame the document.
    const limitMs = Math.min(READY_TIMEOUT_MS, this.#options.jobCpuMs / 2);
    await withLinkedController([signal, this.#stopped.signal], ({ signal: either }) =>
      this.#starts.untilReady(limitMs, either),
    );
  }
}

/**
 * Whether the next kit may take over a kit's dictionaries. Not after a crash: the next kit must not share an address with this one.
 * Not without Landlock: a document could have written to them before they were sealed.
 */
function passesDictionaries(kit: KitProcess): boolean {
  if (kit.crashed || kit.suspected) return false;
  return kit.sandbox.some(({ name, active }) => name === 'landlock-files' && active);
}

/** A replaced kit ends with its last job. */
function endIfIdle(kit: KitProcess): void {
  if (kit.running === 0) void kit.stop();
}
