/** Opens what converts: engine, queue, preflight and the converter on top of them. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from '../config.ts';
import { ColdEngine } from '../engine/cold-engine.ts';
import type { Engine } from '../engine/engine.ts';
import { fontSettings } from '../engine/fonts.ts';
import { KitEngine } from '../engine/kit-engine.ts';
import { kitFiles } from '../paths.ts';
import { Queue } from '../queue/queue.ts';
import type { Log } from '../system/log.ts';
import { Combiner } from './combiner.ts';
import { Converter } from './converter.ts';
import { fontRows } from './fonts/font-table.ts';
import { type InstalledFonts, readInstalledFonts } from './fonts/installed-fonts.ts';
import { standInsOf } from './fonts/stand-ins.ts';
import { MAX_READING_MS } from './package/limits.ts';
import type { PoisonMemory } from './poison.ts';
import { Readers } from './reading/readers.ts';
import { combiningMs } from './time-limits.ts';
import { Workspaces, workFolders } from './workspace.ts';

/** How long no worker may become free before one extra document may run. */
const PATIENCE_MS = 1_000;
/** So that one that is slow to read holds up nobody. */
const LEAST_READERS = 2;
/** Those of the probe, of the extra document, and of folders being removed. */
const UNCOUNTED_WORKSPACES = 10;

/** Not settings: overridden in tests. */
export interface ConversionParts {
  /** Makes what converts, in a folder of its own; by default what the configuration names. */
  readonly makeEngine?: typeof createEngine;
  /** Finds the fonts that the engine has. */
  readonly readFonts?: typeof readInstalledFonts;
  /** None by default: every document is tried. */
  readonly poison?: PoisonMemory | undefined;
}

interface OpenedConverter {
  readonly engine: Engine;
  readonly queue: Queue;
  readonly readers: Readers;
  readonly converter: Converter;
  readonly combiner: Combiner;
}

/** Opens the folder of the workspaces that the configuration names. @throws OperatorError if it cannot be used. */
export async function openWorkspaces(config: Config, log: Pick<Log, 'warn' | 'error'>): Promise<Workspaces> {
  return Workspaces.openFirst(
    await workFolders(config),
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
  { makeEngine = createEngine, readFonts = readInstalledFonts, poison }: ConversionParts = {},
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
  const installed = await installedFonts(config, workspaces.engineFolder, log, readFonts);
  const readers = new Readers({
    accepted: config.accept,
    fonts: installed && new Set([...installed.families, ...standIns.keys()]),
    standIns,
    characters: installed?.characters,
    readingMs: MAX_READING_MS,
    places: Math.max(LEAST_READERS, config.workers),
    waitMs: config.queueTimeoutMs,
  });
  closing(() => readers.close());
  readers.start();
  const converter = new Converter({ readers, engine, queue, poison, timeoutMs: config.convertTimeoutMs });
  const combiner = new Combiner({
    converter,
    readers,
    engine,
    workers: config.workers,
    timeoutMs: combiningMs(config),
  });
  return { engine, queue, readers, converter, combiner };
}

/** The engine's fonts; undefined if unknown. */
async function installedFonts(
  { fontsDir }: Config,
  folder: string,
  log: Log,
  read: typeof readInstalledFonts,
): Promise<InstalledFonts | undefined> {
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
    documentsPerChild: config.documentsPerChild,
    log,
  });
}
