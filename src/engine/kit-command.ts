/** How the kit's program is run: its arguments, its environment, its descriptors. */
import { type ChildProcess, spawn } from 'node:child_process';
import { copyFile, mkdir, writeFile } from 'node:fs/promises';
import type { Socket } from 'node:net';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { kitFiles } from '../paths.ts';
import { fontSettings, ownFontFolders } from './fonts.ts';
import { PROGRAM_FOLDER } from './libreoffice.ts';

/** Largest file a child may write. */
const FILE_MIB = 512;

export interface KitCommand {
  /** The kit's program. */
  readonly binary: string;
  /** Folder of this process alone; it runs in `run` inside it. */
  readonly folder: string;
  /** Jobs at a time; as many idle children are kept. */
  readonly concurrency: number;
  readonly jobMemoryBytes: number;
  /** Absolute path of the operator's folder of fonts; undefined: there is none. */
  readonly fontsDir?: string | undefined;
}

export interface RunningKit {
  readonly process: ChildProcess;
  /** What it speaks the protocol over; undefined when it could not be started for want of file descriptors. */
  readonly socket: Socket | undefined;
}

const javaSettings = (folder: string): string => join(folder, 'no-java.xml');
const fontSettingsFile = (folder: string): string => join(folder, 'fonts.conf');
const profileFolder = (folder: string): string => join(folder, 'profile');

/** LibreOffice's profile in the kit's folder, as a file URL. */
export const profileUrl = (folder: string): string => pathToFileURL(profileFolder(folder)).href;

/**
 * Puts into the kit's folder, the one folder of ours that a child can read, what LibreOffice reads beside its settings.
 *
 * @param fontsDir the operator's folder of fonts, if there is one.
 */
export async function fillKitFolder(folder: string, fontsDir?: string): Promise<void> {
  const menuBar = join(profileFolder(folder), 'user/config/soffice.cfg/modules/swriter/menubar');
  await mkdir(menuBar, { recursive: true, mode: 0o700 });
  await copyFile(kitFiles.menuBar, join(menuBar, 'menubar.xml'));
  await copyFile(kitFiles.javaSettings, javaSettings(folder));
  // Beside the folder: the next kit finds noted down what this one has.
  const cache = join(dirname(folder), 'font-cache');
  await writeFile(fontSettingsFile(folder), fontSettings(fontsDir, cache), { mode: 0o600 });
}

/** The kit's environment. Nothing of ours: it is what a document that takes over a child would read first. */
export function kitEnvironment(folder: string, configurationLayers: string): Record<string, string> {
  return {
    PATH: '/usr/bin:/bin',
    HOME: folder,
    LANG: 'C.UTF-8',
    TMPDIR: '/proc/self/cwd', // every child's own folder, see src/kit/child.c
    SAL_USE_VCLPLUGIN: 'svp',
    CONFIGURATION_LAYERS: configurationLayers,
    FONTCONFIG_FILE: fontSettingsFile(folder),
    UNO_JAVA_JFW_USER_DATA: pathToFileURL(javaSettings(folder)).href,
  };
}

/** Runs the kit, which leads a process group of its own. What fails is told by the process's events. */
export function runKit(command: KitCommand, configurationLayers: string): RunningKit {
  const process = spawn(command.binary, kitArguments(command), {
    cwd: join(command.folder, 'run'),
    env: kitEnvironment(command.folder, configurationLayers),
    stdio: ['ignore', 'ignore', 'pipe', 'pipe'],
    detached: true, // a terminal's Ctrl-C is for Node, which drains first
  });
  return { process, socket: process.stdio?.[3] as Socket | undefined };
}

function kitArguments({ folder, concurrency, jobMemoryBytes, fontsDir }: KitCommand): string[] {
  return [
    ['--program', PROGRAM_FOLDER],
    ['--profile', profileUrl(folder)],
    ['--warm-up', kitFiles.sampleDocument],
    ...ownFontFolders(fontsDir).map((fonts) => ['--fonts', fonts]),
    ['--idle', concurrency],
    // The queue may run one more than there are workers, and the probe's.
    ['--concurrency', concurrency + 2],
    ['--memory-mib', Math.ceil(jobMemoryBytes / 1_048_576)],
    ['--file-mib', FILE_MIB],
  ]
    .flat()
    .map(String);
}
