#!/bin/sh
# Runs a command in a root folder, in the checkout there:
#
#   unshare --mount --pid --fork --kill-child sh enter-root.sh ROOT CHECKOUT [OPTION]... COMMAND [ARGUMENT]...
#
# --show FOLDER PATH mounts a folder read-only at a path inside; --share FOLDER PATH, read-write.
#
# Thanks to the namespaces, no mount and no process stays behind. CHECKOUT is the outer one: its npm packages, and the documents
# in a folder "shared" beside it, are mounted read-only.
set -eu
root=$1 checkout=$2
shift 2

# A mount of its own, so that programs inside can create mount namespaces.
mount --bind "$root" "$root"
mount -t proc proc "$root/proc"
mount --rbind /sys "$root/sys"
mount --rbind /dev "$root/dev"
mount -t tmpfs -o nosuid,nodev,mode=1777 tmpfs "$root/dev/shm"

show() {
    mkdir -p "$2"
    mount --bind "$1" "$2"
    mount -o remount,bind,ro "$2"
}
show "$checkout/node_modules" "$root/srv/platen/node_modules"
# As a container engine does: the machine's name has an address, so that no program asks a name server for it.
: >>"$root/etc/hosts"
mount --bind /etc/hosts "$root/etc/hosts"
if [ -d "$checkout/../shared" ]; then
    show "$checkout/../shared" "$root/srv/shared"
fi
while :; do
    case $1 in
    --show) show "$2" "$root$3" ;;
    --share) mkdir -p "$root$3" && mount --bind "$2" "$root$3" ;;
    *) break ;;
    esac
    shift 3
done

# Not chroot alone: containers, with their own mount namespaces, would see the old root below theirs.
cd "$root"
pivot_root . mnt
umount --lazy /mnt
# Not exec: this shell is the first process of its namespace and reaps orphans.
env -i PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin HOME=/root TERM="${TERM:-dumb}" \
    chroot . sh -c 'cd /srv/platen && exec "$@"' sh "$@"
