#!/bin/sh
# Installs Debian packages and cleans up: apt-install.sh PACKAGE...
set -eu
export DEBIAN_FRONTEND=noninteractive
apt-get update
apt-get install -y --no-install-recommends "$@"
apt-get clean
rm -rf /var/lib/apt/lists/* /var/cache/apt/*.bin /var/log/apt /var/log/dpkg.log /var/log/alternatives.log \
    /var/cache/debconf/*-old
