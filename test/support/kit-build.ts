/** Builds of the kit for tests and the benchmark only. */
import { execFile } from 'node:child_process';
import { chmod, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const run = promisify(execFile);
const source = fileURLToPath(new URL('../../src/kit', import.meta.url));
const probe = (name: string) => relative(source, fileURLToPath(new URL(name, import.meta.url)));

/** The layers of the sandbox (src/kit/sandbox.h). */
export const layers = { seccomp: 1, files: 2, network: 4, scope: 8 } as const;
export const allLayers = 15;

/** A kit whose sandbox can have any set of layers. */
interface OpenKit {
  /**
   * The program of a kit with a set of layers.
   *
   * @param environment variables instead of those that Node gives to the kit.
   */
  program(set: number, environment?: Readonly<Record<string, string>>): Promise<string>;
}

/** Converter of a kit: `macros` is LibreOffice with a load call that asks for macros. */
const offices = {
  libreoffice: { defines: '' },
  macros: { defines: ' -DALLOW_MACROS' },
  probe: { defines: '', source: probe('sandbox-probe.c') },
  memory: { defines: '', source: probe('memory-probe.c') },
} as const;

/**
 * Compiles the kit with a sandbox that can be opened.
 *
 * @param folder for the kit and the scripts that start it; one for each kit.
 * @param office `libreoffice` converts like the real kit; `probe` tests the sandbox instead, see sandbox-probe.c, also where a child
 * would become pdftoppm, and
 * `memory` uses memory, see memory-probe.c.
 * @param optimisation of the compiler; without any, it takes half as long.
 */
export async function buildOpenKit(
  folder: string,
  office: keyof typeof offices,
  optimisation: '-O0' | '-O2' = '-O0',
): Promise<OpenKit> {
  const { defines, ...other } = offices[office];
  // make cannot have spaces in a path, so it gets relative ones.
  const out = relative(source, folder);
  const drawing = join(folder, 'pdftoppm');
  if (office === 'probe') {
    const own = join(source, offices.probe.source);
    await run('gcc', ['-O0', '-std=c11', '-DPROGRAM', '-o', drawing, own]);
  }
  await run('make', [
    '--silent',
    `--directory=${source}`,
    `OUT=${out}`,
    `CFLAGS=${optimisation} -DCHOOSE_LAYERS${defines}${office === 'probe' ? ` -DPICTURE_PROGRAMS='"${drawing}"'` : ''}`,
    ...('source' in other ? [`OFFICE=${other.source}`] : []),
    'kit',
  ]);
  let scripts = 0;
  return {
    async program(set, environment = {}) {
      const script = join(folder, `kit-${++scripts}.sh`);
      const exports = Object.entries(environment).map(([name, value]) => `export ${name}='${value}'\n`);
      const text = `#!/bin/sh\n${exports.join('')}exec '${join(folder, 'platen-kit')}' --layers ${set} "$@"\n`;
      await writeFile(script, text);
      await chmod(script, 0o755);
      return script;
    },
  };
}
