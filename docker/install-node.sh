#!/bin/sh
# In a bare Debian 13, as root: its own Node. Everything else is installed by scripts/setup.mjs, which Node runs.
set -eu
export DEBIAN_FRONTEND=noninteractive
apt-get update
apt-get install -y --no-install-recommends nodejs
