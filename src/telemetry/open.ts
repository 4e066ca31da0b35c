/** Telemetry, where the configuration asks for it: OpenTelemetry's SDK is loaded then only. */
import type { TelemetrySettings } from '../config.ts';
import type { Log } from '../system/log.ts';
import type { Telemetry } from './sdk.ts';

export type { Telemetry };

/** Begins to send; undefined: nothing is to be sent. */
export async function openTelemetry(
  settings: TelemetrySettings | undefined,
  log: Log,
): Promise<Telemetry | undefined> {
  if (!settings) return undefined;
  const { startSdk } = await import('./sdk.ts');
  return startSdk(settings, log);
}
