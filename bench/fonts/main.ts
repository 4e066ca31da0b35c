/**
 * npm run bench:fonts -- PAIRS_DIR [FONT_FILE]...: how near fonts come to Word's. Compares the fonts in each
 * `word.pdf` with the files, or with the stand-ins and all fonts of the machine, and prints the nearest for each.
 * `off by` is defined in docker/fonts/stand-ins.md. `*` marks the table's stand-in. Exit code 2 for a wrong command
 * line.
 */
import { readdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readFontTable } from '../../scripts/fonts/table.mjs';
import { runTool } from '../../src/cli/compare/tools.ts';
import { findPairs } from '../fidelity/pairs.ts';
import { type Candidate, candidatesOf } from './candidates.ts';
import { type Nearness, nearness } from './nearness.ts';
import { type ShownFont, shownFonts } from './shown-fonts.ts';

/** Fewer are not significant. */
const MIN_CHARACTERS = 10;
const SHOWN = 5;
const MADE = fileURLToPath(new URL('../../dist.fonts/made', import.meta.url));

interface Row {
  readonly candidate: Candidate;
  readonly near: Nearness;
}

async function main(): Promise<void> {
  const [folder, ...files] = process.argv.slice(2);
  if (!folder || folder.startsWith('-'))
    throw new Error('Usage: npm run bench:fonts -- PAIRS_DIR [FONT_FILE]...');
  const candidates = new Map<string, Candidate>();
  for (const file of files.length > 0 ? files : await allFonts()) {
    for (const candidate of await candidatesOf(file)) candidates.set(candidate.name, candidate);
  }
  const pairs = await findPairs(resolve(folder));
  for (const font of await shownFonts(pairs.map(({ pdf }) => pdf))) {
    if (font.advances.size >= MIN_CHARACTERS) console.log(`${report(font, [...candidates.values()])}\n`);
  }
}

async function allFonts(): Promise<string[]> {
  const listed = (await runTool('fc-list', ['--format', '%{file}\n'])).trim().split('\n');
  const made = (await readdir(MADE)).map((name) => join(MADE, name));
  return [...new Set([...listed, ...made])].sort();
}

function report(font: ShownFont, candidates: readonly Candidate[]): string {
  const standIn = standInFor(font.name);
  const rows = candidates
    .flatMap((candidate): Row[] => {
      const near = nearness(font, candidate);
      return near ? [{ candidate, near }] : [];
    })
    .sort((one, other) => one.near.scaledOffBy - other.near.scaledOffBy)
    .filter(({ candidate }, index) => index < SHOWN || candidate.family === standIn);
  return [
    `${font.name}: ${font.advances.size} characters, line ${font.line?.toFixed(3) ?? '–'}`,
    ...rows.map(({ candidate, near }) =>
      [
        candidate.family === standIn ? ' *' : '  ',
        candidate.name.padEnd(32),
        `off by ${percent(near.offBy)}`,
        `(${near.characters})`.padEnd(6),
        `in size ${near.scale.toFixed(3)} ${percent(near.scaledOffBy)}`,
        `line ${candidate.line.toFixed(3)}`,
      ].join('  '),
    ),
  ].join('\n');
}

const percent = (share: number): string => `${(100 * share).toFixed(1).padStart(5)} %`;

/** @param name PostScript name: `MS-Gothic`, `Calibri-Bold`, `TimesNewRomanPS-BoldMT` */
function standInFor(name: string): string | undefined {
  const plain = (text: string) => text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');
  const family = plain(name.replace(/(?:PS)?[-,]?(?:Bold|Italic|Regular|BoldItalic)?(?:MT)?$/, ''));
  return readFontTable().standIns.find(({ word }) => word.some((each) => plain(each) === family))?.use;
}

try {
  await main();
} catch (error) {
  console.error((error as Error).message);
  process.exitCode = 2;
}
