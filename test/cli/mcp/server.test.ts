/** What a client of the Model Context Protocol is answered, without conversions. */
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import t, { type Test } from 'tap';
import { Type } from 'typebox';
import { explainTool } from '../../../src/cli/mcp/explain-tool.ts';
import { optionTool } from '../../../src/cli/mcp/option-tool.ts';
import { pdfOptionsSchema } from '../../../src/cli/mcp/pdf-options.ts';
import { serve } from '../../../src/cli/mcp/server.ts';
import type { Tool } from '../../../src/cli/mcp/tool.ts';
import { plainText } from '../../../src/shared/error-catalogue.ts';
import { warningCodes } from '../../../src/shared/warning-levels.ts';
import { pages } from '../../support/guide.ts';

const input = Type.Object({}, { additionalProperties: false });
const tool = (run: Tool['run']): Tool => ({
  ...{ name: 'own', title: 'Own', description: 'A tool of the test.', input, output: Type.Object({}) },
  ...{ annotations: {}, run },
});

/** A client of these tools. */
async function connect(t: Test, ...tools: readonly Tool[]) {
  const [ours, theirs] = InMemoryTransport.createLinkedPair();
  const ending = new AbortController();
  const served = serve(ours, { tools, instructions: 'Converts.', signal: ending.signal });
  const client = new Client({ name: 'test', version: '1' });
  await client.connect(theirs);
  t.teardown(async () => {
    await client.close();
    await served;
  });
  return { client, ending, served };
}

const textOf = (result: unknown) => (result as { content: { text: string }[] }).content[0]?.text ?? '';

t.test('a client learns who answers, and which tools there are', async (t) => {
  const { client } = await connect(t, explainTool, optionTool);
  t.match(client.getServerVersion(), { name: 'platen', version: /^\d+\.\d+\.\d+$/ });
  t.equal(client.getInstructions(), 'Converts.');
  const { tools } = await client.listTools();
  t.match(tools, [
    {
      name: 'explain_warnings',
      inputSchema: { type: 'object', properties: { codes: { type: 'array' } }, additionalProperties: false },
      outputSchema: { type: 'object' },
      annotations: { readOnlyHint: true },
    },
    { name: 'list_options' },
  ]);
  t.notMatch(JSON.stringify(tools), /`|\]\(/, 'plain text');
});

t.test('warnings are explained as in the guide', async (t) => {
  const { client } = await connect(t, explainTool);
  const guide = plainText(pages.find(({ name }) => name === 'warnings.md')?.text ?? '');
  const all = await client.callTool({ name: 'explain_warnings' });
  const { warnings } = all.structuredContent as { warnings: { code: string; meaning: string }[] };
  t.strictSame(
    warnings.map(({ code }) => code),
    warningCodes,
  );
  for (const { code, meaning } of warnings) {
    t.match(textOf(all), `- ${code} (`);
    t.ok(guide.includes(` ${meaning.slice(0, -1)} |`), `${code}: ${meaning}`);
  }
  const codes = ['UNTAGGED', 'TEXT_MISSING', 'constructor', 'X\u001b"\n'];
  const some = await client.callTool({ name: 'explain_warnings', arguments: { codes } });
  t.match(some.structuredContent, {
    warnings: [
      { code: 'UNTAGGED', level: 'note', meaning: /^LibreOffice crashed while tagging.*\.$/ },
      { code: 'TEXT_MISSING', level: 'loss' },
      { code: 'constructor', level: 'note', meaning: /does not know the code/ },
      { code: 'X?"?' },
    ],
  });
});

t.test('every option of the API is listed', async (t) => {
  const { client } = await connect(t, optionTool);
  const result = await client.callTool({ name: 'list_options', arguments: {} });
  const { options: listed } = result.structuredContent as { options: { name: string; values: string }[] };
  t.strictSame(
    listed.map(({ name }) => name),
    Object.keys(pdfOptionsSchema.properties),
  );
  const values = Object.fromEntries(listed.map(({ name, values }) => [name, values]));
  t.match(values, {
    images: 'lossless, jpeg',
    imageDpi: '75, 150, 300, 600',
    imageQuality: 'a whole number from 1 to 100',
    tagged: 'true, false',
    pages: 'a list of pages and ranges such as 1-3,7,10-',
  });
  t.match(
    textOf(result),
    /^- images \(lossless, jpeg\): How to compress images\. lossless, the default, or jpeg\./m,
  );
  t.notMatch(textOf(result), /\bplan\b|Feature/, 'nothing of plans');
});

t.test('what is wrong with a call is said', async (t) => {
  const { client } = await connect(
    t,
    explainTool,
    tool(async () => {
      throw new Error(`it broke\n\u001b[31m${'x'.repeat(5_000)}`);
    }),
  );
  const call = (name: string, args: Record<string, unknown>) => client.callTool({ name, arguments: args });
  for (const [args, message] of [
    [{ codes: 7 }, 'codes must be a list of up to 50 codes, or left out.'],
    [{ codes: [7] }, /^INVALID_PARAMETER: codes\.0 must be /],
    [{ codes: Array(51).fill('A') }, 'codes must be a list of up to 50 codes, or left out.'],
    [{ code: 'A' }, 'There is no "code" here. The nearest is codes; there are: codes.'],
    [{ constructor: 1 }, /There is no "constructor" here\./],
  ] as const) {
    const result = await call('explain_warnings', args);
    t.match(result, { isError: true });
    t.notOk('structuredContent' in result);
    t.match(textOf(result), typeof message === 'string' ? `INVALID_PARAMETER: ${message}` : message);
  }
  const text = textOf(await call('own', {}));
  t.match(text, /^INTERNAL_ERROR: it broke\?\?\[31mx+…$/);
  t.equal(text.length, 1_001);
  await t.rejects(call('nothing\u0007', {}), { code: -32_602, message: /There is no tool nothing\?\.$/ });
});

t.test('a call that is cancelled ends', async (t) => {
  let end: (reason: unknown) => void;
  const ended = new Promise((resolve) => {
    end = resolve;
  });
  const leaving = new AbortController();
  const waiting = tool(async (_, signal) => {
    signal.addEventListener('abort', () => end(signal.reason));
    leaving.abort('a text\nof the client');
    await ended;
    throw new Error('ended');
  });
  const { client } = await connect(t, waiting);
  await t.rejects(client.callTool({ name: 'own' }, undefined, { signal: leaving.signal }));
  t.match(await ended, { message: 'the client does not want the answer any more' });
});

t.test('all calls end with the client, or with us', async (t) => {
  for (const whose of ['client', 'ours'] as const) {
    let [begun, ended] = [0, 0];
    let beganBoth = () => {};
    const both = new Promise<void>((resolve) => {
      beganBoth = resolve;
    });
    const waiting = tool(async (_, signal) => {
      begun += 1;
      if (begun === 2) beganBoth();
      await new Promise((resolve) => signal.addEventListener('abort', resolve));
      ended += 1;
      throw signal.reason;
    });
    const { client, ending, served } = await connect(t, waiting);
    const calls = [1, 2].map(() => client.callTool({ name: 'own' }));
    const refused = Promise.allSettled(calls);
    await both;
    if (whose === 'client') await client.close();
    else ending.abort();
    await served;
    t.equal(ended, 2, whose);
    t.strictSame(
      (await refused).map(({ status }) => status),
      ['rejected', 'rejected'],
    );
  }
});
