/** A machine without enough memory for two documents at a time: the kernel's OOM killer kills one. */
import t from 'tap';
import { docx, imageDocx } from '../support/documents.ts';
import { childrenOf, createJob, never, pdfImages, pdfText, startKit } from '../support/kit.ts';
import { limitMemory } from './support/memory-limit.ts';

/** One and a half times what one document needs: too little for two. */
const TOO_SMALL = 1.5;
/** Beside fresh children of the kit, a document needs more than the first one did. */
const LARGE_ENOUGH = 4;
/** Most tries with two at a time: they need not peak at the same moment. */
const ROUNDS = 20;
const KILLED = 'something outside the service killed the child';

t.test('neither of two documents is blamed, and the service is well again by itself', async (t) => {
  const limit = await limitMemory(t);
  const { engine, folder, log } = await startKit(t);
  const kit = Number(engine.status().pid);
  await limit?.add([kit, ...(await childrenOf(kit))]);
  const document = imageDocx(1, 1_200);
  const convert = async () => {
    const job = await createJob(folder, document);
    const { attempts } = await engine.convert(job, never());
    t.equal(await pdfImages(job), 1);
    return attempts;
  };
  t.equal(await convert(), 1);
  const peak = await limit?.peak();
  if (limit && peak) await limit.set(TOO_SMALL * peak);
  if (!limit) {
    t.comment('no control group can be made here: the test is the OOM killer');
    log.on('child started', ({ child }) => process.kill(Number(child), 'SIGKILL'));
  }
  for (let round = 1; round <= ROUNDS && log.count(KILLED) === 0; round++) {
    for (const outcome of await Promise.allSettled([convert(), convert()])) {
      if (outcome.status === 'fulfilled') continue;
      t.match(outcome.reason, { code: 'SERVICE_UNAVAILABLE', reason: 'killed' });
    }
  }
  t.ok(log.count(KILLED) > 0, `${log.count(KILLED)} were killed`);
  t.equal(log.count('the child crashed'), 0, 'none is said to have crashed');
  t.equal(engine.status().pid, kit, 'the kit lives');
  if (!limit || !peak) return;
  await limit.set(LARGE_ENOUGH * peak);
  t.equal(await convert(), 1, 'with memory enough nothing is killed');
  const job = await createJob(folder, docx());
  await engine.convert(job, never());
  t.equal(await pdfText(job), 'Hello from Platen.');
});
