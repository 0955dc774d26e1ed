"""What schemathesis does not know about the server: a format, and failures that are correct answers."""

import itertools
import json

import requests
import schemathesis
from schemathesis.generation import GenerationMode


# The description shows a journal as the array of its lines.
@schemathesis.deserializer("application/x-ndjson")
def lines_of_journal(context, response):
    return [json.loads(line) for line in response.content.splitlines()]


@schemathesis.serializer("application/x-ndjson")
def journal_of_lines(context, value):
    lines = value if isinstance(value, list) else [value]
    return "\n".join(json.dumps(line) for line in lines).encode()


# A form without values, such as {"key": []}, encodes as an empty text, which requests sends without a length.
@schemathesis.serializer("application/x-www-form-urlencoded")
def form_with_length(context, value):
    return requests.Request("POST", "http://localhost", data=value).prepare().body or b""


# OpenAPI 3.1 cannot describe a stream, so the description shows the array of its messages. Each message is checked as
# it arrives: all its fields are texts.
@schemathesis.hook
def before_load_schema(context, raw_schema):
    schemas = raw_schema["components"]["schemas"]
    schemas["Stream"] = schemas["Stream"]["items"]
    fields = schemas["StreamMessage"]["properties"]
    fields["data"] = {"type": "string", "contentMediaType": "application/json", "contentSchema": fields["data"]}
    fields["id"] = {"type": "string", "pattern": "^[0-9]+$"}


# Events have three formats, chosen by what the client accepts, which schemathesis does not vary. Only valid requests
# are sent for all three, because a stream and an export ignore `after` and `limit`.
FORMS = itertools.cycle(["application/json", "application/x-ndjson", "text/event-stream"])


@schemathesis.hook
def before_call(context, case, kwargs):
    if case.method == "GET" and case.path.endswith("/events"):
        if case.meta is not None and case.meta.generation.mode == GenerationMode.POSITIVE:
            case.headers["Accept"] = next(FORMS)


# Correct refusals of valid requests. The app or the session's state decides about their content, which a schema cannot
# know.
JUDGED_BY_THE_APP = {"unknown-event", "unknown-path", "invalid-payload", "invalid-options", "event-not-allowed"}
JUDGED_BY_THE_SESSION = {
    # `at` names a coordinator that the tree does not have.
    "unknown-coordinator",
    # `If-Match` names another version.
    "version-conflict",
    # The key was used for another request.
    "idempotency-mismatch",
    # The journal's replay differs from its records. This is true for every made-up journal.
    "invalid-journal",
}
# Rules that depend on two parameters at once, or on a value that only the server can create.
JUDGED_TOGETHER = {
    'The field "origin" must be "host", without "pending", or left out.',
    # Bytes, of which a character can have several.
    "A key is 1 to 200 bytes of UTF-8 without control characters, percent-encoded in the path.",
    "The header Session and the session cookie name different sessions. Send only one of them.",
    'Send either "version" or "until", not both.',
    'The query item "after" must be the value of "next" on the previous page.',
    'The query item "work" is only for imported journals. Leave it out.',
}


@schemathesis.hook
def filter_failure(context, failure, case, response):
    # Forms of the app's pages send what the page has, such as a payload in JSON, which a schema of texts cannot describe.
    if case.path == "/app" and type(failure).__name__ == "RejectedPositiveData":
        return response.status_code not in (400, 422)
    # The body counts only if it creates the session.
    if case.path == "/sessions/by-key/{key}" and type(failure).__name__ == "AcceptedNegativeData":
        return response.status_code not in (200, 413)
    try:
        problem = response.json()
        kind = problem["type"].removeprefix("/problems/")
    except (ValueError, TypeError, KeyError, AttributeError):
        return True
    if type(failure).__name__ == "RejectedPositiveData":
        # The app decides which fields an event or an option has.
        if kind == "unknown-field" and problem["pointer"].startswith(("/payload/", "/options/")):
            return False
        # An edit names a version of the fork, whose last version is another field.
        if case.path.endswith("/forks") and problem.get("pointer", "").startswith("/edit/"):
            return False
        # Only a session with withheld work has it.
        if kind == "unknown-field" and problem["pointer"].endswith("/pending"):
            return False
        # The app decides about the events with which a session begins, too.
        if kind == "unknown-field" and problem["pointer"].startswith("/events/"):
            return False
        # The names of attributes have a pattern.
        if kind == "invalid-attributes":
            return False
        return kind not in JUDGED_BY_THE_APP | JUDGED_BY_THE_SESSION and problem["detail"] not in JUDGED_TOGETHER
    # A condition on the session's version is evaluated before a body's content (RFC 9110, section 13.2.1), and so is the
    # body's size.
    if type(failure).__name__ == "AcceptedNegativeData":
        return response.status_code not in (412, 413)
    # A new session exists, but has not reached that version.
    if type(failure).__name__ == "EnsureResourceAvailability":
        return kind != "version-not-found"
    return True
