#!/bin/sh
# redis-server as the embedded Redis starts it: it cannot outlive Platen, however that ends.
#   $1, $2 ...  Platen's process id; arguments of redis-server
#   fd 3        the folder's lock, which redis-server keeps open
#   fd 4        a pipe that ends with Platen
# When Platen is gone, the kernel sends SIGTERM (set by whoever runs this), at which redis-server writes what it has
# and ends. It does not when it is stopped (SIGSTOP) or hangs in a script. So it has a guard, a child in its process
# group, which the kernel ends with it. When the pipe ends, the guard wakes the group, and kills it 1.2 s later.
set -u
# Platen may have died just before the kernel was told to watch it.
[ "$PPID" = "$1" ] || exit 1
shift
command -v redis-server >/dev/null || exit 127
setpriv --pdeathsig KILL sh -c '
    read -r _
    kill -s CONT 0
    setpriv --pdeathsig KILL sleep 1.2
    kill -s KILL 0
' "guard of $PWD" <&4 >/dev/null 2>&1 3>&- 4>&- &
exec redis-server "$@" 4>&-
