/**
 * Processes or worker threads for reading documents? Compares the time of a task without work, and whether the one that runs out of
 * memory takes the server with it.
 *
 *   npm run bench:readers
 */
import { fork, spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { median, round } from './statistics.ts';

const ROUNDS = 5_000;
/** About what V8 needs to optimise the code. */
const WARM_UPS = 1_000;
const HEAP_MB = 128;
const PROCESS = 'process';
/** As large as what is known of a document. */
const FACTS = Buffer.alloc(16_384, 7);
const ORDER = { name: 'inspect', input: { path: '/dev/shm/platen/upload', layout: 'auto' } };

/** What fills the heap, and how. */
const fillers: Readonly<Record<string, () => void>> = {
  'many small objects': () => {
    for (const kept: object[] = []; ; ) kept.push({ text: `text ${kept.length}` });
  },
  'an array that grows': () => {
    for (const kept: number[] = []; ; ) kept.push(kept.length * 1.5);
  },
  'a map that grows': () => {
    for (const kept = new Map<number, number>(); ; ) kept.set(kept.size, 1);
  },
  'the matches of an expression': () => {
    'ab '.repeat(50_000_000).match(/\w+/g);
  },
};

/** Median milliseconds of an answer. */
async function answerTime(send: (order: unknown, onAnswer: () => void) => void): Promise<number> {
  const times: number[] = [];
  for (let n = -WARM_UPS; n < ROUNDS; n++) {
    const start = performance.now();
    await new Promise<void>((resolve) => send(ORDER, resolve));
    if (n >= 0) times.push(performance.now() - start);
  }
  return round(median(times));
}

async function compareAnswers(program: string): Promise<void> {
  const child = fork(program, [PROCESS], { serialization: 'advanced' });
  const ofProcess = await answerTime((order, onAnswer) => {
    child.once('message', onAnswer);
    child.send(order as object);
  });
  child.kill();
  const echo = `const { parentPort } = require('node:worker_threads');
    parentPort.on('message', () => parentPort.postMessage({ result: Buffer.alloc(${FACTS.length}) }));`;
  const thread = new Worker(echo, { eval: true });
  const ofThread = await answerTime((order, onAnswer) => {
    thread.once('message', onAnswer);
    thread.postMessage(order);
  });
  await thread.terminate();
  console.table({ 'a process': { 'ms an answer': ofProcess }, 'a thread': { 'ms an answer': ofThread } });
}

/** How a server ends whose thread fills its heap. */
function compareEnds(program: string): void {
  const ends = Object.keys(fillers).map((filler) => {
    const { status, signal } = spawnSync(process.execPath, [...process.execArgv, program, filler], {
      stdio: 'ignore',
    });
    return [filler, { 'the server': status === 0 ? 'goes on' : `ends by ${signal ?? status}` }] as const;
  });
  console.table(Object.fromEntries(ends));
}

/** A server, whose thread fills its heap. */
async function serve(filler: string): Promise<void> {
  const limits = { maxOldGenerationSizeMb: HEAP_MB };
  const thread = new Worker(`(${fillers[filler]})()`, { eval: true, resourceLimits: limits });
  await new Promise((resolve) => thread.on('error', () => {}).once('exit', resolve));
}

const program = fileURLToPath(import.meta.url);
const argument = process.argv[2];
if (argument === PROCESS) {
  process.on('message', () => process.send?.({ result: FACTS }));
} else if (argument !== undefined) {
  await serve(argument);
} else {
  await compareAnswers(program);
  compareEnds(program);
}
