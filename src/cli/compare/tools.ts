/** Programs that read PDFs (poppler-utils, mupdf-tools), each bounded in time and output. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const run = promisify(execFile);

const TIME_LIMIT_MS = 120_000;
const MAX_OUTPUT_BYTES = 256 * 1024 * 1024;

/** The Debian package of the programs that are not of poppler-utils. */
const packages: Readonly<Record<string, string>> = { mutool: 'mupdf-tools' };

/**
 * The output of the program.
 *
 * @param signal ends it.
 * @throws Error with its stderr if it failed; the signal's reason if that ended it.
 */
export async function runTool(
  program: string,
  args: readonly string[],
  signal?: AbortSignal,
): Promise<string> {
  return (await runToolForBytes(program, args, signal)).toString('utf8');
}

/** As `runTool`, for binary output. */
export async function runToolForBytes(
  program: string,
  args: readonly string[],
  signal?: AbortSignal,
): Promise<Buffer> {
  const limits = { timeout: TIME_LIMIT_MS, maxBuffer: MAX_OUTPUT_BYTES, killSignal: 'SIGKILL' } as const;
  try {
    const options = { ...limits, encoding: 'buffer', ...(signal && { signal }) } as const;
    return (await run(program, args, options)).stdout;
  } catch (error) {
    signal?.throwIfAborted();
    throw new Error(`${program}: ${reason(program, error)}`, { cause: error });
  }
}

function reason(program: string, error: unknown): string {
  const { code, killed, stderr, message } = error as {
    code?: unknown;
    killed?: boolean;
    stderr?: Buffer;
    message: string;
  };
  if (code === 'ENOENT') return `not found: apt-get install ${packages[program] ?? 'poppler-utils'}`;
  if (killed) return `took more than ${TIME_LIMIT_MS / 1000} s or printed too much`;
  return stderr?.toString('utf8').trim().split('\n').at(-1) || message;
}
