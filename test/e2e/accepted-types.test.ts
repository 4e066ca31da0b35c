/** Kinds of Word documents that the operator lets through, converted by both engines. */
import t from 'tap';
import { vbaProject } from '../attack/support/vba.ts';
import { docm, docx, dotm, dotx, xlsx } from '../support/documents.ts';
import { form, Server } from '../support/server.ts';
import { isError, isPdf } from './support/assertions.ts';
import { convert, get } from './support/requests.ts';

// A macro that ran would use up the document's time: there would be no PDF.
const project = vbaProject(
  ['AutoOpen', 'AutoNew', 'AutoExec', 'Document_Open', 'Document_New']
    .map((name) => `Sub ${name}()\r\nDo\r\nLoop\r\nEnd Sub\r\n`)
    .join(''),
);

for (const engine of ['kit', 'cold']) {
  t.test(`${engine}: every kind is converted, and no macro runs`, async (t) => {
    const env = { ENGINE: engine, ACCEPT: 'docx,docm,dotx,dotm', CONVERT_TIMEOUT_MS: '20000' };
    const server = await Server.start({ env });
    t.teardown(() => server.stop());
    const { key } = await server.createKey();
    const documents = { docx: docx(), docm: docm(project), dotx: dotx(), dotm: dotm(project) };
    for (const [kind, document] of Object.entries(documents)) {
      // cold.test.ts converts that kind.
      if (engine === 'cold' && kind === 'docx') continue;
      const answer = await convert(server, key, document, { body: form(document, `Letter.${kind}`) });
      await isPdf(t, answer, /Hello from Platen/);
      t.equal(answer.headers.get('content-disposition'), 'attachment; filename="Letter.pdf"', kind);
    }
    const refusal = isError(t, await convert(server, key, xlsx()), 'INVALID_FILE_TYPE');
    t.match(refusal.message, 'Only Word documents (.docx, .docm, .dotx, .dotm) can be converted.');
    t.strictSame(JSON.parse((await get(server, '/v1')).body.toString()).accepts, Object.keys(documents));
    const page = (await get(server, '/')).body.toString();
    t.ok(page.includes('accept=".docx,.docm,.dotx,.dotm,application/'));
    t.ok(page.includes('<code>.docx, .docm, .dotx, .dotm</code>'));
  });
}
