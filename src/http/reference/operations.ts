/** The public contract: every operation of the OpenAPI document, in its order. */

import { Conversion } from '../../operations/conversion-schema.ts';
import { RotatedKey } from '../../operations/key-schema.ts';
import { Usage } from '../../operations/usage.ts';
import { webhookSchemas } from '../../operations/webhook-schema.ts';
import { rotateKey } from '../account/rotate.contract.ts';
import { getUsage } from '../account/usage.contract.ts';
import { webhookOperations } from '../account/webhooks.contract.ts';
import type { Operation } from '../contract/operation.ts';
import { convertDocument, convertDocumentPublic } from '../conversion/convert.contract.ts';
import { getConversion } from '../conversion/results.contract.ts';
import { ErrorObject } from '../core/error-object.ts';
import { jobOperations, jobSchemas } from '../jobs/jobs.contract.ts';
import {
  getHealth,
  getInfo,
  getLiveness,
  getOpenApi,
  getReadiness,
  serviceSchemas,
} from '../service/service.contract.ts';

export const operations: readonly Operation[] = [
  convertDocument,
  convertDocumentPublic,
  getConversion,
  ...jobOperations,
  ...webhookOperations,
  getUsage,
  rotateKey,
  getHealth,
  getLiveness,
  getReadiness,
  getInfo,
  getOpenApi,
];

/** The schemas that the operations refer to by name. */
export const namedSchemas = [
  ErrorObject,
  Conversion,
  ...jobSchemas,
  ...webhookSchemas,
  Usage,
  RotatedKey,
  ...serviceSchemas,
];
