/**
 * A process of the fleet: the service as src/main.ts runs it, with an engine that waits. fleet.ts starts it; it ends when that
 * process does. Jobs of all servers are in one folder, in place of S3.
 */
import { readFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { buildApp } from '../../src/app.ts';
import { readConfig } from '../../src/config.ts';
import { installedFonts } from '../../src/convert/fonts/installed-fonts.ts';
import { openServices } from '../../src/services.ts';
import { FolderStore } from '../../src/storage/folder-store.ts';
import { openLog } from '../../src/system/log.ts';
import type { FleetSettings, Started } from './fleet.ts';
import { WaitingEngine } from './waiting-engine.ts';

/** Here fifty servers share two cores, so Redis may seem to hang. */
const PATIENCE_MS = 60_000;

const { engine, objects } = JSON.parse(await readFile(process.argv[2] ?? '', 'utf8')) as FleetSettings;
const config = readConfig(process.env);
const services = await openServices(config, openLog(config.logLevel), {
  makeEngine: () => new WaitingEngine(engine),
  openStorage: () => FolderStore.open(objects),
  // No font is used.
  readFonts: async () => installedFonts(''),
  waits: { requestMs: PATIENCE_MS, commandMs: PATIENCE_MS, silenceMs: PATIENCE_MS },
});
const app = await buildApp(services);
process.once('disconnect', async () => {
  services.lifecycle.drain();
  await app.close();
  await services.close();
  process.exit(0);
});
process.on('message', () => process.send?.(services.engine.status().documents));
const { host, port } = config;
await app.listen({ host, port });
await services.warmUp();
services.lifecycle.ready();
services.jobs?.start();
services.warnings.start();
services.removal.start();
process.send?.({ port: (app.server.address() as AddressInfo).port } satisfies Started);
