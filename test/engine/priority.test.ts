/** Children of jobs leave the processors to others, slow ones to quick ones. */
import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { constants } from 'node:os';
import { promisify } from 'node:util';
import t from 'tap';
import { docx, slowDocx } from '../support/documents.ts';
import { childrenOf, createJob, never, startKit } from '../support/kit.ts';
import { until } from '../support/until.ts';

/** SCHED_IDLE of sched(7). */
const IDLE = '5';

/** Fields of proc_pid_stat(5) from the third, behind the name. */
async function statistics(pid: number | 'self') {
  const fields = (await readFile(`/proc/${pid}/stat`, 'utf8')).split(') ')[1]?.split(' ') ?? [];
  const ticks = Number(fields[11]) + Number(fields[12]);
  return { group: fields[2], session: fields[3], niceness: Number(fields[16]), policy: fields[38], ticks };
}

t.test('a patient job gets a new child in the idle class, and leaves the idle ones to others', async (t) => {
  const { engine, folder, log } = await startKit(t, {});
  const idle = await childrenOf(Number(engine.status().pid));
  const enough = new AbortController();
  const start = async (isPatient: boolean) => {
    const started = log.next('child started');
    const ended = engine.convert({ ...(await createJob(folder, slowDocx())), isPatient }, enough.signal);
    return { child: Number((await started).child), ended };
  };
  const patient = await start(true);
  t.notOk(idle.includes(patient.child));
  await until('it is in the idle class', async () => (await statistics(patient.child)).policy === IDLE);
  const other = await start(false);
  t.ok(idle.includes(other.child));
  t.not((await statistics(other.child)).policy, IDLE);
  const ended = Promise.allSettled([patient.ended, other.ended]);
  enough.abort(new Error('enough'));
  t.match(await ended, Array(2).fill({ reason: { message: 'enough' } }));
});

t.test('a patient job takes an idle child where no process can be forked', async (t) => {
  const { engine, folder } = await startKit(t, {});
  const kit = Number(engine.status().pid);
  const idle = await childrenOf(kit);
  // Fewer descriptors than it has open: it gets no channel to another child.
  await promisify(execFile)('prlimit', ['--pid', String(kit), '--nofile=8:']);
  const job = await createJob(folder, docx());
  t.match(await engine.convert({ ...job, isPatient: true }, never()), { pages: 1 });
  await until('its child is gone', async () => (await childrenOf(kit)).length < idle.length);
});

t.test('a child that has used a second of CPU time yields to quicker ones', async (t) => {
  const { engine, folder, log } = await startKit(t, {});
  const enough = new AbortController();
  const started = log.next('child started');
  const ended = engine.convert(await createJob(folder, slowDocx()), enough.signal);
  const child = Number((await started).child);
  t.ok((await statistics(child)).niceness < constants.priority.PRIORITY_LOW);
  await until(
    'it yields',
    async () => (await statistics(child)).niceness === constants.priority.PRIORITY_LOW,
  );
  t.ok((await statistics(child)).ticks >= 100);
  enough.abort(new Error('enough'));
  await t.rejects(ended, { message: 'enough' });
});

t.test(
  'the kit shares the session of Node, so that priorities count, and not its process group',
  async (t) => {
    const { engine } = await startKit(t, {});
    const kit = Number(engine.status().pid);
    const { group, session } = await statistics(kit);
    t.equal(group, String(kit));
    t.equal(session, (await statistics('self')).session);
  },
);
