/** How the kit's program is run: its arguments, its environment, its descriptors. */
import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { copyFile, mkdir, writeFile } from 'node:fs/promises';
import type { Socket } from 'node:net';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { fontFiles, kitFiles } from '../paths.ts';
import { fontSettings, ownFontCaches, ownFontFolders } from './fonts.ts';
import { PROGRAM_FOLDER } from './libreoffice.ts';

/** Largest file a child may write. */
const FILE_MIB = 512;

export interface KitCommand {
  /** The kit's program. */
  readonly binary: string;
  /** Folder of this process alone; its working folder is `run` inside it. */
  readonly folder: string;
  /** Jobs at a time, and number of idle children. */
  readonly concurrency: number;
  readonly jobMemoryBytes: number;
  /** Absolute path of the operator's font folder, if any. */
  readonly fontsDir?: string | undefined;
  /** Process id of a kit whose dictionaries of hyphenation it takes over, if it has loaded them. */
  readonly former: number | undefined;
}

interface RunningKit {
  readonly process: ChildProcess;
  /** The protocol's socket; undefined if the process could not be started for lack of file descriptors. */
  readonly socket: Socket | undefined;
}

const javaSettings = (folder: string): string => join(folder, 'no-java.xml');
const fontSettingsFile = (folder: string): string => join(folder, 'fonts.conf');
/** Beside the folder, so that the next kit finds this one's. */
const fontCache = (folder: string): string => join(dirname(folder), 'font-cache');
const profileFolder = (folder: string): string => join(folder, 'profile');

/** LibreOffice's profile in the kit's folder, as a file URL. */
export const profileUrl = (folder: string): string => pathToFileURL(profileFolder(folder)).href;

/**
 * Writes what LibreOffice reads besides its settings into the kit's folder, the only one of ours that a child can read.
 *
 * @param fontsDir the operator's font folder, if any.
 */
export async function fillKitFolder(folder: string, fontsDir?: string): Promise<void> {
  const menuBar = join(profileFolder(folder), 'user/config/soffice.cfg/modules/swriter/menubar');
  await mkdir(menuBar, { recursive: true, mode: 0o700 });
  await copyFile(kitFiles.menuBar, join(menuBar, 'menubar.xml'));
  await copyFile(kitFiles.javaSettings, javaSettings(folder));
  await writeFile(fontSettingsFile(folder), fontSettings(fontsDir, fontCache(folder)), { mode: 0o600 });
}

/** The kit's environment. It holds nothing of ours, as a document that takes over a child can read it. */
export function kitEnvironment(folder: string, configurationLayers: string): Record<string, string> {
  return {
    PATH: '/usr/bin:/bin',
    HOME: folder,
    LANG: 'C.UTF-8',
    TZ: 'UTC', // the same dates on every server
    TMPDIR: '/proc/self/cwd', // every child's own folder, see src/kit/child.c
    SAL_USE_VCLPLUGIN: 'svp',
    CONFIGURATION_LAYERS: configurationLayers,
    FONTCONFIG_FILE: fontSettingsFile(folder),
    UNO_JAVA_JFW_USER_DATA: pathToFileURL(javaSettings(folder)).href,
  };
}

/** Starts the kit. Failures are reported by the process's events. */
export function runKit(command: KitCommand, configurationLayers: string): RunningKit {
  const dictionaries = openDictionaries(command.former);
  try {
    const process = spawn(command.binary, kitArguments(command), {
      cwd: join(command.folder, 'run'),
      env: kitEnvironment(command.folder, configurationLayers),
      stdio: ['ignore', 'ignore', 'pipe', 'pipe', dictionaries],
    });
    return { process, socket: process.stdio?.[3] as Socket | undefined };
  } finally {
    closeSync(dictionaries);
  }
}

/** The memory file of a kit's dictionaries (src/kit/hyphenation.h), or /dev/null: LibreOffice would take a free number. */
function openDictionaries(kit: number | undefined): number {
  try {
    if (kit !== undefined) return openSync(`/proc/${kit}/fd/4`, 'r');
  } catch {
    // It has just ended. The next kit loads its own.
  }
  return openSync('/dev/null', 'r');
}

function kitArguments({ folder, concurrency, jobMemoryBytes, fontsDir }: KitCommand): string[] {
  return [
    ['--program', PROGRAM_FOLDER],
    ['--profile', profileUrl(folder)],
    ['--warm-up', kitFiles.sampleDocument],
    ...[fontFiles.rules, ...ownFontFolders(fontsDir), ...ownFontCaches(fontCache(folder))].map((path) => [
      '--fonts',
      path,
    ]),
    ['--idle', concurrency],
    // The queue may run one job beyond the workers, and the probe's.
    ['--concurrency', concurrency + 2],
    ['--memory-mib', Math.ceil(jobMemoryBytes / 1_048_576)],
    ['--file-mib', FILE_MIB],
  ]
    .flat()
    .map(String);
}
