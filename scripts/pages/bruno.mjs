/** A collection for Bruno (https://www.usebruno.com) of the operations in the OpenAPI document. */
import { createWriteStream, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { ZipFile } from 'yazl';
import { zipEntryOptions } from '../documents.mjs';
import { openApi } from './files.mjs';

/** @typedef {import('openapi-types').OpenAPIV3_1.Document} Document */
/** @typedef {import('openapi-types').OpenAPIV3_1.OperationObject} Operation */
/** @typedef {import('openapi-types').OpenAPIV3_1.ParameterObject} Parameter */
/** @typedef {{ type?: string, enum?: string[], example?: unknown, minimum?: number, format?: string, items?: Schema, required?: string[], properties?: Record<string, Schema> }} Schema */

const FOLDER = 'platen';
const SAMPLE = 'sample.docx';

/** What later requests need of an answer: they name it as a variable. @type {Record<string, string>} */
const kept = {
  convertDocument: "requestId: res.headers['x-request-id']",
  createJob: 'job: res.body.id',
  createWebhook: 'webhook: res.body.id',
  testWebhook: 'delivery: res.body.id',
};
/** The variable of a parameter in a path, by its tag. @type {Record<string, string>} */
const idOf = { jobs: 'job', webhooks: 'webhook' };

/** Values of properties that have no example. @type {Record<string, string>} */
const samples = { url: 'https://shop.example/letter.docx' };

/**
 * Writes the collection as a ZIP file: a folder with a request for each operation and type of its body.
 *
 * @param {string} file
 * @param {string} sample path of a document, which goes with it
 */
export async function buildBruno(file, sample) {
  const zip = new ZipFile();
  for (const [name, text] of Object.entries(collection(JSON.parse(readFileSync(openApi, 'utf8')))))
    zip.addBuffer(Buffer.from(text), join(FOLDER, name), zipEntryOptions);
  zip.addFile(sample, join(FOLDER, SAMPLE), zipEntryOptions);
  zip.end();
  await pipeline(zip.outputStream, createWriteStream(file));
}

/**
 * @param {Document} document
 * @returns {Record<string, string>} texts by their paths
 */
function collection(document) {
  const { title, version } = document.info;
  /** @type {Record<string, string>} */
  const files = {
    'bruno.json': `${JSON.stringify({ version: '1', name: `${title} ${version}`, type: 'collection' }, null, 2)}\n`,
    'collection.bru': blocks([
      ['auth', ['mode: bearer']],
      ['auth:bearer', ['token: {{key}}']],
    ]),
    'environments/Local.bru': `${blocks([['vars', ['url: http://localhost:3000']]])}\nvars:secret [\n  key\n]\n`,
  };
  for (const { name, description = '' } of document.tags ?? []) {
    files[join(name, 'folder.bru')] = blocks([
      ['meta', [`name: ${name}`]],
      ['auth', ['mode: inherit']],
      ['docs', description.split('\n')],
    ]);
  }
  // What ends something comes last, so that all requests of a folder work in turn.
  const operations = Object.entries(document.paths ?? {})
    .flatMap(([path, item]) =>
      Object.entries(/** @type {Record<string, Operation>} */ (item)).map(
        ([method, operation]) => /** @type {const} */ ({ path, method, operation }),
      ),
    )
    .sort((one, other) => Number(one.method === 'delete') - Number(other.method === 'delete'));
  let sequence = 0;
  for (const each of operations) {
    const { operationId, requestBody, tags } = each.operation;
    const types = Object.keys(resolved(document, requestBody)?.content ?? { '': undefined });
    for (const [index, type] of types.entries()) {
      const name = `${operationId}${index === 0 ? '' : `-${type.split('/')[1]}`}.bru`;
      files[join(tags?.[0] ?? '', name)] = request(document, { ...each, type, sequence: ++sequence });
    }
  }
  return files;
}

/**
 * @param {Document} document
 * @param {{ path: string, method: string, operation: Operation, type: string, sequence: number }} what
 */
function request(document, { path, method, operation, type, sequence }) {
  const { operationId = '', summary = operationId, description = '', tags: [tag = ''] = [] } = operation;
  const parameters = (operation.parameters ?? []).map((each) => resolved(document, each));
  const valuesIn = (/** @type {string} */ place) =>
    parameters
      .filter((each) => each.in === place)
      .map(({ name, required, schema }) => {
        if (place !== 'path') return pair(name, sampleOf(resolved(document, schema)), required);
        return `${name}: ${name === 'number' ? 1 : `{{${(name === 'id' && idOf[tag]) || name}}}`}`;
      });
  const schema = resolved(document, resolved(document, operation.requestBody)?.content[type]?.schema);
  const isForm = type === 'multipart/form-data';
  const body = type === '' ? 'none' : isForm ? 'multipartForm' : 'json';
  const auth = operation.security?.length === 0 ? 'none' : 'inherit';
  const url = `{{url}}${path.replaceAll(/\{(\w+)\}/g, ':$1')}`;
  const keeps = kept[operationId];
  return blocks([
    ['meta', [`name: ${summary}${isForm || type === '' ? '' : ' (JSON)'}`, 'type: http', `seq: ${sequence}`]],
    [method, [`url: ${url}`, `body: ${body}`, `auth: ${auth}`]],
    ['params:query', valuesIn('query')],
    ['params:path', valuesIn('path')],
    ['headers', valuesIn('header')],
    ['body:multipart-form', isForm ? formOf(document, schema) : []],
    ['body:json', body === 'json' ? JSON.stringify(sampleOf(schema), null, 2).split('\n') : []],
    ['vars:post-response', keeps === undefined ? [] : [keeps]],
    ['docs', description.split('\n')],
  ]);
}

/**
 * @param {Document} document
 * @param {Schema} schema of a form
 */
function formOf(document, { properties = {}, required = [] }) {
  return Object.entries(properties).map(([name, reference]) => {
    const { format, items, ...schema } = resolved(document, reference);
    const isFile = (items ?? { format }).format === 'binary';
    const isRequired = required.includes(name);
    return pair(name, isFile ? `@file(${isRequired ? SAMPLE : ''})` : sampleOf(schema), isRequired);
  });
}

/**
 * A line of a block; what need not be sent is switched off.
 *
 * @param {string} name
 * @param {unknown} value
 * @param {boolean} [required]
 */
function pair(name, value, required = false) {
  return `${required ? '' : '~'}${name}: ${typeof value === 'string' ? value : JSON.stringify(value)}`;
}

/**
 * A value that fits: an object has what it must have, or what has an example.
 *
 * @param {Schema} schema
 * @returns {unknown}
 */
function sampleOf({ type, example, enum: values, minimum = 1, items, properties, required }) {
  if (example !== undefined) return example;
  if (values) return values[0];
  if (type === 'boolean') return true;
  if (type === 'integer' || type === 'number') return minimum;
  if (items) return [sampleOf(items)];
  if (!properties) return '';
  const shown = Object.entries(properties).filter(([name, each]) =>
    required ? required.includes(name) : each.example !== undefined,
  );
  return Object.fromEntries(
    shown.map(([name, each]) => [name, sampleOf({ example: samples[name], ...each })]),
  );
}

/**
 * Follows a reference within the document.
 *
 * @param {Document} document
 * @param {any} value
 * @returns {any}
 */
function resolved(document, value) {
  if (typeof value?.$ref !== 'string') return value;
  const steps = value.$ref.slice('#/'.length).split('/');
  return steps.reduce((/** @type {any} */ at, /** @type {string} */ step) => at[step], document);
}

/**
 * Bruno's format: blocks of lines. Empty ones are left out.
 *
 * @param {readonly (readonly [string, readonly string[]])[]} all
 */
function blocks(all) {
  return all
    .filter(([, lines]) => lines.join('') !== '')
    .map(([name, lines]) => `${name} {\n${lines.map((line) => `  ${line}`.trimEnd()).join('\n')}\n}\n`)
    .join('\n');
}
