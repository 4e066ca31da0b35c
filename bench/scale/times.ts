/**
 * node --import=tsx bench/scale/times.ts FOLDER: converts each DOCX of a folder in the built service, and prints what scale.ts
 * needs to know of them: CPU time of the engine in milliseconds, which depends less on what else the machine does than the time that passes; bytes of document and PDF, pages. Nothing of their content.
 */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { form, Server } from '../../test/support/server.ts';

const PATIENCE_MS = 90_000;

/** What was measured of a document. */
export interface MeasuredDocument {
  readonly engineMs: number;
  readonly bytesIn: number;
  readonly bytesOut: number;
  readonly pages: number;
}

const [, , folder] = process.argv;
if (folder === undefined) throw new Error('name a folder of documents');
const lines = (await measureFolder(folder)).map((each) => `  ${JSON.stringify(each)}`);
console.log(`[\n${lines.join(',\n')}\n]`);

async function measureFolder(folder: string): Promise<MeasuredDocument[]> {
  const server = await Server.start({
    env: { WORK_DIR: '', LOG_LEVEL: 'info', KIT_MAX_DOCUMENTS: '1000000' },
  });
  try {
    const { key } = await server.createKey();
    const names = (await readdir(folder, { recursive: true })).filter((name) => name.endsWith('.docx'));
    const measured: MeasuredDocument[] = [];
    for (const name of names.sort()) {
      const content = await readFile(join(folder, name));
      const found = await measure(server, key, content);
      // Some documents are refused.
      if (found) measured.push(found);
    }
    return measured.sort((a, b) => a.engineMs - b.engineMs);
  } finally {
    await server.stop();
  }
}

async function measure(server: Server, key: string, content: Buffer): Promise<MeasuredDocument | undefined> {
  const answer = await fetch(`${server.url}/v1/convert`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}` },
    body: form(content),
    signal: AbortSignal.timeout(PATIENCE_MS),
  });
  const { byteLength: bytesOut } = await answer.arrayBuffer();
  if (!answer.ok) return undefined;
  const id = answer.headers.get('x-request-id');
  const { conversion } = await server.logged('request', ({ reqId }) => reqId === id);
  const { cpuMs: engineMs, pages } = conversion as { cpuMs: number; pages: number };
  return { engineMs, bytesIn: content.length, bytesOut, pages };
}
