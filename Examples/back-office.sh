#!/usr/bin/env bash
# The back office of an insurance: finds the session of a claim by the claim's number, tells it what was decided, and
# prints a link that opens it for the customer. It can be repeated: the session hears of each decision once.
#
#   SERVER=http://localhost:8080 KEY=… Examples/back-office.sh 4711 \
#       '{"event": "claim.didApprove", "payload": {"amount": "500"}}'
set -euo pipefail
claim=$1
decision=$(jq --compact-output '. + {origin: "host"}' <<<"$2")

call() {
    curl --silent --show-error --fail-with-body --header "Authorization: Bearer $KEY" "$@"
}

found=$(call --get --data-urlencode "attribute.claim=$claim" "$SERVER/sessions?limit=2") || { echo "$found" >&2; exit 1; }
session=$(jq --raw-output '.sessions | if length == 1 then .[0].id else empty end' <<<"$found")
[[ $session ]] || { echo "The claim $claim has no session, or several." >&2; exit 1; }
key="decision-$(cksum <<<"$decision" | cut -d ' ' -f 1)"
outcome=$(call --header "Idempotency-Key: $key" --json "$decision" "$SERVER/sessions/$session/events") ||
    { echo "$outcome" >&2; exit 1; }
[[ $(jq .handled <<<"$outcome") == true ]] || { echo "The claim $claim takes no such decision now." >&2; exit 1; }
token=$(call --json '{"seconds": 86400}' "$SERVER/sessions/$session/tokens" | jq --raw-output .token)
echo "$SERVER/app?token=$token"
