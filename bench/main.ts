/**
 * npm run bench: converts the same documents by (a) the service over HTTP, (b) libreoffice-convert, (c) warm soffices
 * over UNO and (d) loops in warm LibreOffices without a fork, in one run on one machine, one by one and in parallel.
 * Then measures the rest of a conversion: CPU time by process, accounting (admission, settlement), the verdict about a
 * PDF/A and PDF/UA, pictures and combined PDFs, the child's sandbox, memory, start, and the death of a kit. The ways
 * take turns, round by round, so that a drifting machine speed affects all. Prints Markdown, writes
 * bench/results/latest.json, and draws docs/images/throughput.svg. ROUNDS (default 8) makes it longer.
 */
import { mkdir, writeFile } from 'node:fs/promises';
import { cpus } from 'node:os';
import { fileURLToPath } from 'node:url';
import { measureAccounting } from './accounting.ts';
import { measureCpu } from './cpu.ts';
import { benchDocuments, manyPages, onePage } from './documents.ts';
import { levelsOf } from './levels.ts';
import { type LineConverter, startAll } from './line-converter.ts';
import { startLoop } from './loop.ts';
import { type DocumentResult, measure } from './measure.ts';
import { measureMemory } from './memory.ts';
import { measureOutputs } from './outputs.ts';
import { plot } from './plot.ts';
import { measureRecovery } from './recovery.ts';
import { panels, type Results, report } from './report.ts';
import { measureSandboxCost } from './sandbox-cost.ts';
import { BenchService } from './service.ts';
import { measureStart } from './start.ts';
import { measureVerdicts } from './verdict-cost.ts';
import { startWarmSoffice } from './warm-soffice.ts';

const ROUNDS = Number(process.env.ROUNDS ?? 8);
const CPU_DOCUMENTS = 400;
const ACCOUNTED = 500;
const SANDBOXED = 150;
const LOOKED_AT = 15;
const STARTS = 5;
const DEATHS = 5;
const CHECKED = 20;
const OUTPUTS = 20;

const cores = cpus().length;
const levels = levelsOf(cores);
const service = await BenchService.start();
try {
  const documents = await measureDocuments();
  const results: Results = {
    machine: { cores, model: cpus()[0]?.model ?? 'unknown', node: process.version },
    libreOffice: service.libreOffice,
    rounds: ROUNDS,
    levels,
    documents,
    memory: await measureMemory(service, onePage(), LOOKED_AT),
    cpu: await measureCpu(onePage(), cores, CPU_DOCUMENTS),
    accounting: await measureAccounting(ACCOUNTED),
    verdicts: await measureVerdicts(service, [onePage().content, manyPages(400)], CHECKED),
    outputs: await measureOutputs(service, cores, OUTPUTS),
    sandbox: await measureSandboxCost(onePage(), SANDBOXED),
    start: await measureStart(STARTS),
    recovery: await measureRecovery(onePage(), cores, DEATHS),
  };
  const folder = fileURLToPath(new URL('results/', import.meta.url));
  await mkdir(folder, { recursive: true });
  await writeFile(`${folder}latest.json`, `${JSON.stringify(results, null, 2)}\n`);
  const image = fileURLToPath(new URL('../docs/images/throughput.svg', import.meta.url));
  const title = 'Throughput and time of a document against documents at a time';
  await writeFile(image, plot(title, 'documents at a time', panels(results)));
  console.log(report(results));
} finally {
  await service.stop();
}

/** The competitors end here, so that only the service runs afterwards. */
async function measureDocuments(): Promise<DocumentResult[]> {
  const started: LineConverter[] = [];
  const onEachCore = async (start: () => Promise<LineConverter>) => {
    const converters = await startAll(cores, start);
    started.push(...converters);
    return converters;
  };
  try {
    const ways = {
      service,
      loops: await onEachCore(startLoop),
      unoservers: await onEachCore(() => startWarmSoffice('unoserver')),
      soffices: await onEachCore(() => startWarmSoffice('fewest')),
    };
    const results: DocumentResult[] = [];
    for (const document of benchDocuments()) {
      results.push(await measure(document, ways, levels, ROUNDS));
    }
    return results;
  } finally {
    await Promise.all(started.map((converter) => converter.stop()));
  }
}
