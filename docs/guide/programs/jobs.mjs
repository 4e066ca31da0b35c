import { randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setTimeout as delay } from 'node:timers/promises';

const ATTEMPTS = 8;
const TIMEOUT_MS = 180_000;
const POLL_MS = 2_000;
const RETRYABLE = [408, 409, 429, 500, 502, 503, 504];
const { PLATEN_URL, PLATEN_API_KEY } = process.env;

/** What `read` makes of the answer, after as many attempts as it takes. */
async function call(method, path, read, { body, headers } = {}) {
  for (let attempt = 1; ; attempt++) {
    let problem;
    let retry = true;
    let retryAfter = 0;
    try {
      const response = await fetch(PLATEN_URL + path, {
        method,
        body,
        headers: { authorization: `Bearer ${PLATEN_API_KEY}`, ...headers },
        signal: AbortSignal.timeout(TIMEOUT_MS),
      });
      if (response.ok) return await read(response);
      problem = `${response.status} ${await response.text()}`;
      retry = RETRYABLE.includes(response.status);
      retryAfter = Number.parseInt(response.headers.get('retry-after') ?? '', 10) || 0;
    } catch (error) {
      problem = error.cause ?? error; // no answer, or half of one
    }
    console.error(`${method} ${path}, attempt ${attempt}: ${problem}`);
    if (!retry || attempt === ATTEMPTS) process.exit(1);
    await delay(retryAfter * 1000 + Math.random() * Math.min(30_000, 500 * 2 ** (attempt - 1)));
  }
}

const [target, ...documents] = process.argv.slice(2);
const form = new FormData();
for (const path of documents) form.append('file', new Blob([await readFile(path)]), basename(path));
const json = (response) => response.json();
// The same in every attempt: however often it is sent, it is one job.
const headers = { 'idempotency-key': randomUUID() };
let job = await call('POST', '/v1/jobs', json, { body: form, headers });
while (['queued', 'running'].includes(job.state)) {
  await delay(POLL_MS);
  job = await call('GET', `/v1/jobs/${job.id}`, json);
}
await call('GET', `/v1/jobs/${job.id}/archive`, (response) =>
  pipeline(Readable.fromWeb(response.body), createWriteStream(target)),
);
const failed = job.files.filter(({ error }) => error);
for (const { name, error } of failed) console.error(`${name}: ${error.code} ${error.message}`);
process.exitCode = failed.length > 0 ? 1 : 0;
