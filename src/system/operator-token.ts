/** The operator's token, which opens the metrics, the dashboard and the operator API. */
import { createHash, createHmac, randomBytes, randomUUID, timingSafeEqual } from 'node:crypto';
import { link, mkdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { OperatorError } from '../errors.ts';
import type { Log } from './log.ts';

const FILE_NAME = 'operator-token';
/** Prefix of generated tokens, for people and secret scanners. */
const PREFIX = 'platen_op_';
const RANDOM_BYTES = 32;
/** Characters that fit into a header; shorter tokens can be guessed. */
const TOKEN = /^[\x21-\x7e]{16,200}$/;
/** The rule for tokens, for messages. */
export const TOKEN_RULE = '16 to 200 ASCII characters without spaces';

/** Whether a text follows the rule. */
export function isOperatorToken(text: string): boolean {
  return TOKEN.test(text);
}

export class OperatorToken {
  /** Path of the file that holds the token; undefined if it is configured. */
  readonly file: string | undefined;
  readonly #hash: Buffer;

  private constructor(token: string, file: string | undefined) {
    this.file = file;
    this.#hash = sha256(token);
  }

  /**
   * The configured token, or the one in the data folder, which is generated if there is none. Servers that share a data folder
   * share the token, even if they start at once.
   *
   * @throws OperatorError when the file cannot be used, or does not hold a token.
   */
  static async open(configured: string | undefined, dataDir: string, log: Log): Promise<OperatorToken> {
    if (configured !== undefined) return new OperatorToken(configured, undefined);
    const file = join(dataDir, FILE_NAME);
    try {
      const token = ((await readIfThere(file)) ?? (await make(file))).trim();
      if (!isOperatorToken(token)) {
        throw new OperatorError(
          `${file} does not hold a token (${TOKEN_RULE}): remove it for a new one, or set OPERATOR_TOKEN`,
        );
      }
      const { mode } = await stat(file);
      if ((mode & 0o077) !== 0) log.warn({ file }, 'others may read the operator token: chmod 600');
      return new OperatorToken(token, file);
    } catch (cause) {
      if (cause instanceof OperatorError) throw cause;
      const { message } = cause as Error;
      throw new OperatorError(`the operator token cannot be kept: ${message}; or set OPERATOR_TOKEN`, {
        cause,
      });
    }
  }

  /** Binds a secret to this token: without the secret nobody can tell which token a binding is for. */
  tie(secret: string): string {
    return createHmac('sha256', secret).update(this.#hash).digest('hex');
  }

  /** Compares with this token in constant time. */
  matches(text: string): boolean {
    return timingSafeEqual(sha256(text), this.#hash);
  }
}

async function readIfThere(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/** Creates the file atomically unless another server was faster; returns its content. */
async function make(file: string): Promise<string> {
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  const draft = `${file}.${randomUUID()}`;
  try {
    const token = PREFIX + randomBytes(RANDOM_BYTES).toString('base64url');
    await writeFile(draft, `${token}\n`, { flag: 'wx', mode: 0o600, flush: true });
    // link(2), unlike rename(2), never replaces an existing file.
    await link(draft, file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    await rm(draft, { force: true });
  }
  return readFile(file, 'utf8');
}

/** Hashes to equal length, as the comparison requires. */
function sha256(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
