import t from 'tap';
import { checkSandbox, sandboxOf } from '../../src/engine/sandbox.ts';
import { RecordingLog } from '../support/kit.ts';

const lacksLine = 'this system lacks layers of the sandbox';

t.test('a set of layers, as the kit says it', async (t) => {
  t.same(sandboxOf(0b0101), [
    { name: 'seccomp', required: true, active: true },
    { name: 'landlock-files', required: true, active: false },
    { name: 'landlock-network', required: false, active: true },
    { name: 'landlock-scope', required: false, active: false },
  ]);
});

t.test('a complete sandbox logs nothing', async (t) => {
  const { log, lines } = new RecordingLog();
  checkSandbox(sandboxOf(15), 'required', log);
  t.same(lines, []);
});

t.test('a missing layer that only newer kernels have is logged, but not required', async (t) => {
  const { log, lines } = new RecordingLog();
  checkSandbox(sandboxOf(3), 'required', log);
  t.match(lines, [{ message: lacksLine, fields: { lacks: ['landlock-network', 'landlock-scope'] } }]);
});

t.test('without a layer that is required', async (t) => {
  for (const [set, lacks] of [
    [14, ['seccomp']],
    [13, ['landlock-files']],
    [0, ['seccomp', 'landlock-files', 'landlock-network', 'landlock-scope']],
  ] as const) {
    const { log, lines } = new RecordingLog();
    t.throws(() => checkSandbox(sandboxOf(set), 'required', log), {
      name: 'OperatorError',
      message: `SANDBOX=required, but documents would be converted without ${lacks.join(', ')}`,
    });
    checkSandbox(sandboxOf(set), 'available', log);
    t.match(lines, [{ message: lacksLine, fields: { lacks } }], 'is named where it is not required');
  }
});
