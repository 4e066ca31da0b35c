/** The contract with integrators: every operation of the OpenAPI document, in its order. */
import { ErrorObject } from '../error-object.ts';
import { Conversion, getConversion } from './conversions.ts';
import { convertDocument, convertDocumentPublic } from './convert.ts';
import type { Operation } from './operation.ts';
import { RotatedKey, rotateKey } from './rotate.ts';
import { getHealth, getInfo, getLiveness, getOpenApi, getReadiness, serviceSchemas } from './service.ts';
import { getUsage, Usage } from './usage.ts';

export const operations: readonly Operation[] = [
  convertDocument,
  convertDocumentPublic,
  getConversion,
  getUsage,
  rotateKey,
  getHealth,
  getLiveness,
  getReadiness,
  getInfo,
  getOpenApi,
];

/** The schemas that the operations refer to by name. */
export const namedSchemas = [ErrorObject, Conversion, Usage, RotatedKey, ...serviceSchemas];
