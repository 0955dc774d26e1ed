# The flow with the client that OpenAPI Generator writes (`python`).
import json

from openapi_client import ApiClient, ApiException, Configuration, Event, Fork, Link, NavigationApi, NewSession, SessionsApi


def flow(url):
    client = ApiClient(Configuration(host=url))
    sessions, navigation = SessionsApi(client), NavigationApi(client)

    # Open a session at a screen, and press its first button. An action is an event as it is.
    id = sessions.post_session(new_session=NewSession(path="/main/profile", options={"liveResults": True})).id
    button = navigation.get_session_route(id).screen.actions[0]
    pressed = navigation.post_session_event(id, Event.from_dict(button.to_dict()))
    print("pressed:", button.title, pressed.path)

    # A form is an action with inputs. What the user types replaces the values in its payload.
    form = next(action for action in pressed.route.screen.actions if action.inputs)
    try:
        navigation.post_session_event(id, Event(event=form.event, payload={"name": ""}))
    except ApiException as error:
        print("refused:", error.status, error.data.actual_instance.pointer)
    renamed = navigation.post_session_event(id, Event(event=form.event, payload={"name": "Ada"}))
    print("renamed:", renamed.route.screen.title)

    # Follow a link that starts work, and wait until nothing is pending.
    navigation.put_session_route(id, Link(path="/main/drivers/driver/leclerc"))
    settled = navigation.get_session_route(id, until="settled", prefer="wait=30")
    print("settled:", settled.path, settled.screen.status, len(settled.pending))

    # Fork the session as it was at version 3, and export the journal.
    fork = sessions.post_fork(id, Fork(version=3))
    print("forked:", fork.path, fork.parent.version)
    journal = navigation.get_session_events_without_preload_content(id, _headers={"Accept": "application/x-ndjson"})
    lines = journal.data.decode().splitlines()
    print("exported:", json.loads(lines[0])["app"], len(lines) - 1)
