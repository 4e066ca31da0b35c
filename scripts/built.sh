#!/bin/sh
# Runs a program of the build: built.sh PROGRAM [ARGUMENT]...
if [ ! -e "$1" ]; then
    echo 'platen: it is not built yet: run "npm run build"' >&2
    exit 1
fi
exec node "$@"
