/** The line protocol between Node and the kit (src/kit/control.h): a pure encoder and decoder. */
import { createHash } from 'node:crypto';

/** The version that both sides must speak. */
export const PROTOCOL = 11;

/** Longest line, in bytes, that either side sends. The kit's own lines are ASCII. */
export const MAX_LINE = 4_000;

/** The task of a child; what to do is in the job's folder. */
export interface Task {
  /** Id of the job. */
  readonly id: string;
  /** Absolute path of the job's folder. */
  readonly folder: string;
  /** CPU time budget in milliseconds; the kit rounds up to whole seconds. */
  readonly cpuMs: number;
  /** Whether it runs only when no other process needs the processor. */
  readonly isPatient?: boolean | undefined;
  /** For whose next document the child waits in this folder afterwards; by default it ends with this one. */
  readonly owner?: string | undefined;
}

export type Request =
  | ({ readonly verb: 'convert' } & Task)
  | { readonly verb: 'cancel'; readonly id: string }
  | { readonly verb: 'release'; readonly folder: string }
  | { readonly verb: 'ping'; readonly number: number };

const outcomes = [
  'converted',
  'unloadable',
  'unexportable',
  'failed',
  'crashed',
  'killed',
  'cancelled',
  'memory',
  'cpu',
  'file',
  'disk',
] as const;

/** How a child ended; see src/kit/control.h. */
export type Outcome = (typeof outcomes)[number];

export type Message =
  | {
      readonly verb: 'ready';
      readonly protocol: number;
      readonly pid: number;
      /** Bit set of sandbox layers, see sandbox.ts. */
      readonly layers: number;
      /** Bit set of changes in LibreOffice's code, see mends.ts. */
      readonly mends: number;
      readonly libreOffice: string;
    }
  | { readonly verb: 'started'; readonly id: string; readonly pid: number }
  | {
      readonly verb: 'finished';
      readonly id: string;
      readonly outcome: Outcome;
      /** Exit code, or number of the signal for `crashed`. */
      readonly detail: number;
      /** Pages that LibreOffice laid out; 0 when it did not get so far. */
      readonly pages: number;
      readonly peakBytes: number;
      readonly cpuMs: number;
    }
  /** A signal ended a child that waited for another document. */
  | { readonly verb: 'lost'; readonly signal: number }
  | { readonly verb: 'refused'; readonly id: string; readonly reason: string }
  /** The answer to the ping of that number. */
  | { readonly verb: 'pong'; readonly number: number; readonly idleChildren: number }
  | { readonly verb: 'fault'; readonly text: string };

export type Ready = Extract<Message, { verb: 'ready' }>;
export type Finished = Extract<Message, { verb: 'finished' }>;

/** A line that breaks the protocol. */
export class ProtocolError extends Error {
  override readonly name = 'ProtocolError';
}

const ID = /^[A-Za-z0-9_-]{1,64}$/;

/**
 * One line for the kit, its newline included.
 *
 * @throws ProtocolError when the kit would not understand it.
 */
export function encode(request: Request): string {
  if (request.verb === 'ping') return `ping ${natural(String(request.number))}\n`;
  if (request.verb === 'release') return bounded(`release ${pathOf(request.folder)}\n`);
  if (!ID.test(request.id)) throw new ProtocolError('a job id has forbidden characters');
  if (request.verb === 'cancel') return `cancel ${request.id}\n`;
  const { id, folder, cpuMs, isPatient, owner } = request;
  const cpuSeconds = natural(String(Math.max(1, Math.ceil(cpuMs / 1000))));
  const how = `${isPatient ? 'idle' : 'normal'} ${owner === undefined ? '-' : tokenOf(owner)}`;
  return bounded(`convert ${id} ${cpuSeconds} ${how} ${pathOf(folder)}\n`);
}

/** Stands for an owner, whose name may have any characters. */
function tokenOf(owner: string): string {
  return createHash('sha256').update(owner).digest('hex');
}

function pathOf(folder: string): string {
  if (!folder.startsWith('/') || folder.includes('\n') || folder.includes('\0')) {
    throw new ProtocolError('a job folder must be an absolute path on one line');
  }
  return folder;
}

function bounded(line: string): string {
  if (Buffer.byteLength(line) > MAX_LINE) throw new ProtocolError('the path of a job folder is too long');
  return line;
}

/**
 * Reads one line of the kit, without its newline.
 *
 * @throws ProtocolError for a line outside the protocol.
 */
export function decode(line: string): Message {
  const [verb, ...fields] = line.split(' ');
  switch (verb) {
    case 'ready': {
      const [protocol, pid, layers, mends, ...version] = fields;
      return {
        verb,
        protocol: natural(protocol),
        pid: natural(pid),
        layers: natural(layers),
        mends: natural(mends),
        libreOffice: libreOfficeVersion(version.join(' ')),
      };
    }
    case 'started': {
      const [id, pid] = exactly(2, fields);
      return { verb, id: jobId(id), pid: natural(pid) };
    }
    case 'finished': {
      const [id, outcome, detail, pages, peakKiB, cpuMs] = exactly(6, fields);
      return {
        verb,
        id: jobId(id),
        outcome: knownOutcome(outcome),
        detail: natural(detail),
        pages: natural(pages),
        peakBytes: natural(peakKiB) * 1024,
        cpuMs: natural(cpuMs),
      };
    }
    case 'lost': {
      const [signal] = exactly(1, fields);
      return { verb, signal: natural(signal) };
    }
    case 'refused': {
      const [id, reason] = exactly(2, fields);
      return { verb, id: jobId(id), reason: reason ?? '' };
    }
    case 'pong': {
      const [number, idleChildren] = exactly(2, fields);
      return { verb, number: natural(number), idleChildren: natural(idleChildren) };
    }
    case 'fault':
      return { verb, text: fields.join(' ') };
    default:
      throw new ProtocolError('the kit sent a line that Node does not understand');
  }
}

function exactly(count: number, fields: readonly string[]): readonly string[] {
  if (fields.length !== count) throw new ProtocolError('a line of the kit has the wrong number of fields');
  return fields;
}

function natural(field: string | undefined): number {
  if (field === undefined || !/^\d{1,15}$/.test(field)) {
    throw new ProtocolError('a field is not a natural number');
  }
  return Number(field);
}

function jobId(field: string | undefined): string {
  if (field === undefined || !ID.test(field)) throw new ProtocolError('a field of the kit is not a job id');
  return field;
}

function knownOutcome(field: string | undefined): Outcome {
  const outcome = outcomes.find((known) => known === field);
  if (!outcome) throw new ProtocolError('the kit reports an outcome that Node does not know');
  return outcome;
}

/** LibreOfficeKit describes itself in JSON: `{ "ProductVersion": "25.2", "ProductExtension": ".3.2", … }`. */
function libreOfficeVersion(json: string): string {
  let about: unknown;
  try {
    about = JSON.parse(json);
  } catch {
    throw new ProtocolError('the kit does not name its LibreOffice version');
  }
  const { ProductVersion: version, ProductExtension: extension } = Object(about) as Record<string, unknown>;
  if (typeof version !== 'string') {
    throw new ProtocolError('the kit does not name its LibreOffice version');
  }
  return version + (typeof extension === 'string' ? extension : '');
}

/** Splits a stream of text into lines of at most MAX_LINE characters. */
export class LineReader {
  #rest = '';

  /**
   * The lines that `chunk` completes.
   *
   * @throws ProtocolError when a line grows over MAX_LINE.
   */
  push(chunk: string): string[] {
    const lines = (this.#rest + chunk).split('\n');
    this.#rest = lines.pop() ?? '';
    if (this.#rest.length > MAX_LINE || lines.some((line) => line.length > MAX_LINE)) {
      throw new ProtocolError('the kit sent a line that is too long');
    }
    return lines;
  }
}
