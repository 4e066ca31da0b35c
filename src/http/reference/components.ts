/** Says once, in the components of an OpenAPI document, what several of its operations and schemas have in common. */
import type { OpenAPIV3 } from 'openapi-types';

type Kind = 'parameters' | 'headers' | 'examples' | 'responses';
type Inside = Record<string, object>;

/** A place in the document whose value may be shared. */
interface Place {
  readonly kind: Kind;
  /** Of the component. */
  readonly name: string;
  /** What has the value, and under which key. */
  readonly holder: Inside;
  readonly key: string;
}

/** In this order, as responses become equal once their headers and examples are references. */
const finders: readonly ((operation: OpenAPIV3.OperationObject) => Place[])[] = [
  ({ parameters = [] }) =>
    parameters.map((parameter, i) => {
      const name = 'name' in parameter ? parameter.name : '';
      return { kind: 'parameters', name, holder: parameters as unknown as Inside, key: String(i) };
    }),
  ({ responses }) => bodied(responses).flatMap(({ headers }) => placesIn('headers', headers)),
  ({ responses }) =>
    bodied(responses).flatMap(({ content }) =>
      Object.values(content ?? {}).flatMap(({ examples }) => placesIn('examples', examples)),
    ),
  ({ responses }) =>
    placesIn('responses', responses).map((place) => ({
      ...place,
      name: nameOf(responses[place.key]) ?? `Status${place.key}`,
    })),
];

/**
 * Replaces the parameters, headers, examples and responses that occur more than once by references.
 *
 * @param operations of the document; they are changed.
 * @returns what the references name. Different values that would have one name are numbered.
 */
export function shareWhatRepeats(
  operations: readonly OpenAPIV3.OperationObject[],
): OpenAPIV3.ComponentsObject {
  const components: Partial<Record<Kind, Inside>> = {};
  for (const find of finders) {
    for (const [, [first, ...others]] of repeated(operations.flatMap(find))) {
      components[first.kind] ??= {};
      const shared = components[first.kind] as Inside;
      const name = freeName(shared, first.name);
      shared[name] = first.holder[first.key] as object;
      for (const { holder, key } of [first, ...others])
        holder[key] = { $ref: `#/components/${first.kind}/${name}` };
    }
  }
  return components as OpenAPIV3.ComponentsObject;
}

/**
 * Replaces the objects that occur more than once within schemas by references to schemas of their own, the largest first.
 *
 * @param schemas by name. They are changed, and the new ones are added: under the name of the field, in the singular for a list.
 */
export function shareObjects(schemas: Record<string, OpenAPIV3.SchemaObject>): void {
  for (;;) {
    const found = repeated(Object.values(schemas).flatMap(objectsIn));
    const [largest] = found.sort(([a], [b]) => b.length - a.length);
    if (!largest) return;
    const [value, [first, ...others]] = largest;
    const name = freeName(schemas, first.name);
    schemas[name] = JSON.parse(value) as OpenAPIV3.SchemaObject;
    for (const { holder, key } of [first, ...others]) holder[key] = { $ref: `#/components/schemas/${name}` };
  }
}

/** The values that are in several places, as JSON, with their places. */
function repeated<P extends Pick<Place, 'holder' | 'key'>>(
  places: readonly P[],
): [value: string, places: [P, ...P[]]][] {
  const byValue = new Map<string, [P, ...P[]]>();
  for (const place of places) {
    const value = JSON.stringify(place.holder[place.key]);
    const same = byValue.get(value);
    if (same) same.push(place);
    else byValue.set(value, [place]);
  }
  return [...byValue].filter(([, { length }]) => length > 1);
}

/** The objects within a schema, with what has them. */
function objectsIn(schema: OpenAPIV3.SchemaObject): Omit<Place, 'kind'>[] {
  const within = (holder: Inside, key: string, name: string): Omit<Place, 'kind'>[] => {
    const inner = holder[key] as OpenAPIV3.SchemaObject;
    const own = inner.properties ? [{ name: upperFirst(name), holder, key }] : [];
    return [...own, ...fieldsOf(inner, name)];
  };
  const fieldsOf = (outer: OpenAPIV3.SchemaObject, name: string) => [
    ...Object.keys(outer.properties ?? {}).flatMap((key) => within(outer.properties as Inside, key, key)),
    ...('items' in outer ? within(outer as unknown as Inside, 'items', name.replace(/s$/, '')) : []),
  ];
  return fieldsOf(schema, '');
}

const upperFirst = (name: string) => `${name.charAt(0).toUpperCase()}${name.slice(1)}`;

function bodied(responses: OpenAPIV3.ResponsesObject): OpenAPIV3.ResponseObject[] {
  return Object.values(responses).filter((response) => 'description' in response);
}

function placesIn(kind: Kind, holder: object = {}): Place[] {
  return Object.keys(holder).map((name) => ({ kind, name, holder: holder as Inside, key: name }));
}

/** The name of a response's schema. */
function nameOf(response: OpenAPIV3.ResponsesObject[string] | undefined): string | undefined {
  if (!response || !('content' in response)) return undefined;
  const [media] = Object.values(response.content ?? {});
  return media?.schema && '$ref' in media.schema ? media.schema.$ref.split('/').at(-1) : undefined;
}

function freeName(taken: Inside, name: string): string {
  let free = name;
  for (let n = 2; free in taken; n++) free = `${name}_${n}`;
  return free;
}
