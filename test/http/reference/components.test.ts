import type { OpenAPIV3 } from 'openapi-types';
import t from 'tap';
import { shareObjects, shareWhatRepeats } from '../../../src/http/reference/components.ts';

const id = { description: 'The id of the request.', schema: { type: 'string' } };
const busy = { summary: '503 OVERLOADED', value: { code: 'OVERLOADED' } };

/** An operation that may be refused, and whose success is its own. */
function operation(own: string, other = busy): OpenAPIV3.OperationObject {
  const refusal = {
    description: '`OVERLOADED`',
    headers: { 'X-Request-Id': { ...id } },
    content: {
      'application/json': {
        schema: { $ref: '#/components/schemas/Error503' },
        examples: { OVERLOADED: { ...other } },
      },
    },
  };
  const success = { description: own, headers: { 'X-Request-Id': { ...id } } };
  const parameters = [{ name: 'id', in: 'path', schema: { type: 'string' } }];
  return { parameters, responses: { 204: success, 503: refusal } } as OpenAPIV3.OperationObject;
}

t.test('what repeats is said once, and what does not stays', async (t) => {
  const operations = [operation('Removed.'), operation('Renamed.')];
  const components = shareWhatRepeats(operations);
  t.strictSame(components, {
    parameters: { id: { name: 'id', in: 'path', schema: { type: 'string' } } },
    headers: { 'X-Request-Id': id },
    examples: { OVERLOADED: busy },
    responses: {
      Error503: {
        description: '`OVERLOADED`',
        headers: { 'X-Request-Id': { $ref: '#/components/headers/X-Request-Id' } },
        content: {
          'application/json': {
            schema: { $ref: '#/components/schemas/Error503' },
            examples: { OVERLOADED: { $ref: '#/components/examples/OVERLOADED' } },
          },
        },
      },
    },
  });
  t.strictSame(
    operations.map(({ parameters, responses }) => [parameters, responses[204], responses[503]]),
    ['Removed.', 'Renamed.'].map((description) => [
      [{ $ref: '#/components/parameters/id' }],
      { description, headers: { 'X-Request-Id': { $ref: '#/components/headers/X-Request-Id' } } },
      { $ref: '#/components/responses/Error503' },
    ]),
  );
});

t.test('different things with one name are numbered', async (t) => {
  const other = { summary: '503 OVERLOADED', value: { code: 'OVERLOADED', message: 'No place.' } };
  const operations = [operation('A'), operation('B'), operation('C', other), operation('D', other)];
  const { examples = {}, responses = {} } = shareWhatRepeats(operations);
  t.strictSame(examples, { OVERLOADED: busy, OVERLOADED_2: other });
  t.strictSame(Object.keys(responses), ['Error503', 'Error503_2']);
  t.strictSame(
    operations.map(({ responses }) => responses[503]),
    ['Error503', 'Error503', 'Error503_2', 'Error503_2'].map((name) => ({
      $ref: `#/components/responses/${name}`,
    })),
  );
});

t.test('an object that several schemas have is a schema of its own', async (t) => {
  const place = { type: 'object', properties: { city: { type: 'string' } } };
  const person = { type: 'object', properties: { name: { type: 'string' }, home: place } };
  const schemas = structuredClone({
    Shop: { type: 'object', properties: { place, owners: { type: 'array', items: person } } },
    Guest: { type: 'object', properties: { host: person, own: { type: 'boolean' } } },
  }) as Record<string, OpenAPIV3.SchemaObject>;
  shareObjects(schemas);
  const [Owner, Place] = ['Owner', 'Place'].map((name) => ({ $ref: `#/components/schemas/${name}` }));
  t.strictSame(schemas, {
    Shop: { type: 'object', properties: { place: Place, owners: { type: 'array', items: Owner } } },
    Guest: { type: 'object', properties: { host: Owner, own: { type: 'boolean' } } },
    Owner: { type: 'object', properties: { name: { type: 'string' }, home: Place } },
    Place: place,
  });
});
