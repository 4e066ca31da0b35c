/**
 * Sets up this checkout on a fresh Debian machine with Node: system packages, npm packages, build. Each step first checks
 * whether it is needed, so a second run is quick.
 *
 *   node scripts/setup.mjs            for `npm start`
 *   node scripts/setup.mjs --test     also what the tests need
 *   node scripts/setup.mjs --bench    also what the benchmarks need
 *   node scripts/setup.mjs --image    also what scripts/image.mjs needs
 *
 * Only Node's own modules are imported at the top, as there are no others before the second step.
 */
import { makeFonts } from './fonts/make.mjs';
import { buildTap, installNpmPackages, installTestPackages } from './npm-packages.mjs';
import { SetupError } from './run.mjs';
import { installSystemPackages, reportMissingLanguages } from './system-packages.mjs';

const OLDEST_NODE = [20, 19];

function checkNode() {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  const [oldestMajor = 0, oldestMinor = 0] = OLDEST_NODE;
  if (major < oldestMajor || (major === oldestMajor && minor < oldestMinor)) {
    throw new SetupError(
      `Platen needs Node ${OLDEST_NODE.join('.')} or later; this is ${process.versions.node}.`,
    );
  }
}

/** @param {{ forTest: boolean, forBench: boolean }} options */
async function prepareCheckout({ forTest, forBench }) {
  installNpmPackages();
  if (forTest) buildTap();
  makeFonts();
  const { build } = await import('./build.mjs');
  await build({ withLoop: forBench });
}

/** @param {unknown} error */
function report(error) {
  console.error(error instanceof SetupError ? error.message : error);
  process.exitCode = 1;
}

try {
  const forTest = process.argv.includes('--test');
  const forBench = process.argv.includes('--bench');
  checkNode();
  installSystemPackages({ forTest, forBench, forImage: process.argv.includes('--image') });
  if (forTest) reportMissingLanguages();
  const steps = [forTest && installTestPackages(), prepareCheckout({ forTest, forBench })];
  for (const step of await Promise.allSettled(steps)) if (step.status === 'rejected') report(step.reason);
} catch (error) {
  report(error);
}
