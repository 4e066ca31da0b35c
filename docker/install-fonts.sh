#!/bin/sh
# In a Debian 13, as root: the fonts that documents find, and the index of them, which a read-only root cannot get later.
set -eu
here=$(dirname "$0")
# The packages of the table, one a line.
packages=$(sed -n 's/.*"name": "\([^"]*\)".*/\1/p' "$here/fonts/fonts.json")
test -n "$packages"
# shellcheck disable=SC2086 # a name each
sh "$here/apt-install.sh" fontconfig $packages
# Where the operator's own are mounted.
mkdir -p /usr/local/share/fonts/licensed
fc-cache --system-only --force
