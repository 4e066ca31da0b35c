/** Says once, in the components of an OpenAPI document, what several of its operations have in common. */
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
    const byValue = new Map<string, Place[]>();
    for (const place of operations.flatMap(find)) {
      const value = JSON.stringify(place.holder[place.key]);
      byValue.set(value, [...(byValue.get(value) ?? []), place]);
    }
    for (const places of byValue.values()) {
      const [first] = places;
      if (!first || places.length === 1) continue;
      components[first.kind] ??= {};
      const shared = components[first.kind] as Inside;
      const name = freeName(shared, first.name);
      shared[name] = first.holder[first.key] as object;
      for (const { holder, key } of places) holder[key] = { $ref: `#/components/${first.kind}/${name}` };
    }
  }
  return components as OpenAPIV3.ComponentsObject;
}

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
