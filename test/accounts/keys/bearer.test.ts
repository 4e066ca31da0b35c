import t from 'tap';
import { readBearer } from '../../../src/accounts/keys/bearer.ts';

t.test('the key in the header', async (t) => {
  for (const header of ['Bearer svc_x', 'bearer svc_x', 'BEARER   svc_x', 'Bearer svc_x ']) {
    t.equal(readBearer(header), 'svc_x', header);
  }
  t.equal(readBearer(`Bearer ${'x'.repeat(200)}`).length, 200);
});

t.test('no header', async (t) => {
  for (const header of [undefined, '']) t.throws(() => readBearer(header), { code: 'MISSING_AUTH' });
});

t.test('a header that is not one of ours', async (t) => {
  for (const header of [
    ' ',
    'Bearer',
    'Bearer ',
    'svc_x',
    'Basic svc_x',
    'Bearersvc_x',
    'Bearer svc_x svc_y',
    'Bearer svc_x, Bearer svc_y',
    'Bearer\tsvc_x',
    'Bearer svc_x\n',
    `Bearer ${'x'.repeat(201)}`,
    `Bearer${' '.repeat(10_000)}`,
  ]) {
    t.throws(
      () => readBearer(header),
      { code: 'INVALID_API_KEY', message: /Send it as "Authorization: Bearer svc_…"/ },
      JSON.stringify(header.slice(0, 40)),
    );
  }
});
