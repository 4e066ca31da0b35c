#!/bin/sh
# In a root folder that has Docker: runs a command while a Docker engine runs there, on its usual socket:
#
#   with-docker.sh bridges|host COMMAND [ARGUMENT]...
#
# With "bridges" containers have networks of their own; it changes the rules of the network namespace that it is in, so it
# wants one to itself. With "host" they may share that of the machine. The engine ends with the namespaces it is in
# (scripts/enter-root.sh).
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
