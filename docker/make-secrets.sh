#!/bin/sh
# Creates the secrets of docker-compose.yml in docker/secrets. Existing ones stay.
set -eu
folder=$(dirname "$0")/secrets
umask 077
mkdir -p "$folder"
cd "$folder"

random() {
    head -c 32 /dev/urandom | od -An -v -tx1 | tr -d ' \n'
}

# The containers' users, which do not exist here, must be able to read them. The folder keeps others out.
chmod 0700 .
umask 022
[ -e operator-token ] || printf 'platen_op_%s\n' "$(random)" >operator-token
if [ ! -e redis-url ]; then
    password=$(random)
    # Nobody can be the default user, but it may do everything: Redis reads its append-only file as that user at a start, and
    # leaves out the transactions that it may not do.
    printf 'user default off resetpass ~* &* +@all\nuser platen on >%s ~platen:* &* +@all -@admin -@dangerous +info +cluster|info\n' \
        "$password" >redis-users
    printf 'redis://platen:%s@redis:6379\n' "$password" >redis-url
fi
# The container that connects to others' addresses gets a user for what it works on: no keys, records of jobs, or bills.
if [ ! -e redis-url-egress ]; then
    password=$(random)
    printf 'user platen-egress on >%s ~platen:{jobs}:* ~platen:{egress}:* ~platen:{webhooks}:* ~platen:webhooks:* ~platen:{*}:*:webhook* &* +@all -@admin -@dangerous +info +cluster|info\n' \
        "$password" >>redis-users
    printf 'redis://platen-egress:%s@redis:6379\n' "$password" >redis-url-egress
fi
# The operator's own user, which no container uses: docs/redis.md says what it is for.
if ! grep -q '^user admin ' redis-users; then
    password=$(random)
    printf 'user admin on >%s ~* &* +@all\n' "$password" >>redis-users
    printf '%s\n' "$password" >redis-admin
fi
