/** Answers a client of the Model Context Protocol. */
import { setTimeout as delay } from 'node:timers/promises';
import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import {
  CallToolRequestSchema,
  type CallToolResult,
  ErrorCode,
  ListToolsRequestSchema,
  McpError,
  type Tool as ToolEntry,
} from '@modelcontextprotocol/sdk/types.js';
import { plainText } from '../../shared/error-catalogue.ts';
import { withLinkedController } from '../../system/linked-controller.ts';
import { readVersion } from '../../system/version.ts';
import { failureOf } from '../batch/batch.ts';
import { assertMatches } from '../batch/schema.ts';
import { asData } from './data.ts';
import type { Tool } from './tool.ts';
import { describeWarnings } from './warnings.ts';

/** As much of a failure as a client is told, in characters. */
const MAX_FAILURE = 1_000;
/** For calls to end after their client, in milliseconds. */
const PATIENCE_MS = 5_000;

interface ServeOptions {
  readonly tools: readonly Tool[];
  /** For models: what the tools are for. */
  readonly instructions: string;
  /** Ends it. */
  readonly signal: AbortSignal;
}

/** Answers until the client has gone or the signal aborts; then calls are ended, too. */
export async function serve(
  transport: Transport,
  { tools, instructions, signal }: ServeOptions,
): Promise<void> {
  const info = { name: 'platen', title: 'Platen: DOCX to PDF', version: readVersion() };
  const server = new Server(info, { capabilities: { tools: {} }, instructions });
  const ending = new AbortController();
  const calls = new Set<Promise<unknown>>();
  const entries = tools.map(entryOf);
  server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: entries }));
  server.setRequestHandler(CallToolRequestSchema, ({ params }, { signal: cancelled }) => {
    const tool = tools.find(({ name }) => name === params.name);
    if (!tool) throw new McpError(ErrorCode.InvalidParams, `There is no tool ${asData(params.name)}.`);
    const call = answerOf(tool, params.arguments ?? {}, [withOurReason(cancelled), ending.signal]);
    calls.add(call);
    return call.finally(() => calls.delete(call));
  });
  const gone = new Promise<void>((resolve) => {
    server.onclose = resolve;
    signal.addEventListener('abort', () => resolve(), { once: true });
  });
  await server.connect(transport);
  await gone;
  ending.abort(new Gone());
  await Promise.race([Promise.allSettled(calls), delay(PATIENCE_MS, undefined, { ref: false })]);
  await server.close();
}

/** Why a call ends without an answer. */
class Gone extends Error {
  override readonly message = 'the client does not want the answer any more';
}

/** A signal that aborts with another one, whose reason is a text of the client. */
function withOurReason(cancelled: AbortSignal): AbortSignal {
  const controller = new AbortController();
  const abort = () => controller.abort(new Gone());
  if (cancelled.aborted) abort();
  else cancelled.addEventListener('abort', abort, { once: true });
  return controller.signal;
}

function entryOf({ name, title, description, input, output, annotations }: Tool): ToolEntry {
  return {
    name,
    title,
    description,
    inputSchema: plainSchema(input) as ToolEntry['inputSchema'],
    outputSchema: plainSchema(output) as NonNullable<ToolEntry['outputSchema']>,
    annotations,
  };
}

/** A schema as JSON, whose descriptions are plain text. */
function plainSchema(schema: object): unknown {
  return JSON.parse(JSON.stringify(schema), (key, value: unknown) =>
    key === 'description' && typeof value === 'string' ? plainText(value) : value,
  );
}

/** @throws the reason of a signal. */
async function answerOf(
  tool: Tool,
  input: Record<string, unknown>,
  signals: readonly AbortSignal[],
): Promise<CallToolResult> {
  return await withLinkedController(signals, async ({ signal }) => {
    try {
      assertMatches(tool.input, input);
      const { text, data } = await tool.run(input, signal);
      return { content: [{ type: 'text', text }], structuredContent: data };
    } catch (error) {
      signal.throwIfAborted();
      const { code, message, warnings } = failureOf(error);
      const lines = warnings ? describeWarnings(warnings).lines : [];
      const text = [asData(`${code}: ${message}`, MAX_FAILURE), ...lines].join('\n');
      return { content: [{ type: 'text', text }], isError: true };
    }
  });
}
