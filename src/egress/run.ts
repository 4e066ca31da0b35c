/** `platen egress`: the process, from its environment to its end. */
import { type Config, readConfig } from '../config.ts';
import { openLog } from '../system/log.ts';
import { ECHO_MS } from '../system/signal-echo.ts';
import { type Egress, openEgress } from './egress.ts';

/**
 * Runs until SIGTERM or SIGINT, and ends the process.
 *
 * @throws OperatorError if the configuration, Redis or the storage cannot be used.
 */
export async function runEgress(env: NodeJS.ProcessEnv, isEmbedded: boolean): Promise<void> {
  const config: Config = readConfig(env);
  const log = openLog(config.logLevel).child({ process: 'egress' });
  let opening: Promise<Egress> | undefined;
  let endingSince: number | undefined;
  const end = (signal: string) => {
    if (endingSince !== undefined) {
      // A second signal does not wait.
      if (performance.now() - endingSince > ECHO_MS) process.exit(1);
      return;
    }
    endingSince = performance.now();
    log.info({ signal }, 'egress is stopping');
    void opening
      ?.then((egress) => egress.close())
      .then(
        () => process.exit(0),
        (error: Error) => {
          log.error({ err: error }, 'egress did not stop');
          process.exit(1);
        },
      );
  };
  // On Ctrl-C in a terminal, the parent ends this process.
  if (isEmbedded) process.on('SIGINT', () => {});
  else process.on('SIGINT', end);
  process.on('SIGTERM', end);
  if (isEmbedded) process.stdin.resume().on('close', () => process.exit(1));
  opening = openEgress(config, log);
  await opening;
  log.info(
    { redis: config.redisUrl ? 'external' : 'embedded', fetches: config.egressFetches },
    'egress is ready',
  );
}
