/**
 * npm run bench: the same documents through (a) the service over HTTP, (b) libreoffice-convert and (c) a loop
 * in one warm LibreOffice with no fork, all in one run on one machine.
 *
 * Then what is around a conversion: the accounting (admission, journal, settlement), and the cage of the child.
 *
 * The three take turns, round by round, so that a machine whose speed drifts does so for all of them. Prints
 * Markdown and writes bench/results/latest.json. ROUNDS (default 8) makes it longer.
 */
import { mkdir, writeFile } from 'node:fs/promises';
import { cpus } from 'node:os';
import { fileURLToPath } from 'node:url';
import { measureAccounting } from './accounting.ts';
import { measureCage } from './cage.ts';
import { benchDocuments, onePage } from './documents.ts';
import { Loop } from './loop.ts';
import { measure } from './measure.ts';
import { report } from './report.ts';
import { BenchService } from './service.ts';

const ROUNDS = Number(process.env.ROUNDS ?? 8);
const ACCOUNTED = 500;
const CAGED = 150;
const service = await BenchService.start();
try {
  const loop = await Loop.start();
  try {
    const documents = [];
    for (const document of benchDocuments()) documents.push(await measure(document, service, loop, ROUNDS));
    const results = {
      machine: { cores: cpus().length, model: cpus()[0]?.model ?? 'unknown', node: process.version },
      libreOffice: service.libreOffice,
      rounds: ROUNDS,
      documents,
      accounting: await measureAccounting(ACCOUNTED),
      cage: await measureCage(onePage(), CAGED),
      memory: await service.memory(),
    };
    const folder = fileURLToPath(new URL('results/', import.meta.url));
    await mkdir(folder, { recursive: true });
    await writeFile(`${folder}latest.json`, `${JSON.stringify(results, null, 2)}\n`);
    console.log(report(results));
  } finally {
    await loop.stop();
  }
} finally {
  await service.stop();
}
