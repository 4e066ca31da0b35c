#!/bin/sh
# On a bare Debian 13, as root: installs the runtime without Node and fonts, and creates the service's user:
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
    # Preferred to Debian 13's own, now and later. Only these packages and their dependencies come from backports.
    printf '%s\n' "Package: src:libreoffice" "Pin: release n=trixie-backports" "Pin-Priority: 900" \
        >/etc/apt/preferences.d/libreoffice
    ;;
*)
    echo "install-runtime.sh: LibreOffice 25.2 or 26.8, not $libreoffice" >&2
    exit 1
    ;;
esac

# Fixes newer than the base image.
apt-get update
DEBIAN_FRONTEND=noninteractive apt-get upgrade -y

# libreoffice-writer, not -nogui: with LibreOfficeKit a document with comments opens annotation.ui.
# libreoffice-math: without it formulas are left out. hyphen-*: without them no word is hyphenated.
# ca-certificates: update-ca-certificates adds authorities in derived images.
# tini: Node does not reap orphans. poppler-utils: for pictures of pages, and `platen compare`. redis-server: for a container without REDIS_URL.
sh "$here/apt-install.sh" libreoffice-writer libreoffice-math libseccomp2 libjemalloc2 libdeflate0 qpdf ca-certificates tini \
    poppler-utils redis-server \
    hyphen-cs hyphen-da hyphen-de hyphen-en-gb hyphen-en-us hyphen-es hyphen-fr hyphen-it hyphen-nl hyphen-no \
    hyphen-pl hyphen-pt-br hyphen-pt-pt hyphen-ru hyphen-sv

# The kit is compiled for and tested with this version.
version=$(dpkg-query --show --showformat '${Version}' libreoffice-writer)
case $version in
*:"$libreoffice".*) ;;
*)
    echo "install-runtime.sh: LibreOffice $libreoffice is wanted; this is $version" >&2
    exit 1
    ;;
esac

# The Dockerfile uses the number, as Kubernetes' runAsNonRoot requires.
if ! getent passwd platen >/dev/null; then
    groupadd --system --gid 10001 platen
    useradd --system --uid 10001 --gid platen --home-dir /nonexistent --no-create-home --shell /usr/sbin/nologin platen
fi
rm -f /etc/passwd- /etc/group- /etc/shadow- /etc/gshadow-
# For the documents of the moment, and a mount point for data, whose owner a new volume takes over.
install -d -o platen -g platen -m 0700 /run/platen /run/platen/data
