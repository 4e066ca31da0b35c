/** The process: environment, services, application, listening, graceful shutdown. */
import { setTimeout as delay } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import { buildApp } from './app.ts';
import { type Config, readConfig } from './config.ts';
import { longestConversionMs } from './convert/time-limits.ts';
import { OperatorError } from './errors.ts';
import { openServices, type Services } from './services.ts';
import { openLog } from './system/log.ts';
import { ECHO_MS } from './system/signal-echo.ts';
import { trialPlace, welcome } from './welcome.ts';

// V8 counts the pieces of uploads as part of its heap. Node 24 collected all garbage after each document with large pictures,
// which took half of the server's CPU time; Node 20 sometimes did. Now V8 waits until the heap has tripled.
setFlagsFromString('--heap-growing-percent=200');
// While the engine has all cores, helper threads of the garbage collector wait for one, and all requests wait for them.
setFlagsFromString('--no-parallel-scavenge');

async function main(): Promise<void> {
  const settings = readConfig(process.env);
  const place = trialPlace(process.argv, settings, process.env);
  const config = { ...settings, limitsOwnAddresses: place === undefined };
  const log = openLog(config.logLevel);
  const started = performance.now();
  const server: Running = { services: undefined, app: undefined };
  const signalled = drainOnSignal(server, log);
  try {
    server.services = openServices(config, log);
    const services = await server.services;
    if (signalled.aborted) return;
    server.app = await buildApp(services);
    const address = await listen(server.app, config);
    const operatorToken = services.operatorToken.file ?? 'OPERATOR_TOKEN';
    log.info({ address, redis: config.redisUrl ? 'external' : 'embedded', operatorToken }, 'listening');
    await services.warmUp();
    services.lifecycle.ready();
    const { engine, libreOffice, poppler } = services.engine.status();
    log.info(
      { engine, libreOffice, poppler, workers: config.workers, ms: Math.round(performance.now() - started) },
      'ready',
    );
    // Last, as loading what they need takes as long as a third of the start.
    services.jobs?.start();
    services.warnings.start();
    services.removal.start();
    services.egress?.start();
    if (place) process.stdout.write(await welcome(services, address, place));
  } catch (error) {
    // What fails because a signal ended it is no failure.
    if (signalled.aborted) return;
    await server.app?.close();
    await (await server.services?.catch(() => undefined))?.close();
    throw error;
  }
}

/** What there is to end, at any moment of the start. */
interface Running {
  services: Promise<Services> | undefined;
  app: FastifyInstance | undefined;
}

/** @throws OperatorError when the address is taken or not this machine's. */
async function listen(app: FastifyInstance, { host, port }: Config): Promise<string> {
  try {
    return await app.listen({ host, port });
  } catch (cause) {
    const { message } = cause as Error;
    throw new OperatorError(`cannot listen on HOST ${host}, PORT ${port}: ${message}`, { cause });
  }
}

/** Drains at the first SIGTERM or SIGINT, ends at once at the second. The signal it returns aborts at the first. */
function drainOnSignal(server: Running, log: Logger): AbortSignal {
  const signalled = new AbortController();
  let first = 0;
  const onSignal = (signal: NodeJS.Signals) => {
    const now = performance.now();
    if (!signalled.signal.aborted) {
      first = now;
      signalled.abort();
      log.info({ signal }, 'draining');
      drain(server).then(
        () => {
          log.info('stopped');
          process.exit(0);
        },
        (error: unknown) => {
          log.error({ err: error }, 'the drain failed');
          process.exit(1);
        },
      );
    } else if (now - first > ECHO_MS) {
      log.warn({ signal }, 'stopped at once');
      process.exit(1);
    }
  };
  process.on('SIGTERM', onSignal).on('SIGINT', onSignal);
  return signalled.signal;
}

/** Not ready first, then no new connections, then the running requests end, then what they stood on. */
async function drain(server: Running): Promise<void> {
  // Services that did not open have closed what they had.
  const services = await server.services?.catch(() => undefined);
  if (!services) return;
  const { config, lifecycle } = services;
  lifecycle.drain();
  if (server.app) {
    await delay(config.drainDelayMs);
    await Promise.race([server.app.close(), delay(longestConversionMs(config), undefined, { ref: false })]);
    // What is still open has outlived its limits; it ends before what it stands on.
    server.app.server.closeAllConnections();
  }
  await services.close();
}

main().catch((error: unknown) => {
  const text = error instanceof OperatorError ? `platen: ${error.message}` : error;
  console.error(text);
  process.exitCode = 1;
});
