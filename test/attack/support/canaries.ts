/** Files and words that must never turn up in a PDF. */
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { deflateSync } from 'node:zlib';
import { attackDocx, paragraph, text } from './docx.ts';
import { png } from './images.ts';

/** A word that no document contains: it is only in canary files. */
export const FILE_CANARY = 'CANARYzq7filezq7';
/** The same of the environment. */
export const ENVIRONMENT_CANARY = 'CANARYzq7environmentzq7';
/** The colour of every canary picture, red, green and blue; no document of ours has it. */
export const CANARY_COLOUR = [214, 3, 137] as const;

/** The picture that listeners serve and canary folders hold: one colour, so that scaling does not hide it. */
export const canaryPng: Buffer = png(48, 48, CANARY_COLOUR);

const [red, green, blue] = CANARY_COLOUR;
const canarySvg = `<svg xmlns="http://www.w3.org/2000/svg" width="48" height="48"><rect id="a" width="48" height="48" fill="rgb(${red},${green},${blue})"/></svg>`;

/** Everything a canary folder holds, by name. */
export const canaryFiles: Readonly<Record<string, Buffer | string>> = {
  'canary.png': canaryPng,
  'canary.svg': canarySvg,
  'canary.svgz': deflateSync(canarySvg),
  'canary.txt': FILE_CANARY,
  'canary.csv': `${FILE_CANARY};1\n`,
  'canary.html': `<html><body>${FILE_CANARY}</body></html>`,
  'canary.docx': attackDocx({ body: paragraph(text(FILE_CANARY)) }),
};

/** Puts the canaries, and nothing else, into a folder. */
export async function plantCanaries(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  for (const [name, data] of Object.entries(canaryFiles)) await writeFile(join(folder, name), data);
}

/** What is no longer in a canary folder as it was planted, or is new there; none is good. */
export async function changesIn(folder: string): Promise<string[]> {
  const names = new Set([...Object.keys(canaryFiles), ...(await readdir(folder))]);
  const changed: string[] = [];
  for (const name of names) {
    const now = await readFile(join(folder, name)).catch(() => undefined);
    if (!now?.equals(Buffer.from((canaryFiles[name] ?? '\0') as string))) changed.push(name);
  }
  return changed;
}
