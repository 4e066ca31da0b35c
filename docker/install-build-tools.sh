#!/bin/sh
# In the runtime image, as root: installs build tools, which are not in the final image.
set -eu
# Debian's npm brings Debian's Node with it.
set --
command -v npm >/dev/null || set -- npm
sh "$(dirname "$0")/apt-install.sh" "$@" gcc libc6-dev make libreofficekit-dev libseccomp-dev libjemalloc-dev libqpdf-dev libhyphen-dev libdeflate-dev zlib1g-dev
