/** Kinds of Word documents that the operator lets through. cold.test.ts has the other engine. */
import t from 'tap';
import { xlsx } from '../../support/documents.ts';
import { form } from '../../support/server.ts';
import { isError, isPdf } from '../support/assertions.ts';
import { convert, get } from '../support/requests.ts';
import { wordDocuments } from '../support/word-documents.ts';
import { key, server } from './server.ts';

t.test('every accepted kind is converted, and no macro runs', async (t) => {
  for (const [kind, document] of Object.entries(wordDocuments)) {
    const answer = await convert(server, key, document, { body: form(document, `Letter.${kind}`) });
    await isPdf(t, answer, /Hello from Platen/);
    t.equal(answer.headers.get('content-disposition'), 'attachment; filename="Letter.pdf"', kind);
  }
  const refusal = isError(t, await convert(server, key, xlsx()), 'INVALID_FILE_TYPE');
  t.match(refusal.message, 'Only Word documents (.docx, .docm, .dotx, .dotm) can be converted.');
  const { accepts } = JSON.parse((await get(server, '/v1')).body.toString());
  t.strictSame(accepts, Object.keys(wordDocuments));
  const page = (await get(server, '/')).body.toString();
  t.ok(page.includes('accept=".docx,.docm,.dotx,.dotm,application/'));
  t.ok(page.includes('<code>.docx, .docm, .dotx, .dotm</code>'));
});
