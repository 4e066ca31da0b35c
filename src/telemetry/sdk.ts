/** OpenTelemetry's SDK for Node. It reads most of the standard variables itself. */
import { type ContextManager, DiagLogLevel, diag } from '@opentelemetry/api';
import { OTLPMetricExporter as GrpcExporter } from '@opentelemetry/exporter-metrics-otlp-grpc';
import { OTLPMetricExporter as JsonExporter } from '@opentelemetry/exporter-metrics-otlp-http';
import { OTLPMetricExporter as ProtobufExporter } from '@opentelemetry/exporter-metrics-otlp-proto';
import { core, metrics, NodeSDK, resources } from '@opentelemetry/sdk-node';
import type { MetricObjectWithValues, MetricValue } from 'prom-client';
import type { MetricsSettings, TelemetrySettings } from '../config.ts';
import type { Log } from '../system/log.ts';
import { readVersion } from '../system/version.ts';
import { FailureLog } from './failure-log.ts';
import { metricData } from './metric-data.ts';

/** Reads all metrics, as prom-client's registry has them. */
type ReadMetrics = () => Promise<readonly MetricObjectWithValues<MetricValue<string>>[]>;

export interface Telemetry {
  /** Sends these metrics, from now on. */
  sendMetrics(read: ReadMetrics): void;

  /** Sends what is left, for five seconds at most. Never rejects. */
  close(): Promise<void>;
}

/** How long the end may take. */
const CLOSE_MS = 5_000;

const exporters = { grpc: GrpcExporter, 'http/json': JsonExporter, 'http/protobuf': ProtobufExporter };

/** Begins to send spans and metrics by OTLP. A collector that does not answer delays nothing. */
export function startSdk({ serviceName, traces, metrics: settings }: TelemetrySettings, log: Log): Telemetry {
  const failures = new FailureLog(log);
  core.setGlobalErrorHandler((error) => failures.report(error));
  const producer = new RegistryProducer();
  const readers = settings ? [createReader(settings, producer)] : [];
  const sdk = new NodeSDK({
    resource: resources
      .defaultResource()
      .merge(
        resources.resourceFromAttributes({ 'service.name': serviceName, 'service.version': readVersion() }),
      ),
    // Those of the process would tell command lines.
    resourceDetectors: [resources.hostDetector, resources.serviceInstanceIdDetector, resources.envDetector],
    // By default what the variables say.
    ...(!traces && { spanProcessors: [] }),
    metricReaders: readers,
    logRecordProcessors: [],
    // Null is for none, see trace.ts; its type does not say so.
    contextManager: null as unknown as ContextManager,
  });
  const quiet = () => {};
  const report = (message: string) => failures.report(new Error(message));
  diag.setLogger(
    { error: report, warn: report, info: quiet, debug: quiet, verbose: quiet },
    { logLevel: DiagLogLevel.WARN, suppressOverrideMessage: true },
  );
  sdk.start();
  log.info({ traces, metrics: settings !== undefined }, 'telemetry is sent');
  return {
    sendMetrics: (read) => producer.read(read),
    close: () => within(CLOSE_MS, sdk.shutdown(), failures),
  };
}

function createReader(
  { protocol, intervalMs, timeoutMs }: MetricsSettings,
  producer: metrics.MetricProducer,
): metrics.IMetricReader {
  return new metrics.PeriodicExportingMetricReader({
    exporter: new exporters[protocol](),
    exportIntervalMillis: intervalMs,
    exportTimeoutMillis: timeoutMs,
    metricProducers: [producer],
  });
}

/** Hands the metrics of a registry to the SDK, once they are there. */
class RegistryProducer implements metrics.MetricProducer {
  #read: ReadMetrics | undefined;

  read(read: ReadMetrics): void {
    this.#read = read;
  }

  async collect(): Promise<metrics.CollectionResult> {
    const found = await this.#read?.();
    const scopeMetrics = found ? [{ scope: { name: 'platen' }, metrics: metricData(found, Date.now()) }] : [];
    return { resourceMetrics: { resource: resources.emptyResource(), scopeMetrics }, errors: [] };
  }
}

async function within(ms: number, end: Promise<void>, failures: FailureLog): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error('the end came before the last of it was sent')), ms);
  });
  await Promise.race([end, late]).catch((error: Error) => failures.report(error));
  clearTimeout(timer);
}
