#!/usr/bin/env bash
set -u
output=${1:?usage: combine.sh WHOLE.pdf ONE.docx TWO.docx …}
shift
attempts=8 base_ms=500 cap_ms=30000 longest_retry_after=120

parts=()
for input; do
  if [[ ! -r $input ]]; then
    echo "cannot read $input" >&2
    exit 1
  fi
  parts+=(-F "file=@\"$input\"")
done
part=$output.part.$$
trap 'rm -f "$part"' EXIT
# One for the documents, the same in every attempt: however often they are sent, they are billed once.
idempotency_key=$(od -An -N16 -tx1 /dev/urandom | tr -d ' \n')

for ((attempt = 1; ; attempt++)); do
  : >"$part" || exit 1
  # When curl itself fails, there was no answer, or half of one.
  answer=$(
    curl -sS --max-time 180 -o "$part" -w '%{http_code} %header{retry-after}' \
      -H @<(printf 'Authorization: Bearer %s' "$PLATEN_API_KEY") \
      -H "Idempotency-Key: $idempotency_key" "${parts[@]}" "$PLATEN_URL/v1/combine"
  ) || answer=000
  read -r status retry_after <<<"$answer"
  if [[ $status == 200 ]]; then
    mv "$part" "$output"
    exit 0
  fi
  echo "attempt $attempt: $status $(cat "$part")" >&2

  case $status in
    000 | 408 | 409 | 429 | 502 | 503 | 504) retry=yes ;;
    500) retry=$(grep -qs '"INTERNAL_ERROR"' "$part" && echo yes) ;;
    *) retry= ;;
  esac
  [[ $retry_after =~ ^[0-9]+$ ]] || retry_after=0
  if [[ -z $retry ]] || ((attempt == attempts || retry_after > longest_retry_after)); then
    exit 1
  fi
  # Full jitter, on top of what the service asked for.
  ceiling=$((base_ms << (attempt - 1)))
  ((ceiling > cap_ms)) && ceiling=$cap_ms
  wait_ms=$((retry_after * 1000 + (RANDOM * 32768 + RANDOM) % (ceiling + 1)))
  sleep "$(printf '%d.%03d' $((wait_ms / 1000)) $((wait_ms % 1000)))"
done
