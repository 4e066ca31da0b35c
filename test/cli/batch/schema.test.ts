/** What is wrong with a value, in words. */
import t from 'tap';
import { Type } from 'typebox';
import { assertMatches, optionsSchema } from '../../../src/cli/batch/schema.ts';

const schema = Type.Object(
  {
    document: Type.String({ minLength: 1, title: 'a path' }),
    options: Type.Optional(optionsSchema),
    list: Type.Optional(Type.Array(Type.String({ maxLength: 3 }), { maxItems: 2, title: 'a list' })),
  },
  { additionalProperties: false },
);

t.test('what matches is accepted', async (t) => {
  for (const value of [
    { document: 'a' },
    { document: 'a', list: ['b'], options: { imageQuality: 80, images: 'jpeg' } },
  ])
    t.doesNotThrow(() => assertMatches(schema, value));
});

t.test('what does not is named, with what is expected', async (t) => {
  for (const [value, message] of [
    [{}, 'document is missing. Add it.'],
    [{ document: 7 }, 'document must be a path.'],
    [{ document: '' }, 'document must be a path.'],
    [{ document: 'a', list: 'a' }, 'list must be a list, or left out.'],
    [{ document: 'a', list: ['a', 'b', 'c'] }, 'list must be a list, or left out.'],
    [{ document: 'a', list: ['abcd'] }, 'list.0 must be a text of 0 to 3 characters, or left out.'],
    [{ document: 'a', options: null }, /^options must be /],
    [
      { document: 'a', options: { imageQuality: 0 } },
      'options.imageQuality must be a whole number from 1 to 100, or left out.',
    ],
    [
      { document: 'a', options: { imageQuality: '80' } },
      'options.imageQuality must be a whole number from 1 to 100, or left out.',
    ],
    [
      { document: 'a', options: { images: 'png' } },
      'options.images must be "lossless" or "jpeg", or left out.',
    ],
    [{ document: 'a', options: { tagged: 'no' } }, 'options.tagged must be true or false, or left out.'],
    [
      { document: 'a', options: { Watermark: 'x' } },
      /^There is no "Watermark" here\. The nearest is watermark; there are: format, page, width, /,
    ],
    [
      { document: 'a', documents: 'b' },
      'There is no "documents" here. The nearest is document; there are: document, options, list.',
    ],
    [{ document: 'a', ['x'.repeat(99)]: 1 }, /^There is no "x{40}" here\./],
  ] as const) {
    t.throws(
      () => assertMatches(schema, value),
      { code: 'INVALID_PARAMETER', message },
      JSON.stringify(value),
    );
  }
});
