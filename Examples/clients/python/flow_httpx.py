# The flow with the client that openapi-python-client writes.
import json

from coordinate_client import Client
from coordinate_client.api.navigation import get_session_route, post_session_event, put_session_route
from coordinate_client.api.sessions import post_fork, post_session
from coordinate_client.models import Event, Fork, GetSessionRouteUntil, Link, NewSession


def flow(url):
    with Client(base_url=url) as client:
        # Open a session at a screen, and press its first button. An action is an event as it is.
        body = NewSession.from_dict({"path": "/main/profile", "options": {"liveResults": True}})
        id = post_session.sync(client=client, body=body).id
        button = get_session_route.sync(id, client=client).screen.actions[0]
        pressed = post_session_event.sync(id, client=client, body=Event.from_dict(button.to_dict()))
        print("pressed:", button.title, pressed.path)

        # A form is an action with inputs. What the user types replaces the values in its payload.
        form = next(action for action in pressed.route.screen.actions if action.inputs)
        named = lambda name: Event.from_dict({"event": form.event, "payload": {"name": name}})
        refused = post_session_event.sync_detailed(id, client=client, body=named(""))
        print("refused:", refused.status_code.value, refused.parsed.pointer)
        renamed = post_session_event.sync(id, client=client, body=named("Ada"))
        print("renamed:", renamed.route.screen.title)

        # Follow a link that starts work, and wait until nothing is pending.
        put_session_route.sync(id, client=client, body=Link(path="/main/drivers/driver/leclerc"))
        settled = get_session_route.sync(id, client=client, until=GetSessionRouteUntil.SETTLED, prefer="wait=30")
        print("settled:", settled.path, settled.screen.status, len(settled.pending))

        # Fork the session as it was at version 3, and export the journal.
        fork = post_fork.sync(id, client=client, body=Fork(version=3))
        print("forked:", fork.path, fork.parent.version)
        http = client.get_httpx_client()
        lines = http.get(f"/sessions/{id}/events", headers={"Accept": "application/x-ndjson"}).text.splitlines()
        print("exported:", json.loads(lines[0])["app"], len(lines) - 1)
