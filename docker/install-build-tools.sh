#!/bin/sh
# In the runtime image, as root: installs build tools, which are not in the final image.
set -eu
# Debian's npm brings Debian's Node, but runs with the one in /usr/local.
sh "$(dirname "$0")/apt-install.sh" npm gcc libc6-dev make libreofficekit-dev libseccomp-dev libjemalloc-dev libqpdf-dev libhyphen-dev libdeflate-dev zlib1g-dev
