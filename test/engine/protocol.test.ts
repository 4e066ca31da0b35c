import { createHash } from 'node:crypto';
import t from 'tap';
import {
  decode,
  encode,
  LineReader,
  MAX_LINE,
  type Message,
  ProtocolError,
} from '../../src/engine/protocol.ts';

const task = { verb: 'convert', id: 'a', folder: '/jobs', cpuMs: 1_000 } as const;
const longestId = 'x'.repeat(64);

t.test('requests are encoded as one line', async (t) => {
  t.equal(encode({ ...task, id: 'a-B_9', folder: '/jobs/1' }), 'convert a-B_9 1 normal - /jobs/1\n');
  t.equal(encode({ ...task, folder: '/with space/é' }), 'convert a 1 normal - /with space/é\n');
  t.equal(encode({ ...task, isPatient: true }), 'convert a 1 idle - /jobs\n');
  for (const [cpuMs, seconds] of [
    [60_000, 60],
    [59_001, 60],
    [1, 1],
    // For a job whose first attempt took all: the kernel treats 0 as 1, too.
    [0, 1],
    [-5, 1],
  ]) {
    t.equal(encode({ ...task, cpuMs: Number(cpuMs) }), `convert a ${seconds} normal - /jobs\n`);
  }
  const acme = createHash('sha256').update('acme').digest('hex');
  t.equal(encode({ ...task, owner: 'acme' }), `convert a 1 normal ${acme} /jobs\n`);
  t.equal(encode({ verb: 'release', folder: '/with space/é' }), 'release /with space/é\n');
  t.equal(encode({ verb: 'cancel', id: longestId }), `cancel ${longestId}\n`);
  t.equal(encode({ verb: 'ping', number: 7 }), 'ping 7\n');
});

t.test('requests that the kit would not understand are not encoded', async (t) => {
  const badIds = ['', 'a b', 'a\n', 'a/b', 'é', `${longestId}x`];
  for (const id of badIds) {
    t.throws(() => encode({ verb: 'cancel', id }), ProtocolError, `cancel ${JSON.stringify(id)}`);
    t.throws(() => encode({ ...task, id }), ProtocolError, JSON.stringify(id));
  }
  for (const cpuMs of [Number.NaN, Number.POSITIVE_INFINITY]) {
    t.throws(() => encode({ ...task, cpuMs }), ProtocolError, `${cpuMs} ms`);
  }
  for (const number of [-1, 1.5, Number.NaN, 1e21]) {
    t.throws(() => encode({ verb: 'ping', number }), ProtocolError, `ping ${number}`);
  }
  for (const folder of ['', 'jobs', './jobs', '/a\nconvert b /c', '/a\0b']) {
    t.throws(() => encode({ ...task, folder }), ProtocolError, JSON.stringify(folder));
    t.throws(() => encode({ verb: 'release', folder }), ProtocolError, `release ${JSON.stringify(folder)}`);
  }
});

t.test('the length of a request is counted in bytes', async (t) => {
  const withoutFolder = Buffer.byteLength('convert a 1 normal - /\n');
  const fits = `/${'x'.repeat(MAX_LINE - withoutFolder)}`;
  t.equal(Buffer.byteLength(encode({ ...task, folder: fits })), MAX_LINE);
  t.throws(() => encode({ ...task, folder: `${fits}x` }), ProtocolError);
  t.throws(() => encode({ ...task, folder: `/${'é'.repeat(MAX_LINE / 2)}` }), ProtocolError);
});

t.test('every message of the kit is decoded', async (t) => {
  const cases: readonly (readonly [string, Message])[] = [
    ['lost 11', { verb: 'lost', signal: 11 }],
    [
      'ready 1 42 15 3 { "ProductName": "LibreOffice", "ProductVersion": "25.2", "ProductExtension": ".3.2" }',
      { verb: 'ready', protocol: 1, pid: 42, layers: 15, mends: 3, libreOffice: '25.2.3.2' },
    ],
    [
      'ready 2 42 3 0 {"ProductVersion":"26.8"}',
      { verb: 'ready', protocol: 2, pid: 42, layers: 3, mends: 0, libreOffice: '26.8' },
    ],
    ['started a 43', { verb: 'started', id: 'a', pid: 43 }],
    ['pong 7 2', { verb: 'pong', number: 7, idleChildren: 2 }],
    ['refused a busy', { verb: 'refused', id: 'a', reason: 'busy' }],
    ['fault a sentence of words', { verb: 'fault', text: 'a sentence of words' }],
    ['fault ', { verb: 'fault', text: '' }],
  ];
  for (const [line, message] of cases) t.same(decode(line), message, line);
});

t.test('every outcome is decoded', async (t) => {
  const outcomes = [
    ...[
      'converted',
      'unloadable',
      'unexportable',
      'failed',
      'crashed',
      'killed',
      'cancelled',
      'memory',
      'cpu',
      'file',
      'disk',
    ],
  ] as const;
  for (const outcome of outcomes) {
    t.same(
      decode(`finished ${longestId} ${outcome} 11 2 3 4`),
      { verb: 'finished', id: longestId, outcome, detail: 11, pages: 2, peakBytes: 3 * 1024, cpuMs: 4 },
      outcome,
    );
  }
});

t.test('lines that the kit never sends are rejected', async (t) => {
  const lines = [
    '',
    ' ',
    'hello',
    'READY 1 42 {"ProductVersion":"25.2"}',
    'ready',
    'ready 1 42',
    'ready 1 42 {"ProductVersion":"25.2"}',
    'ready 1 42 15 {"ProductVersion":"25.2"}',
    'ready 1 42 15 3 nonsense',
    'ready 1 42 15 3 null',
    'ready 1 42 15 3 "25.2"',
    'ready 1 42 15 3 {"ProductVersion":25.2}',
    'ready one 42 15 3 {"ProductVersion":"25.2"}',
    'ready 1 -42 15 3 {"ProductVersion":"25.2"}',
    'started',
    'started a',
    'started a 1 2',
    'started a 0x10',
    'started a 1e3',
    'started  1',
    'started é 1',
    `started ${longestId}x 1`,
    'finished a converted 0 1 1',
    'finished a converted 0 1 1 1 1',
    'finished a unknown 0 1 1 1',
    'finished a toString 0 1 1 1',
    'finished a converted -1 1 1 1',
    'finished a converted 0 1.5 1 1',
    'finished a converted 0 1 1 9999999999999999',
    'finished a converted 0 1 1 1\r',
    'pong',
    'pong 1',
    'pong 1 2 3',
    'pong one 2',
    'pong 1 -2',
    'refused a',
    'refused a two words',
    'cancel a',
  ];
  for (const line of lines) t.throws(() => decode(line), ProtocolError, JSON.stringify(line));
});

t.test('lines are reassembled, however the stream is split', async (t) => {
  const text = 'started a 1\n\nfault two words\n';
  const expected = ['started a 1', '', 'fault two words'];
  for (let size = 1; size <= text.length; size++) {
    const reader = new LineReader();
    const lines: string[] = [];
    for (let at = 0; at < text.length; at += size) lines.push(...reader.push(text.slice(at, at + size)));
    t.same(lines, expected, `in pieces of ${size}`);
  }
});

t.test('a line is incomplete until its newline', async (t) => {
  const reader = new LineReader();
  t.same(reader.push('started a 1'), []);
  t.same(reader.push('2\n'), ['started a 12']);
});

t.test('a line that grows over the limit is rejected before it ends', async (t) => {
  const reader = new LineReader();
  t.same(reader.push('x'.repeat(MAX_LINE)), []);
  t.throws(() => reader.push('x'), ProtocolError);
  t.same(new LineReader().push(`${'x'.repeat(MAX_LINE)}\n`), ['x'.repeat(MAX_LINE)]);
  t.throws(() => new LineReader().push(`${'x'.repeat(MAX_LINE + 1)}\n`), ProtocolError);
});
