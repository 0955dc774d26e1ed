"""What schemathesis does not know of the server: a format, and the failures that are none."""

import itertools
import json

import schemathesis
from schemathesis.generation import GenerationMode


# A journal is described as the array of its lines.
@schemathesis.deserializer("application/x-ndjson")
def lines_of_journal(context, response):
    return [json.loads(line) for line in response.content.splitlines()]


@schemathesis.serializer("application/x-ndjson")
def journal_of_lines(context, value):
    lines = value if isinstance(value, list) else [value]
    return "\n".join(json.dumps(line) for line in lines).encode()


# OpenAPI 3.1 has no words for a stream, which is described as the array of its messages. Here each of them is looked
# at, as it comes over the wire: all that it has are texts.
@schemathesis.hook
def before_load_schema(context, raw_schema):
    schemas = raw_schema["components"]["schemas"]
    schemas["Stream"] = schemas["Stream"]["items"]
    for name in ("StreamedRoute", "StreamEnd"):
        fields = schemas[name]["properties"]
        fields["data"] = {
            "type": "string", "contentMediaType": "application/json", "contentSchema": fields["data"]
        }
    schemas["StreamedRoute"]["properties"]["id"] = {"type": "string", "pattern": "^[0-9]+$"}


# Events are told in three forms, by what the client accepts, which is nothing that schemathesis varies. Only valid
# requests are sent for all three: a stream and an export do not look at `after` and `limit`.
FORMS = itertools.cycle(["application/json", "application/x-ndjson", "text/event-stream"])


@schemathesis.hook
def before_call(context, case, kwargs):
    if case.method == "GET" and case.path.endswith("/events"):
        if case.meta is not None and case.meta.generation.mode == GenerationMode.POSITIVE:
            case.headers["Accept"] = next(FORMS)


# Refusals of requests that are as described, and right all the same: what is in them is judged by the app, or by what
# the session has become, and a schema knows of neither.
JUDGED_BY_THE_APP = {"unknown-event", "unknown-path", "invalid-payload", "invalid-options", "event-not-allowed"}
JUDGED_BY_THE_SESSION = {
    # `at` names a coordinator that the tree does not have now.
    "unknown-coordinator",
    # `If-Match` names another version.
    "version-conflict",
    # A key was used for another request.
    "idempotency-mismatch",
    # A journal does not lead where it says; no made-up one does.
    "invalid-journal",
}
# What depends on two parameters at once, or is a value that only the server can have made.
JUDGED_TOGETHER = {
    "The header Session and the cookie session name different sessions. Send only one of them.",
    'Send either "version" or "until", not both.',
    'The query item "after" must be the value of "next" on the previous page.',
    'The query item "work" is only for imported journals. Leave it out.',
}


@schemathesis.hook
def filter_failure(context, failure, case, response):
    try:
        problem = response.json()
        kind = problem["type"].removeprefix("/problems/")
    except (ValueError, TypeError, KeyError, AttributeError):
        return True
    if type(failure).__name__ == "RejectedPositiveData":
        # Which fields an event or an option has is the app's to say.
        if kind == "unknown-field" and problem["pointer"].startswith(("/payload/", "/options/")):
            return False
        # Only a session whose work is withheld has it.
        if kind == "unknown-field" and problem["pointer"] == "/pending":
            return False
        return kind not in JUDGED_BY_THE_APP | JUDGED_BY_THE_SESSION and problem["detail"] not in JUDGED_TOGETHER
    # A condition on the session's version is judged before a body's content, as RFC 9110 (section 13.2.1) has it.
    if type(failure).__name__ == "AcceptedNegativeData":
        return response.status_code != 412
    # A new session is there, and has not come to that version yet.
    if type(failure).__name__ == "EnsureResourceAvailability":
        return kind != "version-not-found"
    return True
