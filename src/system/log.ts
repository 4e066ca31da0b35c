import fs from 'node:fs';
import { type DestinationStream, type Logger, pino } from 'pino';

/** The logger interface below HTTP; pino's and Fastify's loggers fit. */
export type Log = Pick<Logger, 'debug' | 'info' | 'warn' | 'error'>;

/** Most of the log that waits for a slow reader or a full disk; beyond it, lines are lost. */
const MAX_UNWRITTEN_BYTES = 16_777_216;
/** Largest write that is atomic on a pipe (PIPE_BUF in pipe(7)); other processes of the service write to the same pipe. */
const ATOMIC_BYTES = 4_096;

/** The log of the service, in JSON lines; on stdout unless told otherwise. */
export function openLog(level: string, destination = openStdout()): Logger {
  // At "trace" the parser of forms tells the headers that it was given, with the key.
  return pino({ level, redact: ['busboyOptions.headers'] }, destination);
}

/** Survives failed writes, as on a full disk. pino's own destination would end the service, and then wait for space for ever. */
function openStdout(): DestinationStream {
  const stdout = pino.destination({
    fd: 1,
    sync: false,
    maxLength: MAX_UNWRITTEN_BYTES,
    maxWrite: ATOMIC_BYTES,
  });
  // Such lines are lost.
  stdout.on('error', () => {});
  process.prependListener('exit', () => writeOnce());
  return stdout;
}

/** Makes a synchronous write that fails count as done, unless a reader is slow: pino repeats it for ever at the end. */
function writeOnce(): void {
  const { writeSync } = fs;
  fs.writeSync = ((fd: number, data: string | Uint8Array, ...position: never[]) => {
    try {
      return writeSync(fd, data as string, ...position);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'EAGAIN') throw error;
      return Buffer.byteLength(data);
    }
  }) as typeof writeSync;
}
