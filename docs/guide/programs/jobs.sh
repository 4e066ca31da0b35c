#!/usr/bin/env bash
set -u
target=$1
shift
attempts=8 poll=2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# Writes the answer to "curl ARGUMENTS… $PLATEN_URL$2" into the file $1, after as many attempts as it takes.
call() {
  local file=$1 path=$2 attempt answer status retry_after ceiling
  shift 2
  for ((attempt = 1; ; attempt++)); do
    # When curl itself fails, there was no answer, or half of one.
    answer=$(
      curl -sS --max-time 180 -o "$file" -w '%{http_code} %header{retry-after}' \
        -H @<(printf 'Authorization: Bearer %s' "$PLATEN_API_KEY") "$@" "$PLATEN_URL$path"
    ) || answer=000
    read -r status retry_after <<<"$answer"
    [[ $status == 2?? ]] && return
    echo "$path, attempt $attempt: $status $(cat "$file")" >&2
    [[ $status =~ ^(000|408|409|429|500|502|503|504)$ ]] && ((attempt < attempts)) || exit 1
    [[ $retry_after =~ ^[0-9]+$ ]] || retry_after=0
    ceiling=$((2 ** (attempt - 1)))
    sleep $((retry_after + RANDOM % (ceiling + 1)))
  done
}

documents=()
for document in "$@"; do
  [[ -r $document ]] || { echo "cannot read $document" >&2; exit 1; }
  documents+=(-F "file=@\"$document\"")
done
# The same in every attempt: however often it is sent, it is one job.
idempotency_key=$(od -An -N16 -tx1 /dev/urandom | tr -d ' \n')
call "$work/job" /v1/jobs -H "Idempotency-Key: $idempotency_key" "${documents[@]}"
id=$(grep -o 'job_[0-9a-f]*' "$work/job" | head -n 1)
# The first state of the answer is that of the job.
while grep -o '"state":"[a-z]*"' "$work/job" | head -n 1 | grep -qE 'queued|running'; do
  sleep $poll
  call "$work/job" "/v1/jobs/$id"
done
call "$work/archive" "/v1/jobs/$id/archive"
mv "$work/archive" "$target"
! grep -o '"error":{[^}]*}' "$work/job" >&2
