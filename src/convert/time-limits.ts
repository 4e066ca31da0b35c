/** Sums of a conversion's time limits, in milliseconds. */
import type { Config } from '../config.ts';

/** Extra time of a conversion besides its limits: verification, a busy machine. */
const SLACK_MS = 10_000;

/**
 * From the last byte of an upload to the first byte of its PDF: how long the connection may be silent. A document waits to be read
 * no longer than for a worker.
 */
export function silentMs({ queueTimeoutMs, convertTimeoutMs }: Config): number {
  return 2 * queueTimeoutMs + convertTimeoutMs + SLACK_MS;
}

/** How long several documents may take together, from the last byte of their upload to their PDF. */
export function combiningMs(config: Config): number {
  return silentMs(config) - SLACK_MS;
}

/** From the admission of a conversion to the last byte of its PDF. */
export function longestConversionMs(config: Config): number {
  return config.uploadTimeoutMs + silentMs(config) + config.deliveryTimeoutMs + SLACK_MS;
}

/** From the first byte of a job's upload to its record. */
export function jobIntakeMs({ uploadTimeoutMs }: Config): number {
  return uploadTimeoutMs + SLACK_MS;
}
