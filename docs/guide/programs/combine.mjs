import { randomUUID } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const ATTEMPTS = 8;
const BASE_MS = 500;
const CAP_MS = 30_000;
const LONGEST_RETRY_AFTER_MS = 120_000;
const TIMEOUT_MS = 180_000;
const RETRYABLE = [408, 409, 429, 502, 503, 504];

const [output, ...inputs] = process.argv.slice(2);
const url = new URL(`${process.env.PLATEN_URL}/v1/combine`);
const form = new FormData();
for (const input of inputs) form.append('file', new Blob([await readFile(input)]), basename(input));
// One for the documents, the same in every attempt: however often they are sent, they are billed once.
const idempotencyKey = randomUUID();

/** One attempt: the PDF, or what went wrong and whether another attempt is worth it. */
async function convert() {
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${process.env.PLATEN_API_KEY}`,
        'idempotency-key': idempotencyKey,
      },
      body: form,
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    if (response.status === 200) return { pdf: Buffer.from(await response.arrayBuffer()) };
    const body = await response.text();
    return {
      problem: `${response.status} ${body}`,
      retry: RETRYABLE.includes(response.status) || body.includes('"INTERNAL_ERROR"'),
      retryAfterMs: Number(response.headers.get('retry-after')) * 1000 || 0,
    };
  } catch (error) {
    // No answer, or half of one.
    return { problem: error.cause ?? error, retry: true, retryAfterMs: 0 };
  }
}

for (let attempt = 1; ; attempt++) {
  const { pdf, problem, retry, retryAfterMs } = await convert();
  if (pdf) {
    await writeFile(output, pdf);
    break;
  }
  console.error(`attempt ${attempt}: ${problem}`);
  if (!retry || attempt === ATTEMPTS || retryAfterMs > LONGEST_RETRY_AFTER_MS) process.exit(1);
  // Full jitter, on top of what the service asked for.
  await sleep(retryAfterMs + Math.random() * Math.min(CAP_MS, BASE_MS * 2 ** (attempt - 1)));
}
