/** Programs that read PDFs (poppler-utils, mupdf-tools), each bounded in time and output. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const run = promisify(execFile);

const TIME_LIMIT_MS = 120_000;
const MAX_OUTPUT_BYTES = 256 * 1024 * 1024;

/**
 * The output of the program.
 *
 * @throws Error with its stderr if it failed
 */
export async function runTool(program: string, args: readonly string[]): Promise<string> {
  return (await runToolForBytes(program, args)).toString('utf8');
}

/** As `runTool`, for binary output. */
export async function runToolForBytes(program: string, args: readonly string[]): Promise<Buffer> {
  const limits = { timeout: TIME_LIMIT_MS, maxBuffer: MAX_OUTPUT_BYTES };
  try {
    return (await run(program, args, { ...limits, encoding: 'buffer' })).stdout;
  } catch (error) {
    throw new Error(`${program}: ${reason(error)}`, { cause: error });
  }
}

function reason(error: unknown): string {
  const { code, killed, stderr, message } = error as {
    code?: unknown;
    killed?: boolean;
    stderr?: Buffer;
    message: string;
  };
  if (code === 'ENOENT') return 'not found; run node scripts/setup.mjs --bench';
  if (killed) return `took more than ${TIME_LIMIT_MS / 1000} s or printed too much`;
  return stderr?.toString('utf8').trim().split('\n').at(-1) || message;
}
