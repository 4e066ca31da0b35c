/** The engine beside which these tests run (scripts/container.mjs), by its command. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const execute = promisify(execFile);

/** What a command printed and how it ended. */
interface Outcome {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** The image that was built before the tests. */
export const IMAGE = 'platen:local';
/** Those of docker-compose.yml. */
export const REDIS_IMAGE = 'redis:8.0';

/** Runs `docker` with these arguments. @throws unless it succeeds. */
export async function docker(...args: string[]): Promise<string> {
  const { stdout } = await execute('docker', args, { maxBuffer: 1 << 26, timeout: 120_000 });
  return stdout.trim();
}

/** Runs `docker` with these arguments, whatever comes of it. */
export async function tryDocker(...args: string[]): Promise<Outcome> {
  try {
    const { stdout, stderr } = await execute('docker', args, { maxBuffer: 1 << 26, timeout: 120_000 });
    return { code: 0, stdout, stderr };
  } catch (error) {
    const { code, stdout, stderr } = error as Outcome;
    return { code, stdout, stderr };
  }
}

/** Runs `docker compose` with these arguments in the checkout. @throws unless it succeeds. */
export function compose(...args: string[]): Promise<string> {
  return docker('compose', '--ansi=never', '--progress=quiet', ...args);
}

/** The address of a container in one of its networks. */
export async function addressOf(container: string, network: string): Promise<string> {
  return docker(
    'inspect',
    '--format',
    `{{(index .NetworkSettings.Networks "${network}").IPAddress}}`,
    container,
  );
}

/** The status of the answer; 0: there was none within two seconds. */
export async function statusOf(url: string, headers: Record<string, string> = {}): Promise<number> {
  try {
    const response = await fetch(url, { headers, signal: AbortSignal.timeout(2_000) });
    await response.arrayBuffer();
    return response.status;
  } catch {
    return 0;
  }
}
