/** Secrets in files, as Docker and Kubernetes mount them: an environment is visible in too many places. */
import { readFileSync, statSync } from 'node:fs';
import { OperatorError } from '../errors.ts';

/** Variables that may be given as a file, whose path is in the variable with `_FILE` appended. */
export const secrets = ['REDIS_URL', 'OPERATOR_TOKEN', 'SMTP_URL', 'OIDC_CLIENT_SECRET'] as const;
/** Longer than any secret; prevents reading all of a wrong file. */
const MAX_BYTES = 16_384;

/**
 * Sets `NAME` to the trimmed content of the file that `NAME_FILE` names. Files are read once, at start.
 *
 * @param env variables that are set and not empty.
 * @throws OperatorError naming the variable when both are set, or the file cannot be read or is empty. It never
 *   repeats the content.
 */
export function withSecretFiles(
  env: Readonly<Record<string, string | undefined>>,
): Record<string, string | undefined> {
  const result = { ...env };
  for (const name of secrets) {
    const variable = `${name}_FILE`;
    const path = env[variable];
    if (path === undefined) continue;
    if (env[name] !== undefined) {
      throw new OperatorError(`configuration: set ${name} or ${variable}, not both`);
    }
    result[name] = readSecret(variable, path);
  }
  return result;
}

function readSecret(variable: string, path: string): string {
  let content: string;
  try {
    const { size } = assertFile(path);
    if (size > MAX_BYTES) throw new Error(`${path} is larger than a secret`);
    content = readFileSync(path, 'utf8').trim();
  } catch (cause) {
    const { message } = cause as Error;
    throw new OperatorError(`configuration: ${variable} cannot be read: ${message}`, { cause });
  }
  if (content === '') throw new OperatorError(`configuration: ${variable}: ${path} is empty`);
  return content;
}

/** Reading a FIFO would wait forever. */
function assertFile(path: string): { size: number } {
  const about = statSync(path);
  if (!about.isFile()) throw new Error(`${path} is not a file`);
  return about;
}
