#!/bin/sh
# In a bare Debian 13, as root: what the service runs on, without the fonts, and the user that it runs as:
#
#   install-runtime.sh [25.2|26.8]
#
# The version is LibreOffice's: Debian 13 has 25.2, its backports have 26.8.
set -eu
here=$(dirname "$0")
libreoffice=${1:-25.2}

case $libreoffice in
25.2) ;;
26.8)
    echo "deb http://deb.debian.org/debian trixie-backports main" >/etc/apt/sources.list.d/backports.list
    # Before Debian 13's own, here and in whatever is installed later. Nothing else comes from backports unless these need it.
    printf '%s\n' "Package: src:libreoffice" "Pin: release n=trixie-backports" "Pin-Priority: 900" \
        >/etc/apt/preferences.d/libreoffice
    ;;
*)
    echo "install-runtime.sh: LibreOffice 25.2 or 26.8, not $libreoffice" >&2
    exit 1
    ;;
esac

# Fixes that are newer than the base image.
apt-get update
DEBIAN_FRONTEND=noninteractive apt-get upgrade -y

# libreoffice-writer, not -nogui: with LibreOfficeKit a document with comments opens annotation.ui.
# libreoffice-math: without it formulas are left out. hyphen-*: without them no word is broken.
# ca-certificates: for rediss://, as Debian's Node has no authorities of its own.
# tini: Node does not reap the processes that lose their parent.
sh "$here/apt-install.sh" nodejs libreoffice-writer libreoffice-math libseccomp2 libjemalloc2 ca-certificates tini \
    hyphen-cs hyphen-da hyphen-de hyphen-en-gb hyphen-en-us hyphen-es hyphen-fr hyphen-it hyphen-nl hyphen-no \
    hyphen-pl hyphen-pt-br hyphen-pt-pt hyphen-ru hyphen-sv

# What the kit is compiled for and tested with.
version=$(dpkg-query --show --showformat '${Version}' libreoffice-writer)
case $version in
*:"$libreoffice".*) ;;
*)
    echo "install-runtime.sh: LibreOffice $libreoffice is wanted; this is $version" >&2
    exit 1
    ;;
esac

# By number in the Dockerfile, as Kubernetes' runAsNonRoot wants it.
if ! getent passwd platen >/dev/null; then
    groupadd --system --gid 10001 platen
    useradd --system --uid 10001 --gid platen --home-dir /nonexistent --no-create-home --shell /usr/sbin/nologin platen
fi
rm -f /etc/passwd- /etc/group- /etc/shadow- /etc/gshadow-
# For the documents of the moment.
install -d -o platen -g platen -m 0700 /run/platen
