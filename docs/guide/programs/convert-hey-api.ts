import { readFile, writeFile } from 'node:fs/promises';
import { client } from './platen/client.gen.js';
import { convertDocument, getUsage } from './platen/index.js';

client.setConfig({
  baseUrl: process.env.PLATEN_URL ?? '',
  auth: () => process.env.PLATEN_API_KEY,
});

const file = new File([await readFile('document.docx')], 'document.docx');
const { data, error, response } = await convertDocument({ body: { file } });
console.log('request', response?.headers.get('X-Request-Id'));
console.log('requests left', response?.headers.get('X-RateLimit-Remaining'));

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
// A job comes only to those who ask for it by the header Prefer.
if (data instanceof Blob) await writeFile('document.pdf', data.stream());

const month = new Date().toISOString().slice(0, 7);
const usage = await getUsage({ query: { month } });
if (usage.data) console.log('used in', usage.data.month, usage.data.conversions.used);
