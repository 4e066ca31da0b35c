#!/bin/sh
# In a root folder where a Docker engine runs: builds the image, and those that its compose file names:
#
#   build-image.sh VERSION
#
# VERSION is LibreOffice's. No image registry is used: the base image is /srv/base.tar, a bare Debian, and the others are made
# of Debian's packages. /srv/ca.pem holds additional authorities for npm.
set -eu
version=$1

# The names that the files give them.
base=$(sed -n 's/^ARG BASE=//p' docker/Dockerfile)
image() {
    sed -n "s/^ *image: \($1:.*\)/\1/p" docker-compose.yml
}

# Once: a new base image would invalidate everything built on it.
if ! docker image inspect "$base" >/dev/null 2>&1; then
    docker import /srv/base.tar "$base"
fi
docker build --network=host --secret id=ca,src=/srv/ca.pem --build-arg LIBREOFFICE="$version" \
    --file docker/Dockerfile --tag platen:local .
for name in haproxy redis; do
    docker build --network=host --build-arg BASE="$base" --tag "$(image $name)" - <"test/container/$name.Dockerfile"
done
