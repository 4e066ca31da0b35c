#!/bin/sh
# soffice as the cold engine starts it: with the kit's settings, and dying with the process that started it.
#   PLATEN_PROGRAM   LibreOffice's program folder
#   PLATEN_SETTINGS  the settings (kit.xcu) for the fresh profile
#   PLATEN_COMPRESSION  1 where full-width punctuation may be compressed, otherwise 0
#   TMPDIR           gets `pid`, the id of the process group to kill, and `status`, how soffice ended: its exit code, or
#                    128 and the number of the signal that ended it; `cancelled` in it means not to start
# The first argument is -env:UserInstallation=file://PROFILE, as libreoffice-convert passes it.
set -u
if [ -z "${PLATEN_BOUND:-}" ]; then
    export PLATEN_BOUND=1
    # A session, and with it a process group, of its own: one signal reaches all of it.
    exec setsid setpriv --pdeathsig KILL "$0" "$@"
fi
echo "$$" >"$TMPDIR/pid"
[ ! -e "$TMPDIR/cancelled" ] || exit 1
profile="${1#-env:UserInstallation=file://}"
mkdir -p "$profile/user"
sed "/CompressCharacterDistance/s|<value>.</value>|<value>$PLATEN_COMPRESSION</value>|" "$PLATEN_SETTINGS" \
    >"$profile/user/registrymodifications.xcu"

run() {
    setpriv --pdeathsig KILL "$PLATEN_PROGRAM/soffice.bin" "$@"
    status=$?
}
run "$@"
# A fresh profile makes LibreOffice set itself up and ask, with exit code 81, to be started again.
[ "$status" -ne 81 ] || run "$@"
echo "$status" >"$TMPDIR/status"
exit "$status"
