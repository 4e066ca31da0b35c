import { readFile, writeFile } from 'node:fs/promises';
import createClient from 'openapi-fetch';
import type { paths } from './platen.js';

const platen = createClient<paths>({
  baseUrl: process.env.PLATEN_URL ?? '',
  headers: { Authorization: `Bearer ${process.env.PLATEN_API_KEY}` },
});

const bytes = await readFile('document.docx');
const { data, error, response } = await platen.POST('/v1/convert', {
  body: { file: 'document.docx' },
  bodySerializer({ file }) {
    const form = new FormData();
    form.set('file', new Blob([bytes]), file);
    return form;
  },
  parseAs: 'arrayBuffer',
});
console.log('request', response.headers.get('X-Request-Id'));
console.log('requests left', response.headers.get('X-RateLimit-Remaining'));

if (error) {
  switch (error.code) {
    case 'RATE_LIMIT_EXCEEDED':
      console.error(`${error.code}: wait for ${error.retryAfter} seconds`);
      break;
    case 'INVALID_FILE_TYPE':
    case 'CORRUPTED_FILE':
    case 'PASSWORD_PROTECTED':
      console.error(`${error.code}: ask for another document`);
      break;
    default:
      console.error(`${error.code}: ${error.message}`);
  }
  process.exit(1);
}
await writeFile('document.pdf', new Uint8Array(data));

const month = new Date().toISOString().slice(0, 7);
const usage = await platen.GET('/v1/usage', { params: { query: { month } } });
if (usage.data) console.log('used in', usage.data.month, usage.data.conversions.used);
