/**
 * Builds the image with a Docker engine in a root folder of its own, and runs a command there beside that engine:
 *
 *   node scripts/container.mjs COMMAND [ARGUMENT]...
 *
 * The engine is Debian's. Command and containers have a network namespace of their own. IMAGE_ROOT is the folder that keeps
 * the root and the builds; by default one in the temporary folder. LIBREOFFICE is the image's version of LibreOffice, 25.2
 * (default) or 26.8.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import {
  chosenLibreOffice,
  enter,
  installImageNode,
  orFail,
  prepareBareRoot,
  prepareRoot,
} from './image-root.mjs';
import { run, SetupError } from './run.mjs';

const packages = [
  'docker.io',
  'docker-cli',
  'docker-buildx',
  'docker-compose',
  'iptables',
  'iproute2',
  'nodejs',
  'curl',
  'poppler-utils',
];

try {
  const version = chosenLibreOffice();
  const folder = resolve(process.env.IMAGE_ROOT || join(tmpdir(), 'platen-image'));
  const root = prepareRoot(folder, 'engine', 'scripts/container.mjs', [
    ['sh', 'docker/apt-install.sh', ...packages],
  ]);
  const base = join(root, 'srv/base.tar');
  if (!existsSync(base))
    run('tar', ['--create', '--file', base, '--directory', prepareBareRoot(folder), '.']);
  const image = join(root, 'srv/node');
  installImageNode(folder, image);
  run('tar', ['--create', '--file', join(root, 'srv/node.tar'), '--directory', image, '.']);
  // The build must trust the same authorities as npm here.
  const authorities = process.env.NODE_EXTRA_CA_CERTS;
  writeFileSync(join(root, 'srv/ca.pem'), authorities ? readFileSync(authorities) : '');
  orFail(root, ['sh', 'scripts/with-docker.sh', 'host', 'sh', 'scripts/build-image.sh', version]);
  const given = ['env', `LIBREOFFICE=${version}`, ...process.argv.slice(2)];
  const command = ['sh', 'scripts/with-docker.sh', 'bridges', ...given];
  process.exitCode = enter(root, command, { withNetwork: false });
} catch (error) {
  if (!(error instanceof SetupError)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}
