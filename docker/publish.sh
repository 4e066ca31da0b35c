#!/bin/sh
# Builds the image of a release for amd64 and arm64, with SBOM and provenance, and pushes it:
#
#   publish.sh [--print] REPOSITORY
#
# REPOSITORY is where it goes, such as registry.example/platen; log in there first (docker login). The checkout is the commit that
# is tagged with the version of package.json. The tags are VERSION and, unless that is a pre-release, MAJOR.MINOR and latest.
# --print only shows the command. A builder of several platforms is needed: docker buildx create --use.
set -eu
cd "$(dirname "$0")/.."

fail() {
    echo "publish.sh: $1" >&2
    exit 1
}
run=
if [ "${1:-}" = --print ]; then
    run='echo'
    shift
fi
[ $# -eq 1 ] || fail 'name one repository, such as registry.example/platen'
repository=$1

version=$(sed -n 's/^  "version": "\(.*\)",$/\1/p' package.json)
commit=$(git rev-parse HEAD)
[ "$(git rev-parse --quiet --verify "refs/tags/$version^{commit}")" = "$commit" ] ||
    fail "the commit is not tagged $version, the version in package.json"
[ -z "$(git status --porcelain)" ] || fail 'the checkout has changes'

set -- --tag "$repository:$version"
case $version in
*-*) ;;
*)
    set -- "$@" --tag "$repository:${version%.*}"
    # Not for a patch of an older line.
    newest=$(git tag --list '*.*.*' --sort=-version:refname | grep -v - | head -n 1)
    [ "$newest" != "$version" ] || set -- "$@" --tag "$repository:latest"
    ;;
esac
$run docker buildx build --file docker/Dockerfile --platform linux/amd64,linux/arm64 --pull --sbom=true --provenance=mode=max \
    --build-arg "VERSION=$version" --build-arg "REVISION=$commit" \
    --build-arg "CREATED=$(TZ=UTC git log -1 --format=%cd --date=format-local:%Y-%m-%dT%H:%M:%SZ)" "$@" --push .
