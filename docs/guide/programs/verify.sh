#!/usr/bin/env bash
set -euo pipefail
fail() { echo "$1" >&2; exit 1; }

# The body as it came, with its last line breaks.
body=$(cat; printf x)
body=${body%x}

age=$(($(date +%s) - WEBHOOK_TIMESTAMP))
((age <= 300 && age >= -300)) || fail 'The message is too old, or from the future.'

key=$(printf %s "${WEBHOOK_SECRET#whsec_}" | base64 -d | od -An -vtx1 | tr -d ' \n')
expected=$(printf '%s.%s.%s' "$WEBHOOK_ID" "$WEBHOOK_TIMESTAMP" "$body" |
  openssl dgst -sha256 -mac HMAC -macopt "hexkey:$key" -binary | base64)
for signature in $WEBHOOK_SIGNATURE; do
  if [[ $signature == "v1,$expected" ]]; then
    printf %s "$body"
    exit
  fi
done
fail 'No signature fits.'
