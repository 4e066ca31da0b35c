#!/bin/sh
# In the checkout, after npm ci: builds it and copies what the service needs into a folder: build.sh FOLDER
set -eu
out=$1

node --input-type=module --eval 'import { makeFonts } from "./scripts/fonts/make.mjs"; makeFonts();'
node --input-type=module --eval 'import { build } from "./scripts/build.mjs"; await build({ withLoop: false });'
# Without its tools the build skips the kit, and the service would fall back to the slow engine.
test -x dist/kit/platen-kit

mkdir -p "$out"
cp -R dist dist.fonts package.json package-lock.json LICENSE CHANGELOG.md "$out"
cp docker/health.mjs "$out"
# The build has bundled these modules. They are kept for their licences and for SBOM tools.
npm ci --prefix="$out" --omit=dev --ignore-scripts --no-audit --no-fund
