/** Opens what converts: engine, queue, preflight and the converter on top of them. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from '../config.ts';
import { ColdEngine } from '../engine/cold-engine.ts';
import type { Engine } from '../engine/engine.ts';
import { fontSettings } from '../engine/fonts.ts';
import { KitEngine } from '../engine/kit-engine.ts';
import type { Log } from '../log.ts';
import { kitFiles } from '../paths.ts';
import { Queue } from '../queue/queue.ts';
import { Converter } from './converter.ts';
import { type FontCoverage, readFontCoverage } from './fonts/coverage.ts';
import { fontRows } from './fonts/font-table.ts';
import { standInsOf } from './fonts/stand-ins.ts';
import type { PoisonMemory } from './poison.ts';
import { Preflight } from './preflight/preflight.ts';
import { preflightMs } from './time-limits.ts';
import { jobsFolders, Workspaces } from './workspace.ts';

/** How long no worker may become free before one extra document may run. */
const PATIENCE_MS = 1_000;
/** Those of the probe, of the extra document, and of folders being removed. */
const UNCOUNTED_WORKSPACES = 10;

/** Not settings: overridden in tests. */
export interface ConversionParts {
  /** Makes what converts, in a folder of its own; by default what the configuration names. */
  readonly makeEngine?: typeof createEngine;
  /** Finds the fonts that the engine has. */
  readonly readCoverage?: typeof readFontCoverage;
  /** None by default: every document is tried. */
  readonly poison?: PoisonMemory | undefined;
}

export interface OpenedConverter {
  readonly engine: Engine;
  readonly queue: Queue;
  readonly preflight: Preflight;
  readonly converter: Converter;
}

/** Opens the folder of the workspaces that the configuration names. @throws OperatorError if it cannot be used. */
export async function openWorkspaces(config: Config, log: Pick<Log, 'warn' | 'error'>): Promise<Workspaces> {
  return Workspaces.openFirst(
    await jobsFolders(config),
    config.uploadLimit + config.queueLimit + 2 * config.workers + UNCOUNTED_WORKSPACES,
    log,
  );
}

/**
 * Opens the rest, in these workspaces. The engine is not started yet.
 *
 * @param closing is given functions that close what is open, to be called in reverse order.
 */
export async function openConverter(
  config: Config,
  workspaces: Workspaces,
  log: Log,
  closing: (close: () => Promise<void>) => void,
  { makeEngine = createEngine, readCoverage = readFontCoverage, poison }: ConversionParts = {},
): Promise<OpenedConverter> {
  const engine = makeEngine(config, workspaces.engineFolder, log);
  closing(() => engine.stop());
  const queue = new Queue({
    workers: config.workers,
    limit: config.queueLimit,
    timeoutMs: config.queueTimeoutMs,
    uploads: config.uploadLimit,
    uploadTimeoutMs: config.uploadTimeoutMs,
    patienceMs: PATIENCE_MS,
  });
  const standIns = standInsOf(fontRows());
  const coverage = await coverageOf(config, workspaces.engineFolder, log, readCoverage);
  const fonts = coverage && new Set([...coverage.families, ...standIns.keys()]);
  const preflight = new Preflight(preflightMs(config), config.accept, fonts);
  closing(() => preflight.close());
  const timeoutMs = config.convertTimeoutMs;
  const converter = new Converter({ preflight, engine, queue, poison, timeoutMs, standIns, coverage });
  return { engine, queue, preflight, converter };
}

/** The coverage of the engine's fonts; undefined if unknown. */
async function coverageOf(
  { fontsDir }: Config,
  folder: string,
  log: Log,
  read: typeof readFontCoverage,
): Promise<FontCoverage | undefined> {
  const settings = fontSettings(fontsDir, join(folder, 'font-cache'));
  return read(settings, join(folder, 'coverage')).catch((error: Error) => {
    log.warn(
      { cause: error.message },
      'the fonts cannot be listed: missing characters cause no warning, and unknown fonts are left to the engine',
    );
    return undefined;
  });
}

/** The kit, unless the operator chose the cold engine or the kit could not be built here. */
function createEngine(config: Config, folder: string, log: Log): Engine {
  if (config.engine === 'cold') return new ColdEngine(config.fontsDir, folder);
  if (!existsSync(kitFiles.binary)) {
    log.warn(
      'the kit is not built, so every document starts its own soffice, which takes about a second; to build it: ' +
        'apt-get install gcc libc6-dev make libreofficekit-dev libseccomp-dev && npm run build',
    );
    return new ColdEngine(config.fontsDir, folder);
  }
  return new KitEngine({
    folder,
    workers: config.workers,
    jobMemoryBytes: config.jobMemoryBytes,
    jobCpuMs: config.convertTimeoutMs,
    fontsDir: config.fontsDir,
    maxDocuments: config.kitMaxDocuments,
    log,
  });
}
