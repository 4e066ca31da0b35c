#!/bin/sh
# In the checkout, after npm ci: builds it, and puts what the service needs into a folder: build.sh FOLDER
set -eu
out=$1

node --input-type=module --eval 'import { makeFonts } from "./scripts/fonts/make.mjs"; makeFonts();'
node --input-type=module --eval 'import { build } from "./scripts/build.mjs"; await build({ withLoop: false });'
# Where its tools are missing the build leaves it out, and the service would fall back to the slow engine.
test -x dist/kit/platen-kit

mkdir -p "$out"
cp -R dist dist.fonts package.json package-lock.json LICENSE CHANGELOG.md "$out"
cp docker/health.mjs "$out"
# The build has joined these modules, but for one. They are here for their licences, and for what lists an image's parts.
npm ci --prefix="$out" --omit=dev --ignore-scripts --no-audit --no-fund
