/** How the kit's program is run: its arguments, its environment, its descriptors. */
import { type ChildProcess, spawn } from 'node:child_process';
import type { Socket } from 'node:net';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { kitFiles } from '../paths.ts';
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
  /** CPU time a document may use, in milliseconds. */
  readonly jobCpuMs: number;
}

export interface RunningKit {
  readonly process: ChildProcess;
  /** What it speaks the protocol over; undefined when it could not be started for want of file descriptors. */
  readonly socket: Socket | undefined;
}

/** Where a kit's copy of LibreOffice's settings for Java has to be, in the one folder of ours that a child can read. */
export const javaSettings = (folder: string): string => join(folder, 'no-java.xml');

/** Runs the kit, which leads a process group of its own. What fails is told by the process's events. */
export function runKit(command: KitCommand, configurationLayers: string): RunningKit {
  const process = spawn(command.binary, kitArguments(command), {
    cwd: join(command.folder, 'run'),
    // Nothing of ours: the environment is what a document that takes over a child would read first.
    env: {
      PATH: '/usr/bin:/bin',
      HOME: command.folder,
      LANG: 'C.UTF-8',
      TMPDIR: '/proc/self/cwd', // every child's own folder, see src/kit/child.c
      SAL_USE_VCLPLUGIN: 'svp',
      CONFIGURATION_LAYERS: configurationLayers,
      UNO_JAVA_JFW_USER_DATA: pathToFileURL(javaSettings(command.folder)).href,
    },
    stdio: ['ignore', 'ignore', 'pipe', 'pipe'],
    detached: true, // a terminal's Ctrl-C is for Node, which drains first
  });
  return { process, socket: process.stdio?.[3] as Socket | undefined };
}

function kitArguments({ folder, concurrency, jobMemoryBytes, jobCpuMs }: KitCommand): string[] {
  return [
    ['--program', PROGRAM_FOLDER],
    ['--profile', pathToFileURL(join(folder, 'profile')).href],
    ['--warm-up', kitFiles.sampleDocument],
    ['--idle', concurrency],
    // The queue may run one more than there are workers, and the probe's.
    ['--concurrency', concurrency + 2],
    ['--memory-mib', Math.ceil(jobMemoryBytes / 1_048_576)],
    ['--cpu-seconds', Math.ceil(jobCpuMs / 1000)],
    ['--file-mib', FILE_MIB],
  ]
    .flat()
    .map(String);
}
