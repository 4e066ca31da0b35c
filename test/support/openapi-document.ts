/** The committed OpenAPI documents as tests read them. */
import { readFileSync } from 'node:fs';

export type DocumentName = 'openapi.json' | 'operator.json' | 'console.json';

/** The text of a committed document. */
export function openApiText(name: DocumentName): string {
  return readFileSync(new URL(`../../openapi/${name}`, import.meta.url), 'utf8');
}

/** A committed document with what is shared in each place where it is named. References to schemas stay. */
export function readOpenApi(name: DocumentName): unknown {
  return withShared(JSON.parse(openApiText(name)));
}

/** @throws Error if a reference names nothing. */
function withShared(document: {
  readonly components: Readonly<Record<string, Record<string, unknown>>>;
}): unknown {
  const resolve = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(resolve);
    if (typeof value !== 'object' || value === null) return value;
    const [, kind = 'schemas', shared = ''] = /^#\/components\/(\w+)\/(.+)$/.exec(referenceOf(value)) ?? [];
    if (kind === 'schemas')
      return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, resolve(each)]));
    const found = document.components[kind]?.[shared];
    if (!found) throw new Error(`the document has no ${referenceOf(value)}`);
    return resolve(found);
  };
  return resolve(document);
}

const referenceOf = (value: object): string => ('$ref' in value ? String(value.$ref) : '');
