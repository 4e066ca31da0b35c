/** The server of the Model Context Protocol, from its start to its end. */
import type { Readable, Writable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { OperatorError } from '../../errors.ts';
import type { Log } from '../../system/log.ts';
import { readKey } from '../batch/request.ts';
import { serviceUrl } from '../batch/service-converter.ts';
import { localConfig, tellIfCold } from '../local/local-config.ts';
import { convertTool } from './convert-tool.ts';
import { DATA_NOTE } from './data.ts';
import { explainTool } from './explain-tool.ts';
import { LineTransport } from './line-transport.ts';
import { optionTool } from './option-tool.ts';
import { Reach, shown } from './reach.ts';
import { serve } from './server.ts';
import { LocalSource, ServiceSource, type Source } from './sources.ts';
import { Turns } from './turns.ts';

/** Conversions of a client that wait. */
const MAX_WAITING = 100;
/** For the last answers to be read, in milliseconds. */
const LAST_ANSWERS_MS = 1_000;

interface McpOptions {
  /** Paths of the folders that are open to the client. */
  readonly folders: readonly [string, ...string[]];
  /** A service that converts; this machine by default. */
  readonly server?: string | undefined;
  /** Its key, and a file with it, which counts first. */
  readonly key?: string | undefined;
  readonly keyFile?: string | undefined;
  readonly env: NodeJS.ProcessEnv;
  readonly input: Readable;
  readonly output: Writable;
  readonly log: Log;
  /** Ends it. */
  readonly signal: AbortSignal;
}

/**
 * Answers a client until it has gone or the signal aborts, and ends what it began.
 *
 * @throws OperatorError if a folder, the key or a setting is wrong.
 */
export async function runMcp(options: McpOptions): Promise<void> {
  const { input, output, signal } = options;
  const reach = await Reach.open(options.folders);
  const ending = new AbortController();
  const source = await openSource(options, reach, ending.signal);
  try {
    const turns = new Turns(source.atOnce, MAX_WAITING);
    await serve(new LineTransport(input, output), {
      tools: [convertTool({ reach, source, turns }), explainTool, optionTool],
      instructions: instructionsFor(reach),
      signal,
    });
  } finally {
    ending.abort(new OperatorError('the client has gone'));
    await source.close();
    await Promise.race([written(output), delay(LAST_ANSWERS_MS, undefined, { ref: false })]);
  }
}

async function openSource(
  { server, key, keyFile, env, log }: McpOptions,
  reach: Reach,
  ending: AbortSignal,
): Promise<Source> {
  if (server === undefined) {
    // An assistant is handed documents of strangers.
    const config = await localConfig(env, undefined, 1);
    tellIfCold(config);
    return new LocalSource({ config, log, ending });
  }
  const secret = await readKey(key, keyFile);
  if (keyFile !== undefined && (await reach.has(keyFile))) {
    throw new OperatorError(`${keyFile} is in a folder that is open to the client: keep the key elsewhere`);
  }
  return new ServiceSource(serviceUrl(server), secret, ending);
}

const instructionsFor = (reach: Reach): string =>
  'Converts Word documents (DOCX) to PDF. Only files in these folders, and in the folders in them, can be read and written: ' +
  `${reach.folders.map(shown).join(', ')}. ${DATA_NOTE}`;

/** Resolves when all that was written before has been read. */
const written = (output: Writable): Promise<void> =>
  new Promise((resolve) => {
    output.write('', () => resolve());
  });
