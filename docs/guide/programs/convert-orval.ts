import { readFile, writeFile } from 'node:fs/promises';
import { convertDocument, getUsage } from './platen.js';

const file = new File([await readFile('document.docx')], 'document.docx');
const answer = await convertDocument({ file });
console.log('request', answer.headers.get('X-Request-Id'));
console.log('requests left', answer.headers.get('X-RateLimit-Remaining'));

// A job (202) comes only to those who ask for it by the header Prefer.
if (answer.status !== 200 && answer.status !== 202) {
  const error = answer.data;
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
if (answer.status === 200) await writeFile('document.pdf', answer.data.stream());

const month = new Date().toISOString().slice(0, 7);
const usage = await getUsage({ month });
if (usage.status === 200) console.log('used in', usage.data.month, usage.data.conversions.used);
