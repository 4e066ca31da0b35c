/** The process: environment, services, application, listening, and a graceful end. */
import { setTimeout as delay } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import { pino } from 'pino';
import { buildApp } from './app.ts';
import { readConfig } from './config.ts';
import { OperatorError } from './errors.ts';
import { openServices, type Services } from './services.ts';
import { welcome } from './welcome.ts';

/**
 * A Ctrl-C under npm arrives twice, from the terminal and from npm; the second signal within this time is the
 * first one's echo.
 */
const ECHO_MS = 250;

async function main(): Promise<void> {
  const config = readConfig(process.env);
  const log = pino({ level: config.logLevel });
  const started = performance.now();
  const services = await openServices(config, log);
  let app: FastifyInstance | undefined;
  const stopping = stopOnSignal(services, () => app);
  try {
    app = await buildApp(services);
    const address = await app.listen({ host: config.host, port: config.port });
    log.info({ address, redis: config.redisUrl ? 'external' : 'embedded' }, 'listening');
    await services.warmUp();
    services.lifecycle.ready();
    const { engine, libreOffice } = services.engine.status();
    log.info(
      { engine, libreOffice, workers: config.workers, ms: Math.round(performance.now() - started) },
      'ready',
    );
    if (process.argv.includes('--welcome')) await welcome(services, address);
  } catch (error) {
    // What fails because a signal ended it is no failure.
    if (services.lifecycle.phase === 'draining') return stopping;
    await app?.close();
    await services.close();
    throw error;
  }
}

/** Drains at the first SIGTERM or SIGINT, ends at once at the second. Resolves when drained. */
function stopOnSignal(services: Services, currentApp: () => FastifyInstance | undefined): Promise<void> {
  const { log } = services;
  return new Promise((resolve) => {
    let first: number | undefined;
    const onSignal = (signal: NodeJS.Signals) => {
      const now = performance.now();
      if (first === undefined) {
        first = now;
        log.info({ signal }, 'draining');
        drain(services, currentApp()).then(
          () => {
            log.info('stopped');
            resolve();
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
  });
}

/** Not ready first, then no new connections, then the running requests end, then what they stood on. */
async function drain(services: Services, app: FastifyInstance | undefined): Promise<void> {
  const { config, lifecycle } = services;
  lifecycle.drain();
  if (app) {
    await delay(config.drainDelayMs);
    const budgetMs = config.uploadTimeoutMs + config.queueTimeoutMs + config.convertTimeoutMs;
    await Promise.race([app.close(), delay(budgetMs, undefined, { ref: false })]);
  }
  await services.close();
}

main().catch((error: unknown) => {
  const text = error instanceof OperatorError ? `platen: ${error.message}` : error;
  console.error(text);
  process.exitCode = 1;
});
