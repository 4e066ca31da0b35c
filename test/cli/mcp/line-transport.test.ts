/** Messages as lines of JSON. */
import { PassThrough } from 'node:stream';
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';
import t from 'tap';
import { LineTransport, MAX_MESSAGE_BYTES, MAX_UNREAD_BYTES } from '../../../src/cli/mcp/line-transport.ts';

async function open() {
  const input = new PassThrough();
  const output = new PassThrough({ encoding: 'utf8' });
  const transport = new LineTransport(input, output);
  const messages: JSONRPCMessage[] = [];
  let closes = 0;
  transport.onmessage = (message) => messages.push(message);
  transport.onclose = () => {
    closes += 1;
  };
  await transport.start();
  const answers = () =>
    String(output.read() ?? '')
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line));
  return { input, output, transport, messages, answers, closes: () => closes };
}

const ping = (id: number | string) => ({ jsonrpc: '2.0', id, method: 'ping' });
const line = (value: unknown) => `${JSON.stringify(value)}\n`;

t.test('each line is a message, however it comes', async (t) => {
  const { input, messages, answers } = await open();
  const text = Buffer.from(`${line(ping('ä'))}\n\r\n${line(ping(2)).trimEnd()}\r\n`);
  for (const byte of text) input.write(Buffer.of(byte));
  input.write(line(ping(3)) + line(ping(4)));
  await new Promise((resolve) => setImmediate(resolve));
  t.strictSame(messages, [ping('ä'), ping(2), ping(3), ping(4)]);
  t.strictSame(answers(), []);
});

t.test('what is no message gets an error, and the next is read', async (t) => {
  const { input, messages, answers } = await open();
  input.write('no JSON\n{"jsonrpc":"2.0",\n');
  input.write(Buffer.of(0xff, 0xfe, 0x0a));
  input.write(
    line(null) + line(7) + line([ping(1)]) + line({ id: 5 }) + line({ ...ping(6), jsonrpc: '1.0' }),
  );
  input.write(line({ ...ping('x'), method: 7 }) + line({ ...ping(1), id: { a: 1 } }) + line(ping(8)));
  await new Promise((resolve) => setImmediate(resolve));
  t.strictSame(messages, [ping(8)]);
  const codes = answers().map(({ jsonrpc, id, error }) => [jsonrpc, id, error.code]);
  t.strictSame(codes, [
    ...[1, 2, 3].map(() => ['2.0', undefined, -32_700]),
    ...[undefined, undefined, undefined, 5, 6, 'x', undefined].map((id) => ['2.0', id, -32_600]),
  ]);
});

t.test('a message that is too long gets an error, is not kept, and the next is read', async (t) => {
  const { input, messages, answers } = await open();
  const filled = (bytes: number) => {
    const empty = line({ ...ping(1), method: '' });
    return line({ ...ping(1), method: 'm'.repeat(bytes + 1 - empty.length) });
  };
  input.write(filled(MAX_MESSAGE_BYTES));
  input.write(filled(MAX_MESSAGE_BYTES + 1));
  for (let piece = 0; piece < 5; piece++) input.write('['.repeat(MAX_MESSAGE_BYTES));
  input.write(`\n${line(ping(2))}`);
  await new Promise((resolve) => setImmediate(resolve));
  t.equal(messages.length, 2);
  t.strictSame(messages[1], ping(2));
  const error = { code: -32_600, message: 'A message has more than 1048576 bytes.' };
  t.strictSame(answers(), [
    { jsonrpc: '2.0', error },
    { jsonrpc: '2.0', error },
  ]);
});

t.test('deep JSON is an error, or a message, but no crash', async (t) => {
  const { input, messages, answers } = await open();
  const deep = '['.repeat(20_000) + ']'.repeat(20_000);
  input.write(`${deep}\n{"jsonrpc":"2.0","id":1,"method":"ping","params":{"a":${deep}}}\n${line(ping(2))}`);
  await new Promise((resolve) => setImmediate(resolve));
  t.match(messages.at(-1), ping(2));
  t.match(answers()[0], { error: { code: -32_600 } });
});

t.test('a client that reads nothing is given up', async (t) => {
  const { transport, output, closes } = await open();
  const text = 'x'.repeat(1_000_000);
  while (closes() === 0) {
    t.ok(output.writableLength <= MAX_UNREAD_BYTES);
    await transport.send({ jsonrpc: '2.0', id: 1, result: { text } });
  }
  t.ok(output.writableLength > MAX_UNREAD_BYTES);
});

t.test('the end of either stream is the end, once', async (t) => {
  for (const end of ['input', 'output'] as const) {
    const opened = await open();
    if (end === 'input') opened.input.end();
    else opened.output.destroy(new Error('EPIPE'));
    await new Promise((resolve) => setImmediate(resolve));
    await opened.transport.close();
    await opened.transport.send({ jsonrpc: '2.0', id: 1, result: {} });
    t.equal(opened.closes(), 1, end);
  }
});
