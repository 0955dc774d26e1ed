#!/bin/sh
# The back office of an insurance: finds the session of a claim by the claim's number, tells it what was decided, and
# prints a link that opens it for the customer. It can be repeated: the session hears of each decision once.
#
#   SERVER=http://localhost:8080 KEY=… Examples/back-office.sh 4711 \
#       '{"event": "claim.didApprove", "payload": {"amount": "500"}}'
set -eu
claim=$1
event=$2

call() {
    curl --silent --show-error --fail-with-body --header "Authorization: Bearer $KEY" "$@"
}

session=$(call "$SERVER/sessions?limit=1&attribute.claim=$claim" | jq --raw-output '.sessions[0].id // empty')
if [ -z "$session" ]; then
    echo "There is no session for the claim $claim." >&2
    exit 1
fi
decision=$(printf '%s' "$event" | jq --compact-output '. + {origin: "host"}')
number=$(printf '%s' "$decision" | cksum | cut -d ' ' -f 1)
call --output /dev/null --header "Idempotency-Key: decision-$number" --json "$decision" "$SERVER/sessions/$session/events"
token=$(call --json '{"seconds": 86400}' "$SERVER/sessions/$session/tokens" | jq --raw-output .token)
echo "$SERVER/app?token=$token"
