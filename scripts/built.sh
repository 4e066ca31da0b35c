#!/bin/sh
# Runs a program of the build: built.sh PROGRAM [ARGUMENT]...
if [ ! -e "$1" ]; then
    echo 'platen: not built yet: run "npm run build"' >&2
    exit 1
fi
# Stack traces name the sources, not the bundle.
exec node --enable-source-maps "$@"
