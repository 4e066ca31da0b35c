/** How long what a conversion goes through may take together, in milliseconds. */
import type { Config } from '../config.ts';
import { MAX_READING_MS } from './package/limits.ts';

/** What a conversion may take beside its time limits: verification, a busy machine. */
const SLACK_MS = 10_000;

/** A heavy package waits for a thread of the preflight no longer than a document for a worker. */
export function preflightMs({ queueTimeoutMs }: Config): number {
  return queueTimeoutMs + MAX_READING_MS;
}

/** From the last byte of an upload to the first of its PDF: for so long its connection is silent. */
export function silentMs(config: Config): number {
  return preflightMs(config) + config.queueTimeoutMs + config.convertTimeoutMs;
}

/** From the admission of a conversion to the last byte of its PDF. */
export function longestConversionMs(config: Config): number {
  return config.uploadTimeoutMs + silentMs(config) + config.deliveryTimeoutMs + SLACK_MS;
}
