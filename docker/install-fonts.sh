#!/bin/sh
# In a Debian 13, as root: the fonts that documents find, and the index of them, which a read-only root cannot get later.
set -eu
here=$(dirname "$0")
sh "$here/apt-install.sh" fontconfig fonts-liberation fonts-dejavu-core fonts-crosextra-carlito fonts-crosextra-caladea
# Where the operator's own are mounted.
mkdir -p /usr/local/share/fonts/licensed
fc-cache --system-only --force
