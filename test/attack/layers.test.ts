/**
 * Each layer of defence that claims to stop a document, with the others off; and the documents with all of them off,
 * which shows that the attacks are real and that we would see them.
 *
 * It imports from src/, as only readers.test.ts does beside it: only the engine itself can be given other layers.
 */
import { execFile } from 'node:child_process';
import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import t, { type Test } from 'tap';
import { readOnlyConfigurationLayers } from '../../src/engine/libreoffice.ts';
import { kitFiles } from '../../src/paths.ts';
import { openPreflight } from '../convert/support/preflight.ts';
import { docx } from '../support/documents.ts';
import { createJob, never, startKit, temporaryFolder } from '../support/kit.ts';
import { allLayers, buildOpenKit, layers } from '../support/kit-build.ts';
import { cases } from './support/all-cases.ts';
import { changesIn, ENVIRONMENT_CANARY, plantCanaries } from './support/canaries.ts';
import type { Case, Layer, Targets } from './support/case.ts';
import { basicOdt } from './support/cases/macros.ts';
import { canariesIn } from './support/inspect.ts';
import { Listeners } from './support/listeners.ts';
import { JAVA, settingsIn, tellingMacro, toldSettings } from './support/settings.ts';

const run = promisify(execFile);

/** Far beyond what any of them takes. */
const TIMEOUT_MS = 20_000;

type EngineLayer = Exclude<Layer, 'preflight'>;

/**
 * With all layers off these must succeed: one for each kind of detector. LibreOffice up to 26.2 loads
 * what a document links to, and runs programs for a macro. 26.8 does neither, but takes in files of other formats that a
 * document has inserted, and loads what those link to.
 */
const proofs = (libreOffice: string | undefined): Readonly<Record<string, RegExp>> => ({
  'a PostScript picture that runs a program': /udp execute .*program-ran/,
  'an OpenDocument text named DOCX whose macro writes a file when it is opened': /^macro-ran$/,
  ...(Number.parseFloat(libreOffice ?? '') < 26.8
    ? {
        'pictures linked over http': /^tcp .* GET .*canary picture$/,
        'pictures linked as files': /canary picture$/,
        'an SVG picture that shows files and addresses': /canary picture$/,
        'pictures linked on a share': /udp open .*share/,
        'an OpenDocument text named DOCX whose macro runs a program when it is opened':
          /udp execute .*macro-ran$/,
      }
    : {
        'an HTML chunk that links over http': /^tcp .* GET .*canary picture$/,
        'an HTML chunk that links to files': /^udp open .*canary picture$/,
        'an RTF chunk': /^udp open .*canary picture$/,
        'an OpenDocument chunk': /^udp open .*canary/,
      }),
});

/**
 * LibreOffice's settings as it is shipped, but that it runs every macro that it is asked to and asks nobody, and locks
 * no file: 25.2 would leave a lock at the warm-up document, which keeps the next kit from opening it.
 */
const NO_PROFILE = `<?xml version="1.0" encoding="UTF-8"?>
<oor:items xmlns:oor="http://openoffice.org/2001/registry">
<item oor:path="/org.openoffice.Office.Common/Security/Scripting"><prop oor:name="MacroSecurityLevel" oor:op="fuse"><value>0</value></prop></item>
<item oor:path="/org.openoffice.Office.Common/Misc"><prop oor:name="UseLocking" oor:op="fuse"><value>false</value></prop></item>
</oor:items>
`;

t.test('layers', async (t) => {
  const folder = await temporaryFolder(t);
  const listeners = await Listeners.open(t);
  const [plainKit, macroKit] = await Promise.all([
    buildOpenKit(await newFolder(folder, 'plain-kit'), 'libreoffice'),
    buildOpenKit(await newFolder(folder, 'macro-kit'), 'macros'),
  ]);
  const witness = await buildWitness(folder);
  const noProfile = join(folder, 'no-profile.xcu');
  await writeFile(noProfile, NO_PROFILE);
  const canaries = join(folder, 'canaries');
  await plantCanaries(canaries);
  const programs = await fakePrograms(folder, join(canaries, 'program-ran'));
  const targets: Targets = {
    web: listeners.hosts.map((host) => `http://${host}`),
    hosts: listeners.hosts,
    folders: [canaries],
    environments: ['/proc/self/environ'],
  };

  /** What each case reaches with this layer alone. */
  async function reached(t: Test, layer: EngineLayer | undefined, chosen: readonly Case[]) {
    const sandbox = layer === undefined || layer === 'profile' || layer === 'load' ? 0 : layers[layer];
    const { program } = layer === 'load' ? plainKit : macroKit;
    const settings = layer === 'profile' ? kitFiles.settings : noProfile;
    const { engine, folder } = await startKit(t, {
      workers: 1,
      binary: await program(sandbox, {
        CONFIGURATION_LAYERS: await readOnlyConfigurationLayers(settings),
        PLATEN_CANARY: ENVIRONMENT_CANARY,
        PATH: `${programs}:/usr/bin:/bin`,
        // Without a sandbox only: the witness would also report attempts that the sandbox refuses.
        ...(sandbox === 0 && { LD_PRELOAD: witness, WITNESS_PORT: String(listeners.udpPort) }),
      }),
    });
    const active = engine.status().sandbox.filter(({ active }) => active).length;
    const { libreOffice } = engine.status();
    const found = new Map<string, string>();
    for (const { name, build } of chosen) {
      const job = await createJob(folder, build(targets));
      // The result of the conversion does not matter here.
      const converted = await engine.convert(job, AbortSignal.timeout(TIMEOUT_MS)).then(
        () => true,
        () => false,
      );
      const seen = [
        ...(await listeners.contacts()).filter((contact) => !asksForItself(contact)),
        ...(await changesIn(canaries)),
        ...(converted ? await canariesIn(join(job.folder, 'output.pdf')) : []),
      ];
      found.set(name, [...new Set(seen)].join(', '));
      await plantCanaries(canaries);
    }
    await engine.stop();
    return { found, active, libreOffice };
  }

  t.test('none', async (t) => {
    const claimed = cases.filter(({ claims = [] }) => claims.some((layer) => layer !== 'preflight'));
    const { found, libreOffice } = await reached(t, undefined, claimed);
    for (const [name, pattern] of Object.entries(proofs(libreOffice)))
      t.match(found.get(name), pattern, name);
    // Attacks that no longer work in a version of LibreOffice prove nothing, but are no failure.
    for (const [name, seen] of found) if (seen === '') t.comment(`harmless here: ${name}`);
  });

  t.test('every setting of the profile is in force', async (t) => {
    const shipped = await readFile(kitFiles.settings, 'utf8');
    const settings = settingsIn(shipped);
    // A macro tells; that it does not run without this is shown below.
    const open = join(folder, 'open-profile.xcu');
    const macros = /<item [^>]*><prop oor:name="DisableMacrosExecution".*<\/item>/;
    t.match(shipped, macros);
    await writeFile(open, shipped.replace(macros, ''));
    const { engine, folder: own } = await startKit(t, {
      workers: 1,
      // A child of the whole sandbox can read what it must to know the settings, but writes to its own folder only.
      binary: await macroKit.program(allLayers, {
        CONFIGURATION_LAYERS: await readOnlyConfigurationLayers(open),
      }),
    });
    const job = await createJob(own, docx());
    const told = join(job.folder, 'settings');
    await writeFile(join(job.folder, 'input.docx'), basicOdt(tellingMacro(settings, told)));
    await engine.convert(job, never());
    t.strictSame(toldSettings(await readFile(told, 'utf8')), {
      ...settings,
      '/org.openoffice.Office.Common/Security/Scripting DisableMacrosExecution': 'False',
      [JAVA]: 'False',
    });
    await engine.stop();
  });

  t.test('preflight alone', async (t) => {
    const preflight = openPreflight();
    for (const { name, build, outcomes, claims = [] } of cases) {
      if (!claims.includes('preflight')) continue;
      const path = join(folder, 'refused.docx');
      await writeFile(path, build(targets));
      await t.rejects(preflight.check(path), { code: String(outcomes) }, name);
    }
  });

  for (const layer of ['profile', 'load', 'seccomp', 'files', 'network'] as const) {
    t.test(`${layer} alone`, async (t) => {
      const claimed = cases.filter(({ claims = [] }) => claims.includes(layer));
      const { found, active } = await reached(t, layer, claimed);
      if (layer in layers && active === 0) {
        t.comment('this kernel lacks the layer');
        return;
      }
      for (const [name, seen] of found) t.equal(seen, '', name);
    });
  }
});

async function newFolder(parent: string, name: string): Promise<string> {
  const folder = join(parent, name);
  await mkdir(folder);
  return folder;
}

/**
 * A question for this machine's own name (RFC 1035, 4.1.2): LibreOffice 25.2 asks it of a name server where Landlock
 * alone hides /etc/hosts.
 */
function asksForItself(contact: string): boolean {
  const name = hostname().replace(/\..*/, '');
  return contact.startsWith('udp ') && contact.includes(`\0${String.fromCharCode(name.length)}${name}`);
}

/** Compiles the library that reports attempts; see witness.c. */
async function buildWitness(folder: string): Promise<string> {
  const library = join(folder, 'witness.so');
  const source = join(import.meta.dirname, 'support/witness.c');
  await run('gcc', ['-shared', '-fPIC', '-Wall', '-Wextra', '-o', library, source, '-ldl']);
  return library;
}

/** A folder of the programs that LibreOffice lets draw PostScript; each leaves a file when it is run. */
async function fakePrograms(folder: string, mark: string): Promise<string> {
  const programs = join(folder, 'bin');
  await mkdir(programs);
  for (const name of ['pstoedit', 'gs', 'convert']) {
    await writeFile(join(programs, name), `#!/bin/sh\ncat > /dev/null\n: > '${mark}'\n`);
    await chmod(join(programs, name), 0o755);
  }
  return programs;
}
