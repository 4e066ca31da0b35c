#!/bin/sh
# In a root folder where a Docker engine runs: builds the image, and those that its compose file names:
#
#   build-image.sh VERSION
#
# VERSION is LibreOffice's. No image registry is used: the base image is /srv/base.tar, a bare Debian, that of Node /srv/node.tar,
# which has the program only, and the others are made of Debian's packages. /srv/ca.pem holds additional authorities for npm.
set -eu
version=$1

# The names that the files give them.
base=$(sed -n 's/^ARG BASE=//p' docker/Dockerfile)
node=$(sed -n 's/^ARG NODE=//p' docker/Dockerfile)
image() {
    sed -n "s/^ *image: \($1:.*\)/\1/p" docker-compose.yml
}

# Once: a new image would invalidate everything built on it.
once() {
    docker image inspect "$2" >/dev/null 2>&1 || docker import "$1" "$2"
}
once /srv/base.tar "$base"
once /srv/node.tar "$node"
docker build --network=host --secret id=ca,src=/srv/ca.pem --build-arg LIBREOFFICE="$version" \
    --file docker/Dockerfile --tag platen:local .
for name in haproxy redis; do
    docker build --network=host --build-arg BASE="$base" --tag "$(image $name)" - <"test/container/$name.Dockerfile"
done
