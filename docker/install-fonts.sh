#!/bin/sh
# On Debian 13, as root: installs fonts and their index, which a read-only root cannot create later.
set -eu
here=$(dirname "$0")
# The table's packages, one per line.
packages=$(sed -n 's/.*"name": "\([^"]*\)".*/\1/p' "$here/fonts/fonts.json")
test -n "$packages"
# shellcheck disable=SC2086 # a name each
sh "$here/apt-install.sh" fontconfig $packages
# Mount point of the operator's fonts.
mkdir -p /usr/local/share/fonts/licensed
fc-cache --system-only --force
