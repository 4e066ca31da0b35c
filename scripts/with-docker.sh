#!/bin/sh
# In a root folder that has Docker: runs a command while a Docker engine runs there, on its usual socket:
#
#   with-docker.sh bridges|host COMMAND [ARGUMENT]...
#
# With "bridges" containers have their own networks; this changes the rules of the network namespace, so use one of its own.
# With "host" containers may share the machine's. The engine ends with its namespaces (scripts/enter-root.sh).
set -eu
networks=$1
shift

mount -t tmpfs -o mode=755 tmpfs /run
if [ "$networks" = bridges ]; then
    ip link set lo up
    dockerd >/var/log/dockerd.log 2>&1 &
else
    dockerd --bridge=none --iptables=false --ip6tables=false >/var/log/dockerd.log 2>&1 &
fi
engine=$!

until docker info >/dev/null 2>&1; do
    if ! kill -0 "$engine" 2>/dev/null; then
        tail -n 5 /var/log/dockerd.log >&2
        exit 1
    fi
    sleep 0.2
done
exec "$@"
