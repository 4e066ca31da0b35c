/** What a client reads of a parameter or a body that does not fit: a sentence that says what to send. */
import Fastify from 'fastify';
import t from 'tap';
import { errorHandling } from '../../../src/http/core/errors.ts';
import { everyAnswerHeaders } from '../../../src/http/core/every-answer.ts';
import { validation } from '../../../src/http/core/validation.ts';
import { operations } from '../../../src/http/reference/operations.ts';

const overlap = 'overlapSeconds must be a whole number from 0 to 604800, or left out.';
const onlyOverlap = 'The body has a field that is not known. It may have: overlapSeconds.';
const month = 'month must be a calendar month as YYYY-MM, or left out.';

const mistakes: readonly (readonly [
  method: 'GET' | 'PATCH' | 'POST',
  url: string,
  body: unknown,
  message: string | RegExp,
])[] = [
  ['GET', '/v1/usage?month=2026-13', undefined, month],
  ['GET', '/v1/usage?month=', undefined, month],
  ['GET', '/v1/usage?month=2026-1%0A', undefined, month],
  ['GET', '/v1/usage?month=2026-11&month=2026-12', undefined, 'month must be given once, or left out.'],
  ['POST', '/v1/convert?format=docx', undefined, 'format must be "pdf" or "png", or left out.'],
  ['POST', '/v1/convert?format=pdf&format=pdf', undefined, 'format must be given once, or left out.'],
  ['POST', '/v1/keys/rotate', { overlapSeconds: '60' }, overlap],
  ['POST', '/v1/keys/rotate', { overlapSeconds: null }, overlap],
  ['POST', '/v1/keys/rotate', { overlapSeconds: 1.5 }, overlap],
  ['POST', '/v1/keys/rotate', { overlapSeconds: -1 }, overlap],
  ['POST', '/v1/keys/rotate', { overlapSeconds: 604_801 }, overlap],
  ['POST', '/v1/keys/rotate', { overlap: 60 }, onlyOverlap],
  ['POST', '/v1/keys/rotate', [60], 'The body must be a JSON object, or left out.'],
  // What cannot be left out.
  ['POST', '/v1/webhooks', undefined, 'The body must be a JSON object.'],
  ['POST', '/v1/webhooks', [], 'The body must be a JSON object.'],
  ['POST', '/v1/webhooks', { url: '', events: [] }, 'url must be a text of 1 to 2048 characters.'],
  ['POST', '/v1/webhooks', { url: 'x', events: [] }, /^events must be a list of .*, each once\.$/],
  ['PATCH', '/v1/webhooks/1', { events: [] }, /^events must be a list of .*, each once, or left out\.$/],
  ['POST', '/v1/jobs', { files: [] }, 'files must be a list of 1 to 100 documents.'],
  ['POST', '/v1/jobs', { files: [{ url: 7 }] }, 'files.0.url must be a text of 1 to 2048 characters.'],
  [
    'POST',
    '/v1/jobs',
    { files: [{ url: 'x', name: 7 }] },
    'files.0.name must be a text of 0 to 255 characters, or left out.',
  ],
];

t.test('a message for each mistake', async (t) => {
  const app = Fastify({ ajv: validation });
  await app.register(everyAnswerHeaders);
  await app.register(errorHandling);
  for (const { method, path, schema } of operations) {
    const { response: _, ...request } = schema;
    app.route({ method, url: path, schema: request, handler: async () => 'accepted' });
  }
  t.teardown(() => app.close());
  for (const [method, url, body, message] of mistakes) {
    const answer = await app.inject({ method, url, ...(body !== undefined && { payload: body as object }) });
    t.match(
      JSON.parse(answer.body),
      { code: 'INVALID_PARAMETER', message },
      `${url} ${JSON.stringify(body)}`,
    );
  }
  const fine = await app.inject({ url: '/v1/usage?month=2026-11' });
  t.equal(fine.body, 'accepted');
});
