/** A server whose processes convert several documents of an account: none ever has anything of another account. */
import { type FileHandle, open, readFile } from 'node:fs/promises';
import t, { type Test } from 'tap';
import { docx } from '../support/documents.ts';
import { form, Server } from '../support/server.ts';
import { until } from '../support/until.ts';
import { isDelivered } from './support/assertions.ts';
import { pdfText } from './support/pdf.ts';
import { send } from './support/requests.ts';

const server = await Server.start({
  env: { DOCUMENTS_PER_CHILD: '20', PUBLIC_PER_HOUR: '1000', PUBLIC_PER_SECOND: '1000' },
});
t.teardown(() => server.stop('SIGKILL'));
/** How much is read of a process at a time, in bytes. */
const BLOCK = 4_194_304;

interface Client {
  readonly name: string;
  /** Undefined: the public endpoint. */
  readonly key?: string;
}

const clients: Client[] = [];
for (const id of ['acme', 'globex']) {
  const { id: account } = await server.createAccount({ id, name: id, plan: 'enterprise' });
  for (const environment of ['live', 'test'] as const) {
    const { key } = await server.createKey({ account, environment });
    clients.push({ name: `${id} ${environment}`, key });
  }
}
const [acme, , globex] = clients as [Client, Client, Client, Client];
const stranger: Client = { name: 'public' };

const startedChildren = () => server.log.filter(({ msg }) => msg === 'child started');

/** Sends a document that says a text. @returns the process that converted it, the id of the request, and what checks the PDF. */
async function convert(t: Test, { key }: Client, text: string, query = '') {
  const earlier = startedChildren().length;
  const path = key === undefined ? '/v1/public/convert' : `/v1/convert${query}`;
  const body = form(docx({ paragraphs: [text] }));
  const answer = await send(server, path, { body, ...(key !== undefined && { key }) });
  await until('its process is in the log', async () => startedChildren().length > earlier);
  const [made, ...others] = startedChildren().slice(earlier);
  t.strictSame(others, [], 'it is converted once');
  const rest = async () => {
    isDelivered(t, answer);
    t.equal(await pdfText(answer.body), text);
  };
  return { pid: Number(made?.child), requestId: answer.headers.get('x-request-id'), rest };
}

/** Which texts are in the memory that a process may write to; undefined if it ends meanwhile. */
async function textsIn(pid: number, texts: readonly string[]): Promise<Set<string> | undefined> {
  const found = new Set<string>();
  let memory: FileHandle | undefined;
  try {
    memory = await open(`/proc/${pid}/mem`);
    for (const line of (await readFile(`/proc/${pid}/maps`, 'utf8')).split('\n')) {
      const [, begin, end] = /^(\w+)-(\w+) rw/.exec(line) ?? [];
      if (begin === undefined || end === undefined) continue;
      for (let at = Number.parseInt(begin, 16); at < Number.parseInt(end, 16); at += BLOCK) {
        const length = Math.min(BLOCK, Number.parseInt(end, 16) - at);
        const { buffer, bytesRead } = await memory.read(Buffer.alloc(length), 0, length, at);
        if (bytesRead === 0) return undefined;
        for (const text of texts) {
          // LibreOffice keeps texts in UTF-16.
          if (buffer.includes(text) || buffer.includes(text, 0, 'utf16le')) found.add(text);
        }
      }
    }
    return found;
  } catch {
    return undefined;
  } finally {
    await memory?.close();
  }
}

t.test('each process is of one account and environment', async (t) => {
  const owners = new Map<number, string>();
  const documents = new Map<number, number>();
  for (let round = 1; round <= 3; round += 1) {
    for (const client of [...clients, stranger]) {
      // A process waits for a second, so the next document comes at once.
      const sent = [];
      for (const number of [1, 2]) sent.push(await convert(t, client, `${client.name} ${round}.${number}`));
      for (const [index, { pid, rest }] of sent.entries()) {
        const owner = client === stranger ? `stranger ${round}.${index}` : client.name;
        t.equal(owners.get(pid) ?? owner, owner, `process ${pid}`);
        owners.set(pid, owner);
        documents.set(pid, (documents.get(pid) ?? 0) + 1);
        await rest();
      }
    }
  }
  t.ok([...documents.values()].some((each) => each > 1));
});

t.test('what one account sends is not in the memory of a process of another', async (t) => {
  for (let attempt = 1; attempt <= 20; attempt += 1) {
    const texts = [`orchid${attempt}${process.pid}`, `walnut${attempt}${process.pid}`] as const;
    const first = await convert(t, acme, texts[0]);
    const second = await convert(t, globex, texts[1]);
    t.not(first.pid, second.pid);
    // While the server stands still, it ends no process that waits.
    process.kill(server.pid, 'SIGSTOP');
    const [mine, other] = await Promise.all([first, second].map(({ pid }) => textsIn(pid, texts)));
    process.kill(server.pid, 'SIGCONT');
    await first.rest();
    await second.rest();
    if (!mine || !other) continue;
    t.strictSame([...mine], [texts[0]], 'it can be found');
    t.strictSame([...other], [texts[1]]);
    return;
  }
  t.fail('both processes were never there at a time');
});

t.test('an account that is isolated has a process for each document, and its receipts say so', async (t) => {
  const isolationOf = async (requestId: string | null) => {
    const target = `/v1/conversions/${requestId}`;
    const { body } = await send(server, target, { method: 'GET', key: String(acme.key) });
    return JSON.parse(body.toString()).receipt.isolation;
  };
  const pids: number[] = [];
  const made = async (query = '') => {
    const { pid, requestId, rest } = await convert(t, acme, 'isolated', query);
    pids.push(pid);
    await rest();
    return isolationOf(requestId);
  };
  t.equal(await made(), 'account');
  t.equal(await made('?isolation=document'), 'document');
  const set = await server.cliText('accounts', 'set-isolation', 'acme', 'document');
  t.match(set, /Each of its documents has a process of its own/);
  t.equal(await made(), 'document');
  t.equal(await made(), 'document');
  t.equal(new Set(pids).size, pids.length);

  const whole = new FormData();
  for (const text of ['one', 'two', 'three'])
    whole.append('file', new Blob([docx({ paragraphs: [text] }) as Buffer<ArrayBuffer>]), `${text}.docx`);
  const earlier = startedChildren().length;
  const answer = await send(server, '/v1/combine', { key: String(acme.key), body: whole });
  isDelivered(t, answer, 3);
  t.equal(await isolationOf(answer.headers.get('x-request-id')), 'document');
  await until('its processes are in the log', async () => startedChildren().length >= earlier + 3);
  const children = startedChildren().slice(earlier);
  t.equal(new Set(children.map(({ child }) => child)).size, children.length, 'so has each of one PDF');
});
