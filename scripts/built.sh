#!/bin/sh
# Runs a program of the build: built.sh PROGRAM [ARGUMENT]...
if [ ! -e "$1" ]; then
    echo 'platen: it is not built yet: run "npm run build"' >&2
    exit 1
fi
# Stacks name the sources, not what the build made of them.
exec node --enable-source-maps "$@"
