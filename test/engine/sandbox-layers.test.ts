/**
 * The sandbox, tested from inside: a child tries what a compromised child would try, in the whole sandbox, in each
 * layer alone, and without any, which shows that the attempts are real.
 */
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdir, readdir, readFile, rename, writeFile } from 'node:fs/promises';
import { createServer as createTcpServer, type Server } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import t, { type Test } from 'tap';
import { BITMAP_NAME, INPUT_NAME, OUTPUT_NAME, UNFINISHED_NAME } from '../../src/engine/engine.ts';
import { childrenOf, createJob, never, startKit, temporaryFolder } from '../support/kit.ts';
import { allLayers, buildOpenKit, layers } from '../support/kit-build.ts';
import { until } from '../support/until.ts';

const { seccomp, files, network, scope } = layers;
const run = promisify(execFile);
/** Several of the kit's checks of its children. */
const LOOKS_MS = 200;
/** Half a second in USER_HZ. */
const HEAD_START_TICKS = 50;

/** The longest that unix(7) allows, after its NUL; Node 20.19 and 20.20 handle shorter ones differently. */
const ABSTRACT_NAME_LENGTH = 107;

interface Attempt {
  readonly line: string;
  /** The layers that refuse it, each alone. */
  readonly refusedBy: number;
  /** A capability, which no child keeps; or rights or kernel features that a test cannot rely on. */
  readonly needs?: 'capability' | 'luck';
}

/** Where the attempts lead. */
interface World {
  readonly port: number;
  readonly abstractName: string;
  readonly socketPath: string;
  /** A folder outside of the job's, with `program`, `secret`, `victim` and `folder` in it. */
  readonly outside: string;
  readonly otherJob: string;
  readonly kit: number;
  /** The kit's idle children: one of them makes the attempts. */
  readonly children: readonly number[];
}

/** Locks of fcntl(2): to take one, and to see who has one. */
const recordLocks = ['F_SETLK', 'F_SETLKW', 'F_GETLK', 'F_OFD_SETLK', 'F_OFD_SETLKW', 'F_OFD_GETLK'];

const attemptsIn = ({
  port,
  abstractName,
  socketPath,
  outside,
  otherJob,
  kit,
  children,
}: World): readonly Attempt[] => [
  { line: `tcp-connect ${port}`, refusedBy: seccomp | network },
  { line: 'tcp-bind', refusedBy: seccomp | network },
  { line: `udp-send ${port}`, refusedBy: seccomp },
  { line: `abstract-connect ${abstractName}`, refusedBy: seccomp | scope },
  { line: `path-connect ${socketPath}`, refusedBy: seccomp },
  { line: `path-bind ${outside}/socket`, refusedBy: seccomp | files },
  { line: 'path-bind socket', refusedBy: seccomp | files },
  { line: 'netlink', refusedBy: seccomp },
  { line: 'socket-pair', refusedBy: seccomp },
  { line: `execute ${outside}/program`, refusedBy: seccomp | files },
  { line: 'fork', refusedBy: seccomp },
  { line: 'clone-by-struct', refusedBy: seccomp },
  { line: 'read /etc/passwd', refusedBy: files },
  { line: `read ${outside}/secret`, refusedBy: files },
  { line: `read ${otherJob}/input.docx`, refusedBy: files },
  { line: `read /proc/${kit}/cmdline`, refusedBy: files },
  { line: 'read /proc/self/maps', refusedBy: files },
  { line: 'list /', refusedBy: files },
  { line: 'list ../..', refusedBy: files },
  { line: `list ${outside}`, refusedBy: files },
  { line: 'list /proc', refusedBy: files },
  { line: `write ${outside}/victim`, refusedBy: files },
  { line: `truncate ${outside}/victim`, refusedBy: seccomp | files },
  { line: `empty ${outside}/victim`, refusedBy: seccomp | files },
  { line: `create ${outside}/created`, refusedBy: files },
  { line: `create-folder ${outside}/created-folder`, refusedBy: files },
  { line: `remove ${outside}/removable`, refusedBy: files },
  { line: `move-out ${outside}/moved`, refusedBy: files },
  { line: `symbolic-link ${outside}/symbolic`, refusedBy: seccomp | files },
  { line: 'symbolic-link symbolic', refusedBy: seccomp | files },
  { line: `hard-link ${outside}/hard`, refusedBy: seccomp | files },
  { line: 'hard-link hard', refusedBy: seccomp },
  { line: `fifo ${outside}/fifo`, refusedBy: seccomp | files },
  { line: 'fifo fifo', refusedBy: seccomp | files },
  { line: 'device device', refusedBy: seccomp | files, needs: 'capability' },
  { line: `set-user-id ${outside}/victim`, refusedBy: seccomp },
  { line: `change-mode ${outside}/victim`, refusedBy: seccomp },
  { line: 'change-mode .', refusedBy: seccomp },
  { line: 'lock /usr/share/fonts', refusedBy: seccomp },
  ...recordLocks.map((command) => ({ line: `record-lock ${command}`, refusedBy: seccomp })),
  { line: `signal-by-input ${kit}`, refusedBy: seccomp },
  { line: `change-owner ${outside}/victim`, refusedBy: seccomp },
  { line: `mount ${outside}/folder`, refusedBy: seccomp | files, needs: 'capability' },
  { line: `signal ${kit}`, refusedBy: seccomp | scope },
  ...children.map((child) => ({ line: `signal ${child}`, refusedBy: seccomp | scope })),
  { line: `trace ${kit}`, refusedBy: seccomp | files | network | scope, needs: 'luck' },
  { line: `read-memory ${kit}`, refusedBy: seccomp | files | network | scope, needs: 'luck' },
  { line: `pid-descriptor ${kit}`, refusedBy: seccomp },
  { line: `limit-of ${kit}`, refusedBy: seccomp },
  { line: 'dumpable', refusedBy: seccomp },
  { line: 'other-user', refusedBy: seccomp },
  { line: 'set-limit', refusedBy: seccomp },
  { line: 'new-namespace', refusedBy: seccomp, needs: 'luck' },
  { line: 'thread-in-namespace', refusedBy: seccomp, needs: 'luck' },
  { line: 'new-group', refusedBy: seccomp },
  { line: 'shared-memory', refusedBy: seccomp },
  { line: 'memory-file', refusedBy: seccomp },
  { line: 'key-ring', refusedBy: seccomp },
  { line: 'io-ring', refusedBy: seccomp, needs: 'luck' },
  { line: 'performance', refusedBy: seccomp, needs: 'luck' },
  { line: 'user-faults', refusedBy: seccomp, needs: 'luck' },
  { line: 'watch-files', refusedBy: seccomp },
  // Last, because after a success the other paths lead elsewhere.
  { line: `change-root ${outside}`, refusedBy: seccomp, needs: 'luck' },
];

/** What a conversion needs, whatever the layers. */
const allowed = ['thread', 'create inside', 'create-folder inside-folder', 'write inside', 'remove inside'];

/** Errors of the sandbox: EXDEV is Landlock's for a move between folders, ENOSYS makes glibc fall back to clone. */
const refusals = ['EPERM', 'EACCES', 'ENOSYS', 'EXDEV'];

const { program } = await buildOpenKit(await temporaryFolder(t), 'probe');

async function world(t: Test, kit: number, children: readonly number[], folder: string): Promise<World> {
  const outside = await temporaryFolder(t);
  for (const name of ['secret', 'victim', 'removable']) await writeFile(join(outside, name), 'untouched');
  await writeFile(join(outside, 'program'), 'no program');
  await chmod(join(outside, 'program'), 0o755);
  await mkdir(join(outside, 'folder'));
  const socketPath = join(outside, 'listener');
  const abstractName = `platen-test-${process.pid}-${kit}`.padEnd(ABSTRACT_NAME_LENGTH, '-');
  const tcp = await listen(t, { host: '127.0.0.1', port: 0 });
  await listen(t, { path: socketPath });
  await listen(t, { path: `\0${abstractName}` });
  const address = tcp.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  const other = await createJob(folder, Buffer.from('of another customer'));
  return { port: address.port, abstractName, socketPath, outside, otherJob: other.folder, kit, children };
}

async function listen(t: Test, where: { host: string; port: number } | { path: string }): Promise<Server> {
  const server = createTcpServer((socket) => socket.destroy()).listen(where);
  await once(server, 'listening');
  t.teardown(() => server.close());
  return server;
}

t.test('what the sandbox allows is bounded all the same', async (t) => {
  const binary = await program(allLayers);
  const { engine, folder } = await startKit(t, {
    binary,
    workers: 1,
    jobMemoryBytes: 256 * 1_048_576,
  });
  const kit = engine.status().pid;
  const convert = async (line: string) =>
    engine.convert(await createJob(folder, Buffer.from(`${line}\n`)), never());
  const overBudget = { code: 'CONVERSION_FAILED', cause: 'the document used up its memory budget' };

  await t.rejects(convert('threads 1000'), overBudget, 'threads');
  await t.resolves(convert('boast'), 'figures that nobody can have');
  await t.resolves(convert('read /dev/urandom'), 'the next document');
  t.equal(engine.status().pid, kit, 'the kit has noticed nothing');
  const crashed = { code: 'CONVERSION_FAILED', cause: 'the child crashed (9)' };
  await t.rejects(convert('hide-memory 512'), crashed, 'memory of a child whose first thread has ended');

  const hasty = await startKit(t, { binary, workers: 1, jobCpuMs: 1_000 });
  const job = await createJob(hasty.folder, Buffer.from('use-time\n'));
  const overTime = { code: 'CONVERSION_FAILED', cause: 'the document used up its cpu budget' };
  await t.rejects(hasty.engine.convert(job, never()), overTime, 'CPU time, whatever it does with the signal');
});

/** Fields of proc_pid_stat(5), from the third on. */
async function statistics(pid: number): Promise<string[]> {
  return (await readFile(`/proc/${pid}/stat`, 'latin1')).replace(/^.*\) /s, '').split(' ');
}

/** Whether the first thread of a process has ended, and others have not. */
async function hasNoFirstThread(pid: number): Promise<boolean> {
  const fields = await statistics(pid);
  return fields[0] === 'Z' && Number(fields[17]) > 1;
}

t.test('a killed child is not reported as crashed, however slowly it dies', async (t) => {
  const { engine, folder, log } = await startKit(t, { binary: await program(allLayers), workers: 2 });
  const [processor = '0'] =
    /(?<=^Cpus_allowed_list:\s*)\d+/m.exec(await readFile('/proc/self/status', 'utf8')) ?? [];

  /** A job whose threads are busy on the one processor. */
  async function busyJob(count: number) {
    const gone = new AbortController();
    const started = log.next('child started');
    const job = await createJob(folder, Buffer.from(`busy-threads ${count}\n`));
    const ended = t.rejects(engine.convert(job, gone.signal), { message: 'enough' });
    const child = Number((await started).child);
    const others = async () => (await readdir(`/proc/${child}/task`)).filter((id) => Number(id) !== child);
    await until('its threads are there', async () => (await others()).length === count);
    const threads = await others();
    for (const id of threads) await run('taskset', ['--cpu-list', '--pid', processor, id]);
    const end = () => {
      gone.abort(new Error('enough'));
      return ended;
    };
    return { child, threads, end };
  }

  // A job with precedence keeps the threads of the other from their processor, so they do not die at once.
  const slow = await busyJob(6);
  for (const id of slow.threads) await run('chrt', ['--idle', '--pid', '0', id]);
  const first = await busyJob(3);
  const hasRun = async () => Number((await statistics(first.child))[11]) >= HEAD_START_TICKS;
  await until('it has gone first for a while', hasRun);
  const [crashed, killed] = ['the child crashed', 'something outside the service killed the child'];
  process.kill(slow.child, 'SIGKILL');
  await until('its first thread has ended', () => hasNoFirstThread(slow.child));
  const since = performance.now();
  await until('the kit has looked', () => performance.now() - since > LOOKS_MS);
  await first.end();
  await until('it is dead', () => log.count(killed) + log.count(crashed) > 0);
  t.equal(log.count(crashed), 0);
  await slow.end();
});

t.test('the sandbox', async (t) => {
  /** The results of the lines, tried in this order in one child, which may have become a program. */
  async function attempt(
    t: Test,
    set: number,
    isProgram: boolean,
    linesIn: (world: World) => readonly string[],
  ) {
    const { engine, folder, log } = await startKit(t, { binary: await program(set), workers: 2 });
    await until('there are two children', () => engine.status().children.idle === 2);
    const kit = Number(engine.status().pid);
    const lines = linesIn(await world(t, kit, await childrenOf(kit), folder));
    const started = log.next('child started');
    const job = await createJob(folder, Buffer.from(`${lines.join('\n')}\n`));
    if (isProgram) {
      await rename(join(job.folder, INPUT_NAME), join(job.folder, UNFINISHED_NAME));
      await engine.draw({ ...job, page: 1, width: 1, height: 1, background: 'white' }, never());
    } else await engine.convert(job, never());
    const output = join(job.folder, isProgram ? BITMAP_NAME : OUTPUT_NAME);
    const told = (await readFile(output, 'utf8')).trimEnd().split('\n');
    t.equal(told.length, lines.length, 'each attempt was made');
    const outcomes = told.map((line) => line.slice(line.lastIndexOf(': ') + 2));
    return { outcomes, sandbox: engine.status().sandbox, self: Number((await started).child) };
  }

  const sandboxes = [
    ['whole', allLayers],
    ['seccomp alone', seccomp],
    ['Landlock for files alone', files],
    ['Landlock for the network alone', network],
    ['Landlock for signals and abstract sockets alone', scope],
    ['open', 0],
  ] as const;

  const children = [
    ['a child', false],
    ['a child that became a program', true],
  ] as const;
  for (const [name, set, who, isProgram] of sandboxes.flatMap((sandbox) =>
    children.map((child) => [...sandbox, ...child] as const),
  )) {
    t.test(`${name}: ${who}`, async (t) => {
      let attempts: readonly Attempt[] = [];
      const {
        outcomes: [descriptors, ...outcomes],
        sandbox,
        self,
      } = await attempt(t, set, isProgram, (world) => {
        attempts = attemptsIn(world);
        return ['shared-descriptors', ...attempts.map(({ line }) => line), ...allowed];
      });
      t.same(
        sandbox.map(({ active }) => active),
        [seccomp, files, network, scope].map((layer) => (set & layer) !== 0),
        'the kit says which layers there are',
      );
      t.equal(descriptors, 'ENOENT', 'no descriptor leads to another process');
      for (const [i, { line, refusedBy, needs }] of attempts.entries()) {
        const outcome = outcomes[i] ?? '';
        if (line === `signal ${self}`) continue;
        // A filter does not know which program it is.
        const refusing = isProgram && line.startsWith('execute ') ? files : refusedBy;
        if ((set & refusing) !== 0 || needs === 'capability')
          t.ok(refusals.includes(outcome), `${line} is refused: ${outcome}`);
        else if (needs === undefined) t.equal(outcome, 'done', `${line} is possible`);
      }
      for (const [i, line] of allowed.entries()) {
        t.equal(outcomes[attempts.length + i], 'done', `${line} is possible`);
      }
    });
  }
});
