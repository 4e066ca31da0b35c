#!/bin/sh
# In the runtime image, as root: installs build tools, which are not in the final image.
set -eu
sh "$(dirname "$0")/apt-install.sh" npm gcc libc6-dev make libreofficekit-dev libseccomp-dev libjemalloc-dev libqpdf-dev libhyphen-dev
