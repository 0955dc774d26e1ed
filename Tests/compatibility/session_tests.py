"""A session from its creation to its end: events, routes, journals, forks and conditions."""

import json

from checks import ServerTests
from client import request
from server import wait_until


class SessionTests(ServerTests):
    def test_a_new_session_has_a_document_and_a_location(self):
        answer = self.server.ask("POST", "/sessions", body="")
        self.assertEqual(answer.status, 201)
        session = answer.json()["id"]
        self.assertEqual(answer.field("Location"), f"/sessions/{session}")
        self.assertEqual(answer.field("Cache-Control"), "no-store")
        document = self.server.ask("GET", f"/sessions/{session}").json()
        self.assertEqual((document["version"], document["path"]), (0, "/splash"))

    def test_a_session_starts_at_a_path(self):
        session = self.server.new_session(path="/main/teams/team/ferrari")
        route = self.server.ask("GET", f"/sessions/{session}/route").json()
        self.assertEqual((route["version"], route["path"]), (1, "/main/teams/team/ferrari"))

    def test_a_route_has_a_tag_that_changes_with_the_version(self):
        session = self.server.new_session()
        target = f"/sessions/{session}/route"
        first = self.server.ask("GET", target)
        self.assertEqual(first.status, 200)
        tag = first.field("ETag")
        self.assertRegex(tag, r'^"[^"]+"$')
        unchanged = self.server.ask("GET", target, f"If-None-Match: {tag}")
        self.assertEqual((unchanged.status, unchanged.body, unchanged.field("ETag")), (304, b"", tag))
        self.server.post(session, "splash.didFinish")
        changed = self.server.ask("GET", target, f"If-None-Match: {tag}")
        self.assertEqual((changed.status, changed.json()["path"]), (200, "/main/teams"))
        self.assertNotEqual(changed.field("ETag"), tag)
        past = self.server.ask("GET", target + "?version=0")
        self.assertEqual((past.status, past.json()["path"]), (200, "/splash"))

    def test_a_session_accepts_events(self):
        session = self.server.new_session()
        target = f"/sessions/{session}/events"
        full = self.server.ask_json("POST", target, {"event": "splash.didFinish"})
        self.assertEqual(full.status, 200)
        self.assertEqual((full.json()["handledBy"], full.json()["route"]["version"]), ("AppCoordinator", 1))
        event = {"event": "teams.didSelect", "payload": {"team": "ferrari"}}
        minimal = self.server.ask_json("POST", target, event, "Prefer: return=minimal")
        self.assertEqual((minimal.status, minimal.field("Preference-Applied")), (200, "return=minimal"))
        self.assertEqual(minimal.json()["path"], "/main/teams/team/ferrari")
        self.assertNotIn("route", minimal.json())
        refused = self.server.ask_json("POST", target, {"event": "teams.didSelekt", "payload": {"team": "ferrari"}})
        self.assertTrue(refused.is_problem)
        self.assertEqual((refused.status, refused.json()["didYouMean"]), (422, "teams.didSelect"))

    def test_an_event_is_refused_if_the_version_has_changed(self):
        session = self.server.new_session()
        target = f"/sessions/{session}/events"
        tag = self.server.ask("GET", f"/sessions/{session}/route").field("ETag")
        event = {"event": "splash.didFinish"}
        self.assertEqual(self.server.ask_json("POST", target, event, f"If-Match: {tag}").status, 200)
        late = self.server.ask_json("POST", target, event, f"If-Match: {tag}")
        self.assertEqual((late.status, late.json()["version"], late.is_problem), (412, 1, True))

    def test_a_repeated_key_gets_the_first_answer(self):
        session = self.server.new_session()
        target = f"/sessions/{session}/events"
        event = {"event": "splash.didFinish"}
        answers = [self.server.ask_json("POST", target, event, "Idempotency-Key: one") for _ in range(2)]
        self.assertEqual([answer.status for answer in answers], [200, 200])
        self.assertEqual(answers[0].body, answers[1].body)

    def test_a_deep_link_leads_to_its_path(self):
        session = self.server.new_session()
        answer = self.server.ask_json("PUT", f"/sessions/{session}/route", {"path": "/main/drivers/driver/leclerc"})
        self.assertEqual((answer.status, answer.json()["event"]), (200, "navigation.open"))
        self.assertEqual(answer.json()["route"]["path"], "/main/drivers/driver/leclerc")
        unknown = self.server.ask_json("PUT", f"/sessions/{session}/route", {"path": "/nowhere"})
        self.assertEqual((unknown.status, unknown.is_problem), (422, True))

    def test_the_journal_comes_in_pages(self):
        session = self.server.new_session()
        self.server.post(session, "splash.didFinish")
        for tab in ("DriversCoordinator", "ProfileCoordinator", "TeamsCoordinator"):
            self.server.post(session, "navigation.selectTab", tab=tab)
        page = self.server.ask("GET", f"/sessions/{session}/events?after=1&limit=2").json()
        self.assertEqual([entry["version"] for entry in page["events"]], [2, 3])
        rest = self.server.ask("GET", f"/sessions/{session}/events?after={page['next']}").json()
        self.assertEqual([entry["path"] for entry in rest["events"]], ["/main/teams"])
        self.assertIsNone(rest["next"])

    def export(self, session):
        answer = self.server.ask("GET", f"/sessions/{session}/events", "Accept: application/x-ndjson")
        self.assertEqual((answer.status, answer.field("Content-Type")), (200, "application/x-ndjson"))
        return answer.body

    def imported(self, journal):
        return self.server.ask("POST", "/sessions", "Content-Type: application/x-ndjson", body=journal)

    def test_a_journal_is_exported_and_imported(self):
        session = self.server.new_session(path="/main/teams")
        self.server.post(session, "teams.didSelect", team="ferrari")
        self.server.post(session, "teams.setFavorite", team="ferrari")
        journal = self.export(session)
        lines = [json.loads(line) for line in journal.splitlines()]
        self.assertEqual((lines[0]["app"], [line["version"] for line in lines[1:]]), ("Racing", [1, 2, 3]))
        copy = self.imported(journal)
        self.assertEqual((copy.status, copy.json()["version"]), (201, 3))
        routes = [self.server.ask("GET", f"/sessions/{id}/route").json() for id in (session, copy.json()["id"])]
        for route in routes:
            del route["session"]
        self.assertEqual(*routes)

    def test_a_journal_larger_than_any_buffer_is_imported_and_exported(self):
        session = self.server.new_session(path="/main/teams")
        for tab in ("DriversCoordinator", "TeamsCoordinator"):
            self.server.post(session, "navigation.selectTab", tab=tab)
        first, opened, *tabs = self.export(session).splitlines()
        tabs = [json.loads(line) for line in tabs]
        entries = [tabs[version % 2] | {"version": version} for version in range(2, 4_002)]
        journal = b"\n".join([first, opened] + [json.dumps(entry).encode() for entry in entries]) + b"\n"
        self.assertGreater(len(journal), 500_000)
        copy = self.imported(journal)
        self.assertEqual((copy.status, copy.json().get("version")), (201, 4_001))
        exported = self.export(copy.json()["id"]).splitlines()
        self.assertEqual(len(exported), 4_002)
        self.assertEqual(json.loads(exported[-1])["version"], 4_001)

    def test_a_journal_that_cannot_be_read_names_its_line(self):
        session = self.server.new_session(path="/main/teams")
        answer = self.imported(self.export(session) + b"no entry\n")
        self.assertEqual((answer.status, answer.json()["line"], answer.is_problem), (422, 3, True))

    def test_a_fork_has_the_first_events(self):
        session = self.server.new_session(path="/main/teams/team/ferrari")
        self.server.post(session, "navigation.back")
        fork = self.server.ask_json("POST", f"/sessions/{session}/forks", {"version": 1})
        self.assertEqual((fork.status, fork.json()["path"]), (201, "/main/teams/team/ferrari"))
        self.assertEqual(fork.json()["parent"], {"session": session, "version": 1})

    def test_changes_are_json_pointers(self):
        session = self.server.new_session(path="/main/teams/team/ferrari")
        self.server.post(session, "teams.setFavorite", team="ferrari")
        answer = self.server.ask("GET", f"/sessions/{session}/changes?from=1&to=2")
        self.assertEqual(answer.status, 200)
        self.assertIn(
            {"pointer": "/navigation/tabs/2/badge", "from": None, "to": "1"}, answer.json()["changes"])

    def test_an_ended_session_is_not_found(self):
        session = self.server.new_session()
        ended = self.server.ask("DELETE", f"/sessions/{session}")
        self.assertEqual((ended.status, ended.body), (204, b""))
        for method, part in (("GET", ""), ("GET", "/route"), ("GET", "/events"), ("DELETE", "")):
            gone = self.server.ask(method, f"/sessions/{session}{part}")
            self.assertEqual((gone.status, gone.is_problem), (404, True))

    def test_a_cookie_keeps_the_session(self):
        first = self.server.ask("GET", "/route")
        self.assertEqual(first.status, 200)
        cookie, *attributes = first.field("Set-Cookie").split("; ")
        self.assertRegex(cookie, f"^session(-[0-9]+)?={first.json()['session']}$")
        self.assertEqual(set(attributes), {"Path=/", "HttpOnly", "SameSite=Strict"})
        event = {"event": "splash.didFinish"}
        self.assertEqual(self.server.ask_json("POST", "/events", event, f"Cookie: a=b; {cookie}; c").status, 200)
        again = self.server.ask("GET", "/route", f"Cookie: {cookie}")
        self.assertEqual((again.json()["path"], again.field("Set-Cookie")), ("/main/teams", None))
        named = self.server.ask("GET", "/route", f"Session: {first.json()['session']}")
        self.assertEqual(named.json()["version"], 1)

    def test_mistakes_get_a_problem_document(self):
        session = self.server.new_session()
        events = f"/sessions/{session}/events"
        json_type = "Content-Type: application/json"
        rows = [
            (404, request("GET", "/nowhere")),
            (404, request("GET", "/sessions/0000000000000000000000/route")),
            (405, request("DELETE", "/livez")),
            (405, request("PATCH", events, json_type, body="{}")),
            (400, request("POST", events, json_type, body="{")),
            (415, request("POST", events, "Content-Type: text/plain", body="{}")),
            (421, request("GET", "/livez", host="example.com")),
            (403, request("POST", "/sessions", "Origin: https://example.com", body="")),
            (422, request("POST", events, json_type, body='{"event": "navigation.selectTab", "payload": {}}')),
        ]

        def check(row):
            status, data = row
            with self.server.connect() as connection:
                answer = connection.ask(data)
                self.assertEqual((answer.status, answer.is_problem), (status, True))
                # None of these problems closes the connection.
                self.assertEqual(connection.ask(request("GET", "/livez")).status, 200)

        self.check_each(rows, check)

    def test_the_page_is_served(self):
        page = self.server.ask("GET", "/")
        self.assertEqual((page.status, page.field("Content-Type")), (200, "text/html; charset=utf-8"))
        self.assertTrue(page.body.rstrip().endswith(b"</html>"))
        unchanged = self.server.ask("GET", "/", f"If-None-Match: {page.field('ETag')}")
        self.assertEqual((unchanged.status, unchanged.body), (304, b""))
        description = self.server.ask("GET", "/openapi.json")
        self.assertTrue(description.json()["openapi"].startswith("3.1"))

    def test_the_map_is_available_once_it_is_created(self):
        answers = []

        def is_there():
            answers.append(self.server.ask("GET", "/map"))
            return answers[-1].status != 202

        wait_until(is_there, "the map of the app")
        self.assertEqual(answers[-1].status, 200)
        self.assertIn("/splash", {state["path"] for state in answers[-1].json()["states"]})
