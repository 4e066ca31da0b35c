/** docker/haproxy.cfg as it is shipped, in Debian's HAProxy, on a Unix socket, which needs no free port. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import type { Test } from 'tap';
import { until } from './until.ts';

export const HAPROXY = '/usr/sbin/haproxy';
export const CONFIGURATION = fileURLToPath(new URL('../../docker/haproxy.cfg', import.meta.url));
/** The line that names Docker's name server. */
const NAME_SERVER = 'nameserver docker 127.0.0.11:53';

interface BalancerOptions {
  /** For its socket, and a configuration that differs. */
  readonly folder: string;
  /** The servers, as HOST:PORT; all addresses of the host, if it is a name. */
  readonly servers: string;
  /** Address of a name server in place of Docker's. */
  readonly nameServer?: string;
  /** Whether clients say by the PROXY protocol who they are. */
  readonly acceptsProxy?: boolean;
}

export interface Balancer {
  readonly pid: number;
  readonly socketPath: string;
}

/** Starts it, and waits until it accepts connections. It ends with the test. */
export async function startBalancer(
  t: Pick<Test, 'teardown'>,
  { folder, servers, nameServer, acceptsProxy = false }: BalancerOptions,
): Promise<Balancer> {
  const socketPath = join(folder, 'haproxy.sock');
  const file = nameServer === undefined ? CONFIGURATION : await configured(folder, nameServer);
  const child = spawn('setpriv', ['--pdeathsig', 'KILL', HAPROXY, '-db', '-f', file], {
    env: { PLATEN_BIND: `unix@${socketPath}${acceptsProxy ? ' accept-proxy' : ''}`, PLATEN_SERVERS: servers },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  t.teardown(async () => {
    if (child.kill()) await once(child, 'exit');
  });
  const messages = text(child.stderr);
  await until('HAProxy', async () => {
    if (child.exitCode !== null) throw new Error(`HAProxy ended: ${await messages}`);
    const socket = connect(socketPath);
    return once(socket, 'connect').then(
      () => socket.destroy() !== undefined,
      () => false,
    );
  });
  return { pid: child.pid ?? 0, socketPath };
}

/** The shipped file, with another name server. */
async function configured(folder: string, nameServer: string): Promise<string> {
  const shipped = await readFile(CONFIGURATION, 'utf8');
  const own = shipped.replace(NAME_SERVER, `nameserver docker ${nameServer}`);
  if (own === shipped) throw new Error(`docker/haproxy.cfg has no line "${NAME_SERVER}"`);
  const file = join(folder, 'haproxy.cfg');
  await writeFile(file, own);
  return file;
}
