/** The public contract: every operation of the OpenAPI document, in its order. */
import { rotateKey } from '../account/rotate.contract.ts';
import { getUsage } from '../account/usage.contract.ts';
import { webhookOperations } from '../account/webhooks.contract.ts';
import type { Operation } from '../contract/operation.ts';
import { combineDocuments } from '../conversion/combine.contract.ts';
import { convertDocument, convertDocumentPublic } from '../conversion/convert.contract.ts';
import { getConversion } from '../conversion/results.contract.ts';
import { jobOperations } from '../jobs/jobs.contract.ts';
import { getHealth, getInfo, getLiveness, getOpenApi, getReadiness } from '../service/service.contract.ts';

export const operations: readonly Operation[] = [
  convertDocument,
  convertDocumentPublic,
  combineDocuments,
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
