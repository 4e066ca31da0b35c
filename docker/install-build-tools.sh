#!/bin/sh
# In the image of the runtime, as root: what the build needs beside it. None of it is in the final image.
set -eu
sh "$(dirname "$0")/apt-install.sh" npm gcc libc6-dev make libreofficekit-dev libseccomp-dev libjemalloc-dev
