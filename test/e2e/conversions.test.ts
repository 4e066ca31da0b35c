/** What one server makes of documents, in this order: its start costs more than most of these tests. */
import t from 'tap';
import './conversions/convert.ts';
import './conversions/accepted-types.ts';
import './conversions/options.ts';
import './conversions/pagination.ts';
import './conversions/pictures.ts';
import './conversions/print-view.ts';
import './conversions/pdfa.ts';
import './conversions/conformance.ts';
import './conversions/attachments.ts';
import './conversions/combine.ts';
import './conversions/same-bytes.ts';
import { server } from './conversions/server.ts';
import { endsCleanly } from './support/assertions.ts';
import { atRest } from './support/processes.ts';

t.test('nothing is left of the documents', () => atRest(server));

t.test('the server ends cleanly', async (t) => {
  await endsCleanly(t, server);
  t.strictSame(server.printed, [], 'without --welcome it prints its log only');
});
