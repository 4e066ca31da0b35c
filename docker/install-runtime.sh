#!/bin/sh
# In a bare Debian 13, as root: what the service runs on, without the fonts, and the user that it runs as.
set -eu
here=$(dirname "$0")

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
*:25.2.*) ;;
*)
    echo "install-runtime.sh: LibreOffice 25.2 is wanted; this is $version" >&2
    exit 1
    ;;
esac

# By number in the Dockerfile, as Kubernetes' runAsNonRoot wants it.
if ! getent passwd platen >/dev/null; then
    groupadd --system --gid 10001 platen
    useradd --system --uid 10001 --gid platen --home-dir /nonexistent --no-create-home --shell /usr/sbin/nologin platen
fi
rm -f /etc/passwd- /etc/group- /etc/shadow- /etc/gshadow-
# The first for the journal, the second for the documents of the moment.
install -d -o platen -g platen -m 0700 /var/lib/platen /run/platen
