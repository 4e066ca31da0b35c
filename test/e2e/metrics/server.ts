/** The server of all tests in this folder, and a Prometheus that scrapes it as the guide says. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { parse } from 'yaml';
import { Prometheus } from '../../support/prometheus.ts';
import { Server } from '../../support/server.ts';
import { until } from '../../support/until.ts';
import { rulesPath } from '../support/monitoring.ts';

export const WORKERS = 2;

/** What operators read. */
export const guide = readFileSync(join(import.meta.dirname, '../../../docs/monitoring.md'), 'utf8');
const scrapeConfiguration = /^```yaml\n(.*?)^```$/ms.exec(guide)?.[1] ?? '';

export const server = await Server.start({
  env: {
    WORKERS: String(WORKERS),
    PUBLIC_PER_SECOND: '1000',
    CONVERT_TIMEOUT_MS: '2500',
    // Each conversion is counted.
    HEALTH_INTERVAL_MS: '600000',
  },
});
t.teardown(() => server.stop('SIGKILL'));
export const created = await server.createKey();

/** The guide's scrape job, for this server, and the shipped rules. */
const [job] = parse(scrapeConfiguration, { strict: true }).scrape_configs;
export const prometheus = await Prometheus.start(t, {
  global: { evaluation_interval: '1s' },
  rule_files: [rulesPath],
  scrape_configs: [
    {
      ...job,
      scrape_interval: '1s',
      authorization: { ...job.authorization, credentials_file: join(server.dataDir, 'operator-token') },
      // In Kubernetes, the namespace is a label of what is scraped there.
      static_configs: [{ targets: [new URL(server.url).host], labels: { namespace: 'platen' } }],
    },
  ],
});
await until('Prometheus has scraped what is there before', async () => {
  const [up] = await prometheus.query('up');
  return up?.value === 1;
});
